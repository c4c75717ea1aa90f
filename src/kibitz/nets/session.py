"""A graph that runs: in the core itself, or in ONNX Runtime, OpenVINO or PyTorch where those are installed.

Threads: `run` may be called from several threads at once. With one thread a call (the default) ONNX Runtime
computes on the caller's own thread, so a search with several threads fills the machine by itself.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from kibitz import _native
from kibitz.errors import BadOption, NotInstalled, how_to_install
from kibitz.nets.devices import providers, runtime_for
from kibitz.nets.files import BadNetwork
from kibitz.nets.graph import Graph
from kibitz.nets.lowering import lowered
from kibitz.nets.program_builder import Unsupported

Array = npt.NDArray[np.float32]

RUNTIMES = ("native", "onnxruntime", "openvino", "torch")
#: What is given a graph as ONNX.
_BY_ONNX = ("onnxruntime", "openvino")


class Session(Protocol):
    """Runs one graph."""

    runtime: str
    inputs: frozenset[str]

    def run(self, outputs: Sequence[str], inputs: Mapping[str, Array]) -> list[Array]:
        """The outputs asked for, as float32 arrays that belong to the caller."""


def usable_cores() -> int:
    """The cores this process may use, which a container makes fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def installed_runtimes() -> tuple[str, ...]:
    """The runtimes that `auto` chooses among: the core, and what is given a graph as ONNX and needs `onnx`,
    too. PyTorch, which is slow on a CPU, runs where it is named, or a device that needs it.

    >>> "native" in installed_runtimes()
    True
    """
    others = _BY_ONNX if _is_there("onnx") else ()
    return ("native", *filter(_is_there, others))


def _is_there(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


def open_session(
    graph: Graph, runtime: str = "auto", threads: int = 1, streams: int = 1, device: str = "cpu"
) -> Session:
    """A session of the named runtime; `threads` compute one call, `streams` calls may run at once. `auto`
    takes the core, or for what that cannot run the next runtime that is installed. A `device` other than the
    CPU is ONNX Runtime's or PyTorch's (nets/devices.py).

    >>> open_session(graph).run(["policy"], {"planes": planes})             # doctest: +SKIP
    """
    runtime = runtime_for(device, runtime)
    if runtime == "auto":
        return first_able(lambda name: open_session(graph, name, threads, streams))
    if runtime not in RUNTIMES:
        raise BadOption(f"unknown runtime {runtime!r}; expected one of {', '.join(RUNTIMES)}")
    if runtime not in installed_runtimes() and (runtime != "torch" or not _is_there("torch")):
        raise NotInstalled(runtime, f"the runtime {runtime}")
    try:
        if runtime == "native":
            return NativeSession(graph)
        if runtime == "torch":
            from kibitz.nets.torch_session import TorchSession

            return TorchSession(graph, threads, device)
        if runtime == "openvino":
            return _OpenVinoSession(graph.model(), threads, streams)
        return _OnnxSession(graph.model(), threads, device)
    except (BadOption, Unsupported):
        raise
    except (RuntimeError, ValueError) as error:
        reason = " ".join(str(error).split())[:300]
        raise BadNetwork(f"{runtime} refuses the network: {reason}") from None


def first_able(opened: Callable[[str], Session]) -> Session:
    """What `opened` gives for the first installed runtime that can run the network."""
    names = installed_runtimes()
    for name in names[:-1]:
        with contextlib.suppress(Unsupported):
            return opened(name)
    try:
        return opened(names[-1])
    except Unsupported as error:
        raise BadNetwork(f"{error}; to run it in ONNX Runtime: {how_to_install('onnx')}") from None


class NativeSession:
    """Computes on the caller's thread."""

    runtime = "native"

    def __init__(self, graph: Graph) -> None:
        self._lowered = lowered(graph)
        self.inputs = frozenset(self._lowered.inputs)

    def run(self, outputs: Sequence[str], inputs: Mapping[str, Array]) -> list[Array]:
        made = self._lowered
        given = [np.ascontiguousarray(inputs[name], np.float32) for name in made.inputs]
        wanted = [name for name in made.outputs if name in outputs]
        results = made.program.run(given, [name in outputs for name in made.outputs])
        return [results[wanted.index(name)] for name in outputs]

    def direct(self, details: Sequence[int]) -> _native.DirectNetwork:
        made = self._lowered
        return _native.DirectNetwork(made.program, list(made.inputs), list(made.outputs), list(details))


class _OnnxSession:
    runtime = "onnxruntime"

    def __init__(self, model: bytes, threads: int, device: str = "cpu") -> None:
        # Its official builds send usage data to their maker unless this is set before they are loaded.
        os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
        import onnxruntime

        chosen = providers(device, onnxruntime.get_available_providers())

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # Threads that spin while they wait would take the cores from the search.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session: Any = onnxruntime.InferenceSession(model, options, providers=chosen)
        self.inputs = frozenset(item.name for item in self._session.get_inputs())

    def run(self, outputs: Sequence[str], inputs: Mapping[str, Array]) -> list[Array]:
        return self._session.run(outputs, inputs)  # type: ignore[no-any-return]


class _OpenVinoSession:
    runtime = "openvino"

    def __init__(self, model: bytes, threads: int, streams: int) -> None:
        import openvino

        settings = {
            "INFERENCE_NUM_THREADS": str(threads * streams),
            "NUM_STREAMS": str(streams),
            # Some CPUs would be given bfloat16, which is another network.
            "INFERENCE_PRECISION_HINT": "f32",
            "ENABLE_CPU_PINNING": "NO",
        }
        core = openvino.Core()
        self._compiled: Any = core.compile_model(core.read_model(model), "CPU", settings)
        self._places = {output.get_any_name(): output for output in self._compiled.outputs}
        #: Requests nobody is using. Not one for each thread: threads of a search are strangers to Python,
        #: which forgets what it keeps for them after every call.
        self._idle: list[Any] = []
        self.inputs = frozenset(item.get_any_name() for item in self._compiled.inputs)

    def run(self, outputs: Sequence[str], inputs: Mapping[str, Array]) -> list[Array]:
        try:
            request = self._idle.pop()
        except IndexError:
            request = self._compiled.create_infer_request()
        try:
            results = request.infer(dict(inputs), share_inputs=True, share_outputs=True)
            # The request's own memory is written again by the next call that takes it.
            return [np.array(results[self._places[name]], np.float32) for name in outputs]
        finally:
            self._idle.append(request)
