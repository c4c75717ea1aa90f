"""A network as the search and the protocols use it: positions in, policy and outcome out.

>>> network = kibitz.nets.load("b6c96.bin.gz")
>>> policy, outcomes = network(planes, globals)          # the search's call; any board size
>>> evaluation = network.evaluate(planes, globals)       # everything the network says
>>> lead, ownership = evaluation["lead"], evaluation.ownership
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz import _native
from kibitz.errors import BadOption, BadRequest
from kibitz.nets.background import Tuner
from kibitz.nets.devices import runtime_for
from kibitz.nets.families import open_network
from kibitz.nets.family import Definition, Shape
from kibitz.nets.graph import Graph, Range
from kibitz.nets.int8_ranges import Calibration, Int8Ranges
from kibitz.nets.quantize import Progress
from kibitz.nets.searching import SearchNetwork
from kibitz.nets.session import RUNTIMES, NativeSession, Session, first_able, open_session
from kibitz.nets.sessions import Sessions
from kibitz.nets.tune import Tuning, kept, tuned, untuned
from kibitz.nets.usage import Usage
from kibitz.network import EngineNetwork, NetworkTraits

Array = npt.NDArray[np.float32]

#: int8 leaves the first and the head convolutions in fp32; int8-all does not.
PRECISIONS = ("fp32", "int8", "int8-all")


@dataclass(frozen=True)
class Evaluation:
    """Everything the network says about n positions, for the side to move.

    `outcomes` has the columns win, draw (in Go: no result), loss, score; `details` has a column for each name
    of `names`; `ownership` goes from -1 (the opponent's) to 1, None for networks without that head.

    >>> evaluation = network.evaluate(planes, globals)
    >>> evaluation.outcomes.shape
    (1, 4)
    """

    policy: Array
    outcomes: Array
    details: Array
    names: tuple[str, ...]
    ownership: Array | None

    def __getitem__(self, name: str) -> Array:
        """A column of the details by its name, such as `lead`."""
        return self.details[:, self.names.index(name)]


def load(
    path: str | Path,
    *,
    game: str | None = None,
    precision: str = "fp32",
    runtime: str = "auto",
    threads: int = 1,
    streams: int = 1,
    calibration: Calibration | None = None,
    progress: Progress = lambda done, total: None,
    heads: Mapping[str, str] | None = None,
    device: str = "cpu",
) -> Network:
    """Reads a network file of any family; `BadNetwork` says in one line why it cannot be used, also because
    it is not for the `game`.

    `runtime` is native (the core), onnxruntime, openvino, torch, or auto: what `tune` found to be the fastest
    here, else the core, or for what that cannot run another one that is installed. int8 needs
    `calibration`: a function that is given the network in fp32 and a board size, and gives positions of games
    it played; it is called once for a board size and machine, the result is kept in the cache; `progress`
    hears how many of those positions the network was watched on. `heads` chooses among several heads of one
    kind by the names `kibitz nets info` shows: `{"policy": "optimistic"}`. A `device` other than cpu is ONNX
    Runtime's: cuda, tensorrt, rocm, directml, coreml, openvino, or PyTorch's: mps, xpu, or with
    `runtime="torch"` also cuda; auto is the best that is there.

    >>> load("b6c96.bin.gz").precision
    'fp32'
    """
    definition = open_network(path, game)
    return Network(
        definition.with_heads(**heads) if heads else definition,
        precision=precision,
        runtime=runtime,
        threads=threads,
        streams=streams,
        calibration=calibration,
        progress=progress,
        device=device,
    )


class Network(EngineNetwork):
    """One network; sessions for the board sizes it meets are made when they are needed and kept.

    Threads: every method may be called from several threads at once.

    >>> network = kibitz.nets.load("b6c96.bin.gz")
    >>> policy, outcomes = network(planes, globals)
    >>> policy.shape
    (1, 82)
    """

    def __init__(
        self,
        definition: Definition,
        *,
        precision: str = "fp32",
        runtime: str = "auto",
        threads: int = 1,
        streams: int = 1,
        calibration: Calibration | None = None,
        progress: Progress = lambda done, total: None,
        device: str = "cpu",
    ) -> None:
        if precision not in PRECISIONS:
            raise BadOption(f"unknown precision {precision!r}; expected one of {', '.join(PRECISIONS)}")
        if runtime not in ("auto", *RUNTIMES):
            raise BadOption(f"unknown runtime {runtime!r}; expected auto, {' or '.join(RUNTIMES)}")
        runtime = runtime_for(device, runtime)
        if runtime == "torch" and precision != "fp32":
            raise BadOption(f"the runtime torch computes in fp32, not in {precision}")
        self.definition = definition
        #: Where ONNX Runtime or PyTorch computes; the other runtimes know the CPU only.
        self.device = device
        self.precision = precision
        #: What was asked for; `runtime` becomes the faster one once that is known.
        self.wanted = self.runtime = runtime
        self.threads = threads
        self.streams = streams
        #: How far `network(...)` and `evaluate` go from the plain policy (0) to the optimistic one (1) where
        #: there are two and nothing else is said. A search says it for each position.
        self.optimism = 1.0
        #: How a search uses it, once that is known or `tune_later` was asked.
        self.tuning: Tuning | None = None
        #: The searches that run with it.
        self.usage = Usage()
        self._tuners: dict[Shape, Tuner] = {}
        self._int8 = Int8Ranges(self.reference, calibration, progress)
        self._sessions = Sessions(definition, self._first_session)

    # -- what it is ----------------------------------------------------------------------------------------

    @property
    def family(self) -> str:
        return self.definition.family

    @property
    def game(self) -> str:
        return self.definition.game

    @property
    def name(self) -> str:
        return self.definition.name

    @property
    def path(self) -> Path:
        return self.definition.path

    @property
    def traits(self) -> NetworkTraits:
        definition = self.definition
        return NetworkTraits(
            definition.core is not None, "ownership" in definition.heads, "style" in self.details
        )

    @property
    def profile(self) -> str | None:
        return self.definition.profile

    def imitating(self, profile: str, side: int) -> Network:
        return Network(self.definition.imitating(profile, side))

    @property
    def digest(self) -> str:
        """SHA-256 of the file, hex."""
        return self.definition.digest

    @property
    def version(self) -> int | None:
        """The version of the file format; Lc0 files have none."""
        return self.definition.version

    @property
    def model(self) -> Any:
        """What the family's reader made of the file."""
        return self.definition.model

    @property
    def details(self) -> tuple[str, ...]:
        """The names of the details an `Evaluation` has."""
        return self.definition.details

    def __repr__(self) -> str:
        return f"<Network {self.name} ({self.family}, {self.precision}, {self.runtime})>"

    def shape(self, rows: int | None = None, columns: int | None = None) -> Shape:
        """The sizes of inputs and outputs; the family's usual board when no size is given."""
        return self.definition.shape(rows, columns)

    # -- running it ----------------------------------------------------------------------------------------

    def graph(self, shape: Shape, ranges: Mapping[str, Range] | None = None, **quantization: Any) -> Graph:
        return self.definition.graph(shape, ranges, **quantization)

    def session(self, rows: int | None = None, columns: int | None = None) -> Session:
        """The session of a board size, made at the first call."""
        if rows is None or columns is None:
            shape = self.shape(rows, columns)
            rows, columns = shape.rows, shape.columns
        return self._sessions.get(rows, columns)

    def _first_session(self, rows: int, columns: int) -> Session:
        made = self.open(self.shape(rows, columns), self.runtime, self.threads, self.streams)
        self.runtime = made.runtime
        return made

    def open(self, shape: Shape, runtime: str, threads: int = 1, streams: int = 1) -> Session:
        """A new session that is not kept; `session` keeps one."""
        if (core := self.definition.core_session()) is not None:
            return core  # type: ignore[no-any-return]
        if runtime == "auto":
            return first_able(lambda name: self.open(shape, name, threads, streams))
        stem = self._sessions.stem_apart(runtime)
        if self.precision == "fp32":
            graph = self.graph(shape, stem=stem)
        else:
            edges = self.precision == "int8-all"
            settings = self._int8.of(shape).settings(runtime)
            graph = self.graph(shape, edges=edges, stem=stem and not edges, **settings)
        return open_session(graph, runtime, threads, streams, self.device)

    def tune(
        self,
        rows: int | None = None,
        columns: int | None = None,
        *,
        progress: Callable[[Tuning], None] | None = None,
    ) -> Tuning:
        """Finds the fastest runtime, threads and batch for a board size, and uses them from now on.

        Call the network from `streams` threads at once, with `batch` positions each.
        """
        best = tuned(self, self.shape(rows, columns), progress=progress)
        self._use(best)
        return best

    def tune_later(
        self,
        rows: int | None = None,
        columns: int | None = None,
        measured: Callable[[Tuning], None] = lambda tuning: None,
    ) -> Tuning:
        """How to use the network now, at once: as was measured on this machine before, else by default. Then
        it is measured while no search runs, used from the next search on and handed to `measured`."""
        if self.definition.core is not None:  # there is nothing to choose
            return untuned("native")
        shape = self.shape(rows, columns)
        known = kept(self, shape)
        if known is not None:
            self._use(known)
            return known
        ready = self.precision == "fp32" or self._int8.get(shape) is not None
        if self.tuning is None:
            if ready:  # what cannot be run says so now
                self.session(shape.rows, shape.columns)
            self.tuning = untuned("native" if self.runtime == "auto" else self.runtime)

        def use(best: Tuning) -> None:
            self._use(best)
            measured(best)

        # Calibration takes too long for a pause between searches.
        if ready and shape not in self._tuners:
            self._tuners[shape] = Tuner(self, shape, use)
            self._tuners[shape].start()
        return self.tuning

    def _use(self, best: Tuning) -> None:
        def change() -> bool:
            # The core's sessions are the same for any number of threads.
            same = self.runtime == best.runtime == "native"
            self.runtime, self.threads, self.streams = best.runtime, best.threads, best.streams
            self.tuning = best
            return not same

        self._sessions.replace(change)

    # -- int8 ----------------------------------------------------------------------------------------------

    def reference(self) -> Network:
        """The same network in fp32, beside this one."""
        return Network(self.definition, runtime=self.runtime, threads=self.threads)

    def calibrate(self, planes: Array, globals_: Array | None = None) -> Mapping[str, Range]:
        """Finds the ranges int8 needs from positions of one board size, and keeps them in the cache."""
        return self._int8.find(planes, globals_).ranges

    # -- asking it -----------------------------------------------------------------------------------------

    def __call__(self, planes: Array, globals_: Array | None = None) -> tuple[Array, Array]:
        """(policy logits [n, P], outcomes [n, 4] = win, draw, loss, score), for the side to move."""
        session = self.session(planes.shape[2], planes.shape[3])
        policy, outcomes = session.run(("policy", "outcome"), self.inputs_of(session, planes, globals_))
        return policy, outcomes

    def in_use(self) -> contextlib.AbstractContextManager[None]:
        return self.usage.search()

    def shown(self, position: Any) -> Any:
        return self.definition.shown(position)

    def for_search(self) -> SearchNetwork:
        return SearchNetwork(self)

    def direct(self, rows: int, columns: int, details: Sequence[int] = ()) -> _native.DirectNetwork | None:
        """What a search of the core calls without a way through Python, if the network runs in the core;
        `details` are the columns it gives beside the outcome."""
        session = self.session(rows, columns)
        return session.direct(details) if isinstance(session, NativeSession) else None

    def evaluate(
        self, planes: Array, globals_: Array | None = None, optimism: float | Array | None = None
    ) -> Evaluation:
        """Policy, outcomes, details and ownership. `optimism` is a number or one for each position."""
        session = self.session(planes.shape[2], planes.shape[3])
        owners = "ownership" in self.definition.heads
        names = ["policy", "outcome", "details", *(["ownership"] if owners else [])]
        results = session.run(names, self.inputs_of(session, planes, globals_, optimism))
        ownership = results[3] if owners else None
        return Evaluation(results[0], results[1], results[2], self.details, ownership)

    def inputs_of(
        self,
        session: Session,
        planes: Array,
        globals_: Array | None = None,
        optimism: float | Array | None = None,
    ) -> dict[str, Array]:
        """The inputs a session of this network wants, by name."""
        apart = "stem" in session.inputs
        inputs = {"stem": self._sessions.stem(planes)} if apart else {"planes": planes}
        if "globals" in session.inputs:
            if globals_ is None:
                raise BadRequest(f"{self.name} needs the global inputs too")
            inputs["globals"] = globals_
        if "optimism" in session.inputs:
            value = self.optimism if optimism is None else optimism
            column = np.broadcast_to(np.asarray(value, np.float32).reshape(-1, 1), (len(planes), 1))
            inputs["optimism"] = np.ascontiguousarray(column)
        return inputs
