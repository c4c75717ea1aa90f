"""A graph in PyTorch, for devices that no build of ONNX Runtime is for. Only the CPU was tried.

The graph is computed node by node as its ONNX form says (`onnx_composites.py`), without ONNX. Threads: `run`
may be called from several threads at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.nets.devices import torch_device
from kibitz.nets.graph import Graph, Node
from kibitz.nets.onnx_composites import written_out
from kibitz.nets.program_builder import Unsupported

Array = npt.NDArray[np.float32]


class TorchSession:
    runtime = "torch"

    def __init__(self, graph: Graph, threads: int, device: str = "cpu") -> None:
        import torch

        nodes, constants = written_out(graph)
        for node in nodes:
            if node.op not in _OPERATIONS:
                raise Unsupported(f"the runtime torch cannot compute {node.op}")
        self._device = torch_device(device, torch)
        if self._device == "cpu":
            torch.set_num_threads(threads)  # of a call; PyTorch knows one number for the whole process
        self._torch = torch
        self._nodes = nodes
        #: Shapes and places are read by Python, weights by the device.
        self._constants: dict[str, Any] = {
            name: array.tolist()
            if array.dtype == np.int64 and not _is_table(name, nodes)
            else torch.from_numpy(np.array(array)).to(self._device)
            for name, array in constants.items()
        }
        self._orders: dict[tuple[str, ...], list[Node]] = {}
        self.inputs = frozenset(graph.inputs)

    def run(self, outputs: Sequence[str], inputs: Mapping[str, Array]) -> list[Array]:
        torch = self._torch
        with torch.inference_mode():
            values = dict(self._constants)
            for name in self.inputs:
                values[name] = torch.from_numpy(np.array(inputs[name], np.float32)).to(self._device)
            for node in self._order(tuple(outputs)):
                given = [values[name] for name in node.inputs]
                values[node.output] = _OPERATIONS[node.op](torch, node.attributes, *given)
            return [values[name].to("cpu", torch.float32).numpy() for name in outputs]

    def _order(self, outputs: tuple[str, ...]) -> list[Node]:
        """The nodes that the outputs need."""
        if outputs not in self._orders:
            needed, order = set(outputs), []
            for node in reversed(self._nodes):
                if node.output in needed:
                    needed.update(node.inputs)
                    order.append(node)
            self._orders[outputs] = order[::-1]
        return self._orders[outputs]


def _is_table(name: str, nodes: Sequence[Node]) -> bool:
    """Whether a constant has the places that a Gather reads."""
    return any(node.op == "Gather" and node.inputs[1] == name for node in nodes)


def _conv(torch: Any, frame: Mapping[str, Any], value: Any, weights: Any, bias: Any = None) -> Any:
    top, left, *_ = frame.get("pads", (0, 0))
    more = {"padding": (top, left), "dilation": tuple(frame.get("dilations", (1, 1)))}
    more["stride"], groups = tuple(frame.get("strides", (1, 1))), frame.get("group", 1)
    return torch.nn.functional.conv2d(value, weights, bias, groups=groups, **more)


def _gemm(torch: Any, frame: Mapping[str, Any], value: Any, weights: Any, bias: Any = None) -> Any:
    value = value.T if frame.get("transA") else value
    weights = weights.T if frame.get("transB") else weights
    result = frame.get("alpha", 1.0) * (value @ weights)
    return result if bias is None else result + frame.get("beta", 1.0) * bias


def _slice(
    torch: Any, _: Mapping[str, Any], value: Any, starts: Any, ends: Any, axes: Any, steps: Any = None
) -> Any:
    places = [slice(None)] * value.dim()
    for start, end, axis, step in zip(starts, ends, axes, steps or [1] * len(axes), strict=True):
        places[axis] = slice(start, end, step)
    return value[tuple(places)]


def _reshape(torch: Any, _: Mapping[str, Any], value: Any, shape: list[int]) -> Any:
    # ONNX's 0 keeps a size.
    return value.reshape([size or value.shape[axis] for axis, size in enumerate(shape)])


def _gather(torch: Any, frame: Mapping[str, Any], value: Any, places: Any) -> Any:
    axis = frame.get("axis", 0)
    chosen = torch.index_select(value, axis, places.reshape(-1))
    return chosen.reshape([*value.shape[:axis], *places.shape, *value.shape[axis + 1 :]])


def _mean(torch: Any, frame: Mapping[str, Any], value: Any, axes: list[int]) -> Any:
    return value.mean(axes, keepdim=bool(frame.get("keepdims", 1)))


#: Operations of ONNX, each given PyTorch, the attributes and its inputs.
_OPERATIONS: dict[str, Callable[..., Any]] = {
    "Add": lambda torch, _, a, b: a + b,
    "Concat": lambda torch, frame, *parts: torch.cat(parts, frame["axis"]),
    "Conv": _conv,
    "Div": lambda torch, _, a, b: a / b,
    "Flatten": lambda torch, _, value: value.reshape(len(value), -1),
    "Gather": _gather,
    "Gemm": _gemm,
    "GlobalAveragePool": lambda torch, _, value: value.mean((2, 3), keepdim=True),
    "GlobalMaxPool": lambda torch, _, value: value.amax((2, 3), keepdim=True),
    "Identity": lambda torch, _, value: value,
    "MatMul": lambda torch, _, a, b: a @ b,
    "Mish": lambda torch, _, value: torch.nn.functional.mish(value),
    "Mul": lambda torch, _, a, b: a * b,
    "ReduceMean": _mean,
    "Relu": lambda torch, _, value: value.relu(),
    "Reshape": _reshape,
    "Selu": lambda torch, _, value: torch.nn.functional.selu(value),
    "Sigmoid": lambda torch, _, value: value.sigmoid(),
    "Slice": _slice,
    "Softmax": lambda torch, frame, value: value.softmax(frame.get("axis", -1)),
    "Softplus": lambda torch, _, value: torch.nn.functional.softplus(value),
    "Sqrt": lambda torch, _, value: value.sqrt(),
    "Sub": lambda torch, _, a, b: a - b,
    "Tanh": lambda torch, _, value: value.tanh(),
    "Transpose": lambda torch, frame, value: value.permute(frame["perm"]),
}
