"""A graph as a program of the core: convolutional networks run without another library.

Planes are kept as points by channels, vectors as they are. Steps that follow each other are made one where
that saves a way through memory: a convolution takes the residual and the ReLU after it, functions along
numbers become one chain, gathers of gathers become one.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz import _native
from kibitz.nets.files import BadNetwork
from kibitz.nets.graph import Graph, Node

__all__ = ["Lowered", "Unsupported", "lowered"]

Array = npt.NDArray[Any]
_Link = tuple[str, int, list[float], bool]

_BINARY = ("Add", "Sub", "Mul")
#: What gives numbers another name or shape, and reads nothing by itself.
_RENAMING = ("Reshape", "Flatten", "Identity", "QuantizeLinear", "DequantizeLinear")
_UNARY = ("Relu", "Mish", "Sigmoid", "Tanh", "Softplus", "Sqrt")


class Unsupported(BadNetwork):
    """The graph has something a program cannot do."""

    def __init__(self, what: str) -> None:
        super().__init__(f"the core cannot run the network itself: it has {what}")


@dataclass(frozen=True)
class _Value:
    """A value of the program and its shape a position. Planes (channels, rows, columns) lie in memory as
    points by channels, everything else as its shape says."""

    number: int
    shape: tuple[int, ...]
    planes: bool = False
    #: How int8 rounds it: the size of a step and the lowest of 256 steps.
    rounding: tuple[float, int] = (0.0, 0)

    @property
    def points(self) -> int:
        return self.shape[1] * self.shape[2] if self.planes else 1

    @property
    def channels(self) -> int:
        return self.shape[0] if self.planes else math.prod(self.shape)


@dataclass
class _Step:
    """A step that is written when all are known; some can still take in what follows them."""

    kind: str
    source: int
    write: Callable[[_native.NetworkProgram, _Step], None]
    target: int
    links: list[_Link] = field(default_factory=list)
    places: Array | None = None
    residual: int = -1
    relu: bool = False


@dataclass(frozen=True)
class Lowered:
    """A program and the names of what goes in and out, in its order."""

    program: _native.NetworkProgram
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


def lowered(graph: Graph) -> Lowered:
    """The program of a graph; `Unsupported` says what stands in the way."""
    return _Lowering(graph).done()


class _Lowering:
    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.program = _native.NetworkProgram()
        self.constants: Mapping[str, Array] = graph.constants
        self.values: dict[str, _Value] = {}
        #: Planes the caller brings, channel by channel: only the first convolution may read them.
        self.brought: set[str] = set()
        self.steps: list[_Step] = []
        self.makers: dict[int, _Step] = {}
        #: Names of the outputs, and the values that are outputs or inputs already.
        self.given = set(graph.outputs)
        self.taken: set[int] = set()
        #: Other names of the same numbers, and how often those are read under any of them.
        self.names: dict[str, str] = {}
        self.reads: Counter[str] = Counter()
        for node in graph.nodes:
            if node.op in _RENAMING:
                self.names[node.output] = self.names.get(node.inputs[0], node.inputs[0])
            else:
                self.reads.update(self.names.get(name, name) for name in node.inputs)
        for name in graph.outputs:
            self.reads[self.names.get(name, name)] += 1

    def done(self) -> Lowered:
        for name, shape in self.graph.inputs.items():
            number = self.program.input(math.prod(shape))
            self.taken.add(number)
            self.values[name] = _Value(number, shape, planes=len(shape) == 3)
            if len(shape) == 3:
                self.brought.add(name)
        for node in self.graph.nodes:
            self.node(node)
        for step in self.steps:
            step.write(self.program, step)
        for name in self.graph.outputs:
            self.program.output(self.values[name].number)
        self.program.finish()
        return Lowered(self.program, tuple(self.graph.inputs), tuple(self.graph.outputs))

    def node(self, node: Node) -> None:
        kind, attributes = node.op, node.attributes
        if kind in _UNARY:
            made = self.unary(node)
        elif kind in _BINARY:
            made = self.binary(node)
        else:
            method = _METHODS.get(kind)
            if method is None:
                raise Unsupported(f"the operation {kind}")
            made = method(self, node, attributes)
        self.values[node.output] = made

    # -- reading -------------------------------------------------------------------------------------------

    def value(self, name: str) -> _Value:
        if name in self.constants:
            raise Unsupported("an operation on constants alone")
        if name in self.brought:
            raise Unsupported("planes that something other than a convolution reads")
        return self.values[name]

    def constant(self, name: str) -> Array:
        if name not in self.constants:
            raise Unsupported("weights that are computed")
        return self.constants[name]

    def vector(self, name: str) -> _Value:
        """The value with its numbers in the order the graph means."""
        value = self.value(name)
        if not value.planes:
            return value
        channels, points = value.channels, value.points
        if channels == 1 or points == 1:
            return _Value(value.number, value.shape)
        places = np.arange(points * channels).reshape(points, channels).T
        return _Value(self.gather(value.number, places, self.alone(name)).number, value.shape)

    def alone(self, name: str) -> bool:
        """Whether the numbers of this name are read once."""
        return self.reads[self.names.get(name, name)] == 1

    def maker(self, name: str, *kinds: str) -> _Step | None:
        """The step that makes a value nobody else reads, so that it may take in what follows it."""
        if not self.alone(name) or name not in self.values:
            return None
        step = self.makers.get(self.values[name].number)
        return step if step is not None and step.kind in kinds else None

    def append(self, step: _Step) -> None:
        self.steps.append(step)
        self.makers[step.target] = step

    def drop(self, step: _Step) -> None:
        self.steps.remove(step)
        del self.makers[step.target]

    def new(self, shape: tuple[int, ...], planes: bool = False) -> _Value:
        return _Value(self.program.value(math.prod(shape)), shape, planes)

    # -- along numbers -------------------------------------------------------------------------------------

    def unary(self, node: Node) -> _Value:
        name, kind = node.inputs[0], node.op
        value = self.value(name)
        step = self.maker(name, "conv", "stem") if kind == "Relu" else None
        if step is not None and not step.relu:
            step.relu = True
            return value
        return self.chained(name, value, (kind, -1, [], False))

    def binary(self, node: Node) -> _Value:
        left, right = node.inputs
        kind = node.op
        if left in self.constants:
            left, right = right, left
            kind = "RSub" if kind == "Sub" else kind
        a = self.value(left)
        if right in self.constants:
            numbers = self.constants[right].astype(np.float32)
            return self.chained(left, a, (kind, -1, _channel_constants(a, numbers), False))
        b = self.value(right)
        if b.planes and not a.planes:
            if kind == "Sub":
                kind = "RSub"
            left, right, a, b = right, left, b, a
        if a.planes and b.planes and a.shape == b.shape:
            for conv, made, other in ((left, a, b), (right, b, a)):
                step = self.maker(conv, "conv") if kind == "Add" else None
                if step is not None and step.residual < 0 and not step.relu:
                    step.residual = other.number
                    # The other one may be made later than the convolution is.
                    self.drop(step)
                    self.append(step)
                    return made
            return self.chained(left, a, (kind, b.number, [], False))
        if a.planes and b.shape == (a.channels, 1, 1):
            return self.chained(left, a, (kind, b.number, [], True))
        if a.planes or b.planes:
            raise Unsupported(f"{node.op} of planes and something of another shape")
        shape = np.broadcast_shapes(a.shape, b.shape)
        a, b = self.spread(a, shape), self.spread(b, shape)
        return self.chained(left if a is self.values[left] else "", a, (kind, b.number, [], False))

    def spread(self, value: _Value, shape: tuple[int, ...]) -> _Value:
        if value.shape == shape:
            return value
        places = np.broadcast_to(np.arange(math.prod(value.shape)).reshape(value.shape), shape)
        return _Value(self.gather(value.number, places).number, shape)

    def chained(self, name: str, value: _Value, link: _Link) -> _Value:
        before = self.maker(name, "chain") if name else None
        if before is not None:
            self.drop(before)
        made = self.new(value.shape, value.planes)
        points, channels = value.points, value.channels

        def write(program: _native.NetworkProgram, step: _Step) -> None:
            program.elementwise(step.source, step.target, points, channels, step.links)

        links = [*before.links, link] if before else [link]
        source = before.source if before else value.number
        self.append(_Step("chain", source, write, made.number, links))
        return made

    # -- layers --------------------------------------------------------------------------------------------

    def conv(self, node: Node, attributes: Mapping[str, Any]) -> _Value:
        name = node.inputs[0]
        value = self.values[name]
        weights = np.ascontiguousarray(self.constant(node.inputs[1]), np.float32)
        outputs = len(weights)
        bias = self.bias(node, outputs)
        if not value.planes or weights.shape[1] != value.channels:
            raise Unsupported("a convolution of something other than planes")
        board = rows, columns = value.shape[1], value.shape[2]
        down, across = attributes.get("dilations", (1, 1))
        dilation = down, across
        made = self.new((outputs, rows, columns), planes=True)
        if name in self.brought:
            if dilation != (1, 1):
                raise Unsupported("a dilated first convolution")

            def write_stem(program: _native.NetworkProgram, step: _Step) -> None:
                program.stem(step.source, step.target, weights, bias, board, step.relu)

            self.append(_Step("stem", value.number, write_stem, made.number))
            return made
        width, low = value.rounding

        def write(program: _native.NetworkProgram, step: _Step) -> None:
            program.conv(
                step.source,
                step.target,
                weights,
                bias,
                board,
                dilation,
                width,
                low,
                step.residual,
                step.relu,
            )

        self.append(_Step("conv", value.number, write, made.number))
        return made

    def bias(self, node: Node, outputs: int) -> npt.NDArray[np.float32]:
        given = self.constant(node.inputs[2]) if len(node.inputs) > 2 else np.zeros(outputs)
        return np.ascontiguousarray(given, np.float32)

    def dense(self, node: Node, _: Mapping[str, Any]) -> _Value:
        value = self.vector(node.inputs[0])
        matrix = np.ascontiguousarray(self.constant(node.inputs[1]), np.float32)
        bias = self.bias(node, matrix.shape[1])
        if matrix.ndim != 2 or value.shape != matrix.shape[:1]:
            raise Unsupported("a matrix product along points")
        made = self.new(matrix.shape[1:])

        def write(program: _native.NetworkProgram, step: _Step) -> None:
            program.dense(step.source, step.target, matrix, bias)

        self.append(_Step("dense", value.number, write, made.number))
        return made

    def pool(self, node: Node, _: Mapping[str, Any]) -> _Value:
        value = self.value(node.inputs[0])
        if not value.planes:
            raise Unsupported("a pooling of something other than planes")
        made = self.new((value.channels, 1, 1))
        points, channels, most = value.points, value.channels, node.op == "GlobalMaxPool"

        def write(program: _native.NetworkProgram, step: _Step) -> None:
            program.pool(step.source, step.target, points, channels, most)

        self.append(_Step("pool", value.number, write, made.number))
        return made

    def softmax(self, node: Node, attributes: Mapping[str, Any]) -> _Value:
        value = self.vector(node.inputs[0])
        if len(value.shape) != 1 or attributes.get("axis", -1) not in (1, -1):
            raise Unsupported("a softmax of something other than a vector")
        made = self.new(value.shape)

        def write(program: _native.NetworkProgram, step: _Step) -> None:
            program.softmax(step.source, step.target)

        self.append(_Step("softmax", value.number, write, made.number))
        return made

    # -- shapes --------------------------------------------------------------------------------------------

    def gather(self, source: int, places: Array, alone: bool = False) -> _Value:
        """Numbers of a value picked by their places. `alone`: nobody else reads the value."""
        places = np.ascontiguousarray(places)
        before = self.makers.get(source)
        if before is not None and before.places is not None:
            places = before.places.reshape(-1)[places]
            source = before.source
            if alone:
                self.drop(before)
        made = self.new(places.shape)
        flat = [int(place) for place in places.reshape(-1)]

        def write(program: _native.NetworkProgram, step: _Step) -> None:
            program.gather(step.source, step.target, flat)

        self.append(_Step("gather", source, write, made.number, places=places))
        return made

    def picked(self, name: str, places: Array) -> _Value:
        vector = self.vector(name)
        return self.gather(vector.number, places, self.alone(name))

    def slice(self, node: Node, _: Mapping[str, Any]) -> _Value:
        value = self.value(node.inputs[0])
        index = [slice(None)] * len(value.shape)
        starts, stops, axes, strides = (self.constant(name).tolist() for name in node.inputs[1:5])
        for start, stop, axis, stride in zip(starts, stops, axes, strides, strict=True):
            if axis < 1:
                raise Unsupported("a slice of the batch")
            index[axis - 1] = slice(start, stop, stride)
        places = np.arange(math.prod(value.shape)).reshape(value.shape)[tuple(index)]
        return self.picked(node.inputs[0], places)

    def pick(self, node: Node, attributes: Mapping[str, Any]) -> _Value:
        value, indices = self.value(node.inputs[0]), self.constant(node.inputs[1])
        if len(value.shape) != 1 or attributes.get("axis") != 1:
            raise Unsupported("a gather of something other than a vector")
        return self.picked(node.inputs[0], indices)

    def join(self, node: Node, attributes: Mapping[str, Any]) -> _Value:
        parts = [self.vector(name) for name in node.inputs]
        numbers = [part.number for part in parts]
        axis = attributes["axis"] - 1
        starts = np.cumsum([0, *(math.prod(part.shape) for part in parts)])
        made = self.new((int(starts[-1]),))

        def write(program: _native.NetworkProgram, step: _Step) -> None:
            program.join(numbers, step.target)

        self.append(_Step("join", -1, write, made.number))
        places = [
            start + np.arange(math.prod(part.shape)).reshape(part.shape)
            for start, part in zip(starts[:-1], parts, strict=True)
        ]
        order = np.concatenate(places, axis=axis)
        if np.array_equal(order.reshape(-1), np.arange(order.size)):
            return _Value(made.number, order.shape)
        return self.gather(made.number, order)

    def reshape(self, node: Node, _: Mapping[str, Any]) -> _Value:
        vector = self.vector(node.inputs[0])
        if node.op == "Flatten":
            return _Value(vector.number, (math.prod(vector.shape),))
        shape = tuple(self.constant(node.inputs[1]).tolist())
        if shape[0] != -1 or math.prod(shape[1:]) != math.prod(vector.shape):
            raise Unsupported("a reshape across positions")
        return _Value(vector.number, shape[1:])

    def same(self, node: Node, _: Mapping[str, Any]) -> _Value:
        value = self.vector(node.inputs[0])
        if node.output not in self.given:
            return value
        # What the caller brings or takes away has a place of its own.
        if value.number in self.taken:
            value = self.gather(value.number, np.arange(math.prod(value.shape)).reshape(value.shape))
        self.taken.add(value.number)
        return value

    # -- int8 ----------------------------------------------------------------------------------------------

    def round(self, node: Node, _: Mapping[str, Any]) -> _Value:
        """The value as it was, with what a convolution needs to know to round it."""
        value = self.values[node.inputs[0]]
        step, zero = (self.constant(name).item() for name in node.inputs[1:3])
        if node.inputs[0] in self.brought:
            # Planes are exact in a float, and their convolution is done by the points that are set.
            self.brought.add(node.output)
            return value
        return _Value(value.number, value.shape, value.planes, (step, -int(zero)))

    def unround(self, node: Node, _: Mapping[str, Any]) -> _Value:
        name = node.inputs[0]
        if name in self.constants:
            raise Unsupported("rounded weights")
        if name in self.brought:
            self.brought.add(node.output)
        return self.values[name]


_METHODS: dict[str, Callable[[_Lowering, Node, Mapping[str, Any]], _Value]] = {
    "Conv": _Lowering.conv,
    "Gemm": _Lowering.dense,
    "MatMul": _Lowering.dense,
    "GlobalAveragePool": _Lowering.pool,
    "GlobalMaxPool": _Lowering.pool,
    "Softmax": _Lowering.softmax,
    "Slice": _Lowering.slice,
    "Gather": _Lowering.pick,
    "Concat": _Lowering.join,
    "Reshape": _Lowering.reshape,
    "Flatten": _Lowering.reshape,
    "Identity": _Lowering.same,
    "QuantizeLinear": _Lowering.round,
    "DequantizeLinear": _Lowering.unround,
}


def _channel_constants(value: _Value, numbers: Array) -> list[float]:
    """A constant as one number for each channel of the value."""
    shape: Sequence[int] = (value.channels, 1, 1) if value.planes else value.shape
    # The constant's first axis may be that of the positions.
    while numbers.ndim > len(shape) and numbers.shape[0] == 1:
        numbers = numbers[0]
    try:
        return [float(number) for number in np.broadcast_to(numbers, shape).reshape(-1)]
    except ValueError:
        raise Unsupported(f"a constant of the shape {numbers.shape}") from None
