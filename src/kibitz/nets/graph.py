"""A network as a graph of operations with ONNX's names and meanings: the layers that families are made of.

The core runs it as it is (`lowering.py`); other runtimes get it as ONNX (`onnx_export.py`, an extra). A graph
is built for one board size, so that nothing needs a mask, and for any number of positions. A layer that may
run in int8 has a name; see `quantize.py` for how its ranges are found and used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.nets.files import BadNetwork

Array = npt.NDArray[np.float32]
#: The least and the greatest value int8 has to stand for.
Range = tuple[float, float]

#: Planes hold small whole numbers, ones and zeros most of them: steps of one keep them exact.
_PLANES: Range = (0.0, 255.0)

_ACTIVATIONS = {"silu": "Silu", "mish": "Mish", "selu": "Selu", "tanh": "Tanh", "sigmoid": "Sigmoid"}


@dataclass(frozen=True)
class Node:
    """An operation of ONNX's opset 18, or one that stands for several of them (`onnx_composites.py`)."""

    op: str
    inputs: tuple[str, ...]
    output: str
    attributes: Mapping[str, Any]


class Graph:
    """Nodes are added one after the other; each method returns the name of what it computes.

    >>> graph = Graph("tiny")
    >>> planes = graph.input("planes", (22, 9, 9))
    >>> weights = np.zeros((1, 22, 3, 3), np.float32)
    >>> graph.output("policy", graph.flatten(graph.conv(planes, weights)), (81,))
    >>> model = graph.model()

    With `ranges`, convolutions named in it run in int8, those at the edges of the network only with `edges`.
    `round_outputs` also rounds what a convolution puts out, which ONNX Runtime needs to run it in int8 at all
    and OpenVINO does not. With 0 `weight_bits` the weights stay as they are, for a runtime that rounds them
    in its own way.
    """

    def __init__(
        self,
        name: str,
        ranges: Mapping[str, Range] | None = None,
        *,
        edges: bool = False,
        round_outputs: bool = True,
        weight_bits: int = 8,
    ) -> None:
        self.name = name
        self.ranges = ranges or {}
        self.edges = edges
        self.round_outputs = round_outputs
        self.weight_bits = weight_bits
        #: Where the values live whose range int8 needs to know.
        self.watched: dict[str, str] = {}
        self.nodes: list[Node] = []
        self.constants: dict[str, npt.NDArray[Any]] = {}
        #: Shapes a position; a watched output's is not said.
        self.inputs: dict[str, tuple[int, ...]] = {}
        self.outputs: dict[str, tuple[int, ...] | None] = {}
        self._shared: dict[tuple[str, bytes], str] = {}
        self._rounded: dict[str, str] = {}

    # -- the frame -----------------------------------------------------------------------------------------

    def input(self, name: str, shape: Sequence[int]) -> str:
        self.inputs[name] = tuple(shape)
        return name

    def output(self, name: str, value: str, shape: Sequence[int] | None) -> None:
        self.nodes.append(Node("Identity", (value,), name, {}))
        self.outputs[name] = None if shape is None else tuple(shape)

    def watch_outputs(self) -> dict[str, str]:
        """Makes every watched value an output, for calibration: the output of each watched name. Layers that
        read the same value share one, and its numbers may be in any order."""
        made: dict[str, str] = {}
        for name, value in self.watched.items():
            if value not in made:
                made[value] = name
                self.output(name, value, None)
        return {name: made[value] for name, value in self.watched.items()}

    def model(self) -> bytes:
        """The graph as a serialized ONNX model; needs the extra `kibitz[onnx]`."""
        from kibitz.nets.onnx_export import onnx_model

        return onnx_model(self)

    # -- the pieces ----------------------------------------------------------------------------------------

    def constant(self, values: npt.ArrayLike, dtype: npt.DTypeLike = np.float32) -> str:
        array = np.ascontiguousarray(np.asarray(values, dtype))
        # Large ones are the same only where they are one object, which stays alive here.
        same = array.tobytes() if array.size <= 4096 else str(id(array)).encode()
        key = (f"{array.dtype}{array.shape}", same)
        if key not in self._shared:
            self._shared[key] = f"c{len(self.constants)}"
            self.constants[self._shared[key]] = array
        return self._shared[key]

    def node(self, op: str, *inputs: str, **attributes: Any) -> str:
        name = f"v{len(self.nodes)}"
        self.nodes.append(Node(op, inputs, name, attributes))
        return name

    def add(self, a: str, b: str) -> str:
        return self.node("Add", a, b)

    def multiply(self, a: str, b: str) -> str:
        return self.node("Mul", a, b)

    def scaled(self, value: str, factor: float) -> str:
        return value if factor == 1.0 else self.multiply(value, self.constant([factor]))

    def reshape(self, value: str, *shape: int) -> str:
        """A shape a position; the number of positions stays free."""
        return self.node("Reshape", value, self.constant([-1, *shape], np.int64))

    def flatten(self, value: str) -> str:
        return self.node("Flatten", value, axis=1)

    def columns(self, value: str, start: int, stop: int) -> str:
        places = (self.constant([place], np.int64) for place in (start, stop, 1))
        return self.node("Slice", value, *places, self.constant([1], np.int64))

    def concat(self, *values: str, axis: int = 1) -> str:
        return self.node("Concat", *values, axis=axis)

    def activation(self, kind: str, value: str) -> str:
        if kind == "identity":
            return value
        if kind == "relu":
            return self.node("Relu", value)
        if kind == "relu_2":
            root = self.node("Relu", value)
            return self.multiply(root, root)
        if kind in _ACTIVATIONS:
            return self.node(_ACTIVATIONS[kind], value)
        raise BadNetwork(f"unknown activation {kind}")

    def affine(self, value: str, scale: Array, bias: Array) -> str:
        """x * scale + bias, a channel each, of planes."""
        shape = (1, len(scale), 1, 1)
        return self.add(
            self.multiply(value, self.constant(scale.reshape(shape))), self.constant(bias.reshape(shape))
        )

    def conv(
        self,
        value: str,
        weights: Array,
        bias: Array | None = None,
        *,
        name: str = "",
        place: str = "inside",
        activation: str = "identity",
        dilation: tuple[int, int] = (1, 1),
    ) -> str:
        """A convolution that keeps the board's size. One with a `name` may run in int8.

        Its `place` is inside the tower, at its edge, first (it sees the planes) or last (it gives the answer,
        which is never rounded).
        """
        height, width = weights.shape[2:]
        pads = [dilation[0] * (height // 2), dilation[1] * (width // 2)] * 2
        frame = {"kernel_shape": [height, width], "dilations": list(dilation), "pads": pads}
        into, out = f"{name}.in", f"{name}.out"
        # Planes need no range of their own.
        if name and place != "first":
            self.watched[into] = value
        known = bool(self.ranges) if place == "first" else into in self.ranges
        small = known and (place == "inside" or self.edges)
        if place == "last" and self.round_outputs:
            small = False
        if small:
            value = self._rounded_value(value, _PLANES if place == "first" else self.ranges[into])
            inputs = [value, self._rounded_weights(weights) if self.weight_bits else self.constant(weights)]
        else:
            inputs = [value, self.constant(weights)]
        if bias is not None:
            inputs.append(self.constant(bias))
        result = self.node("Conv", *inputs, **frame)
        # A ReLU is part of the rounding; other activations come after it.
        late = activation not in ("identity", "relu")
        if not late:
            result = self.activation(activation, result)
        if name:
            self.watched[out] = result
            if small and self.round_outputs:
                result = self._rounded_value(result, self.ranges[out])
        return self.activation(activation, result) if late else result

    def dense(
        self,
        value: str,
        weights: Array,
        bias: Array | None = None,
        activation: str = "identity",
        *,
        name: str = "",
    ) -> str:
        """x @ weights + bias; weights in the order in, out. One with a `name` may run in int8, by a runtime
        that rounds weights in its own way."""
        if name:
            into = f"{name}.in"
            self.watched[into] = value
            if into in self.ranges and not self.weight_bits:
                value = self._rounded_value(value, self.ranges[into])
        if bias is None:
            result = self.node("MatMul", value, self.constant(weights))
        else:
            result = self.node("Gemm", value, self.constant(weights), self.constant(bias))
        return self.activation(activation, result)

    def layer_norm(
        self,
        value: str,
        scale: Array,
        bias: Array,
        epsilon: float,
        *,
        centred: bool = True,
        spatial: bool = False,
    ) -> str:
        """Of planes, or of a vector: each point over its channels, or all points together (`spatial`). RMS
        norm when it is not `centred`."""
        inputs = value, self.constant(scale), self.constant(bias)
        return self.node("LayerNorm", *inputs, epsilon=epsilon, centred=centred, spatial=spatial)

    def attention(
        self,
        queries: str,
        keys: str,
        values: str,
        bias: str | None = None,
        *,
        heads: int,
        key_heads: int | None = None,
        scale: float,
        channels: tuple[int, int],
        board: tuple[int, int],
    ) -> str:
        """Attention between the points of planes, [n, channels, rows, columns] each: the channels of a head
        are side by side, `channels` those of the queries and of the result. `bias` [n, heads, points, points]
        is added to the scores."""
        inputs = (queries, keys, values) if bias is None else (queries, keys, values, bias)
        frame = {"heads": heads, "key_heads": key_heads or heads, "scale": scale}
        return self.node("Attention", *inputs, **frame, channels=list(channels), board=list(board))

    def point_products(self, left: str, right: str, channels: int, board: tuple[int, int]) -> str:
        """The product of what every point of one has with what every point of the other has, as a vector: all
        points of `right` for the first of `left`, and so on."""
        return self.node("PointProducts", left, right, channels=channels, board=list(board))

    def mean_and_max(self, value: str) -> tuple[str, str]:
        """Mean and maximum of each plane, as vectors."""
        return (
            self.flatten(self.node("GlobalAveragePool", value)),
            self.flatten(self.node("GlobalMaxPool", value)),
        )

    def as_planes(self, vector: str, channels: int) -> str:
        """A vector as planes of one point, to be added to planes of a whole board."""
        return self.reshape(vector, channels, 1, 1)

    # -- int8 ----------------------------------------------------------------------------------------------

    def _rounded_value(self, value: str, limits: Range) -> str:
        """The value rounded to 256 steps. Zero is one of them, for padding must stay exact."""
        if value in self._rounded:
            return self._rounded[value]
        low, high = min(limits[0], 0.0), max(limits[1], 0.0)
        step = np.float32((high - low) / 255 or 1.0)
        zero = np.uint8(np.clip(np.rint(-low / step), 0, 255))
        scale, offset = self.constant(step), self.constant(zero, np.uint8)
        rounded = self.node(
            "DequantizeLinear", self.node("QuantizeLinear", value, scale, offset), scale, offset
        )
        self._rounded[value] = self._rounded[rounded] = rounded
        return rounded

    def _rounded_weights(self, weights: Array) -> str:
        """Weights as int8 with a step for each output channel."""
        most = 2 ** (self.weight_bits - 1) - 1
        step = np.abs(weights).reshape(len(weights), -1).max(axis=1) / most
        step = np.where(step > 0, step, 1.0).astype(np.float32)
        small = np.clip(np.rint(weights / step[:, None, None, None]), -most, most).astype(np.int8)
        zeros = self.constant(np.zeros(len(weights), np.int8), np.int8)
        return self.node(
            "DequantizeLinear", self.constant(small, np.int8), self.constant(step), zeros, axis=0
        )
