"""A graph as a program of the core: convolutional networks run without another library.

Planes are kept as points by channels, vectors as they are. Steps that follow each other are made one where
that saves a way through memory: a convolution takes the residual and the ReLU after it, one of single points
every function along numbers; other such functions become one chain, gathers of gathers become one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz import _native
from kibitz.nets.graph import Graph, Node
from kibitz.nets.program_builder import ProgramBuilder, Step, Unsupported, Value

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Lowered:
    """A program and the names of what goes in and out, in its order."""

    program: _native.NetworkProgram
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


def lowered(graph: Graph) -> Lowered:
    """The program of a graph; `Unsupported` says what stands in the way."""
    builder = ProgramBuilder(graph)
    for node in graph.nodes:
        lower = _OPERATIONS.get(node.op)
        if lower is None:
            raise Unsupported(f"the operation {node.op}")
        builder.values[node.output] = lower(builder, node, node.attributes)
    return Lowered(builder.finish(), tuple(graph.inputs), tuple(graph.outputs))


# -- along numbers --------------------------------------------------------------------------------------


def _unary(builder: ProgramBuilder, node: Node, _: Mapping[str, Any]) -> Value:
    name, kind = node.inputs[0], node.op
    value = builder.value(name)
    step = builder.maker(name, "conv", "stem")
    if step is not None and kind == "Relu" and not step.relu and not step.functions:
        step.relu = True
        return value
    if step is not None and step.functions is not None:
        step.functions.append(kind)
        return value
    return builder.chained(name, value, (kind, -1, [], False))


def _binary(builder: ProgramBuilder, node: Node, _: Mapping[str, Any]) -> Value:
    left, right = node.inputs
    kind = node.op
    if left == right and kind == "Mul":
        value = builder.value(left)
        step = builder.maker(left, "conv", reads=2)
        if step is not None and step.functions is not None:
            step.functions.append("Square")
            return value
        return builder.chained(left, value, ("Square", -1, [], False))
    if left in builder.constants:
        left, right = right, left
        kind = "RSub" if kind == "Sub" else kind
    a = builder.value(left)
    if right in builder.constants:
        numbers = builder.constants[right].astype(np.float32)
        if a.planes and numbers.shape[-3:] == a.shape:
            return builder.chained_points(left, a, (kind, -1, _point_constants(a, numbers), False))
        return builder.chained(left, a, (kind, -1, _channel_constants(a, numbers), False))
    b = builder.value(right)
    if b.planes and not a.planes:
        if kind == "Sub":
            kind = "RSub"
        left, right, a, b = right, left, b, a
    if a.planes and b.planes and a.shape == b.shape:
        for conv, made, other in ((left, a, b), (right, b, a)):
            step = builder.maker(conv, "conv") if kind == "Add" else None
            if step is not None and step.residual < 0 and not step.relu and not step.functions:
                step.residual = other.number
                # The other one may be made later than the convolution is.
                builder.drop(step)
                builder.append(step)
                return made
        return builder.chained(left, a, (kind, b.number, [], False))
    if a.planes and b.shape == (a.channels, 1, 1):
        return builder.chained(left, a, (kind, b.number, [], True))
    if a.planes or b.planes:
        raise Unsupported(f"{node.op} of planes and something of another shape")
    shape = np.broadcast_shapes(a.shape, b.shape)
    a, b = builder.spread(a, shape), builder.spread(b, shape)
    return builder.chained(left if a is builder.values[left] else "", a, (kind, b.number, [], False))


# -- layers ---------------------------------------------------------------------------------------------


def _conv(builder: ProgramBuilder, node: Node, attributes: Mapping[str, Any]) -> Value:
    name = node.inputs[0]
    value = builder.values[name]
    weights = np.ascontiguousarray(builder.constant(node.inputs[1]), np.float32)
    outputs = len(weights)
    bias = _bias(builder, node, outputs)
    if not value.planes or weights.shape[1] != value.channels:
        raise Unsupported("a convolution of something other than planes")
    board = rows, columns = value.shape[1], value.shape[2]
    down, across = attributes.get("dilations", (1, 1))
    dilation = down, across
    made = builder.new((outputs, rows, columns), planes=True)
    if name in builder.brought:
        if dilation != (1, 1):
            raise Unsupported("a dilated first convolution")

        def write_stem(program: _native.NetworkProgram, step: Step) -> None:
            program.stem(step.source, step.target, weights, bias, board, step.relu)

        builder.append(Step("stem", value.number, write_stem, made.number))
        return made
    width, low = value.rounding

    def write(program: _native.NetworkProgram, step: Step) -> None:
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
            step.functions or [],
        )

    functions: list[str] | None = [] if weights.shape[2:] == (1, 1) else None
    builder.append(Step("conv", value.number, write, made.number, functions=functions))
    return made


def _bias(builder: ProgramBuilder, node: Node, outputs: int) -> npt.NDArray[np.float32]:
    given = builder.constant(node.inputs[2]) if len(node.inputs) > 2 else np.zeros(outputs)
    return np.ascontiguousarray(given, np.float32)


def _dense(builder: ProgramBuilder, node: Node, _: Mapping[str, Any]) -> Value:
    value = builder.vector(node.inputs[0])
    matrix = np.ascontiguousarray(builder.constant(node.inputs[1]), np.float32)
    bias = _bias(builder, node, matrix.shape[1])
    if matrix.ndim != 2 or value.shape[-1:] != matrix.shape[:1]:
        raise Unsupported("a matrix product of another shape")
    rows = math.prod(value.shape[:-1])
    made = builder.new((*value.shape[:-1], matrix.shape[1]))

    width, low = value.rounding

    def write(program: _native.NetworkProgram, step: Step) -> None:
        if width:
            # A convolution of one point, of a board that is a column of rows.
            weights = np.ascontiguousarray(matrix.T[:, :, None, None])
            program.conv(step.source, step.target, weights, bias, (rows, 1), (1, 1), width, low, -1, False)
        else:
            program.dense(step.source, step.target, rows, matrix, bias)

    builder.append(Step("dense", value.number, write, made.number))
    return made


def _board_dense(builder: ProgramBuilder, node: Node, attributes: Mapping[str, Any]) -> Value:
    name = node.inputs[0]
    if name not in builder.brought:
        raise Unsupported("a matrix of a whole board that is not the first layer")
    value = builder.values[name]
    matrix, bias = (np.ascontiguousarray(builder.constant(part), np.float32) for part in node.inputs[1:])
    rows, columns = attributes["board"]
    made = builder.new((matrix.shape[1] // (rows * columns), rows, columns), planes=True)

    def write(program: _native.NetworkProgram, step: Step) -> None:
        program.sparse_dense(step.source, step.target, matrix, bias)

    builder.append(Step("dense", value.number, write, made.number))
    return made


def _norm(builder: ProgramBuilder, node: Node, attributes: Mapping[str, Any]) -> Value:
    value = builder.value(node.inputs[0])
    scale, bias = (np.ascontiguousarray(builder.constant(name), np.float32) for name in node.inputs[1:])
    if value.channels != len(scale):
        raise Unsupported("a norm over something other than channels")
    made = builder.new(value.shape, value.planes)
    points, epsilon, centred = value.points, attributes["epsilon"], attributes["centred"]
    if attributes["spatial"]:
        scale, bias, points = np.tile(scale, points), np.tile(bias, points), 1

    def write(program: _native.NetworkProgram, step: Step) -> None:
        program.norm(step.source, step.target, points, scale, bias, epsilon, centred)

    builder.append(Step("norm", value.number, write, made.number))
    return made


def _attention(builder: ProgramBuilder, node: Node, attributes: Mapping[str, Any]) -> Value:
    parts = [builder.value(name) for name in node.inputs[:3]]
    if not all(part.planes for part in parts):
        raise Unsupported("attention of something other than planes")
    bias = builder.vector(node.inputs[3]).number if len(node.inputs) > 3 else -1
    heads, scale = (attributes["heads"], attributes["key_heads"]), attributes["scale"]
    sizes = (attributes["channels"][0] // heads[0], attributes["channels"][1] // heads[0])
    rows, columns = attributes["board"]
    made = builder.new((attributes["channels"][1], rows, columns), planes=True)
    numbers = [part.number for part in parts]

    def write(program: _native.NetworkProgram, step: Step) -> None:
        program.attention(numbers, bias, step.target, rows * columns, heads, sizes, scale)

    builder.append(Step("attention", -1, write, made.number))
    return made


def _pool(builder: ProgramBuilder, node: Node, _: Mapping[str, Any]) -> Value:
    value = builder.value(node.inputs[0])
    if not value.planes:
        raise Unsupported("a pooling of something other than planes")
    made = builder.new((value.channels, 1, 1))
    points, channels, most = value.points, value.channels, node.op == "GlobalMaxPool"

    def write(program: _native.NetworkProgram, step: Step) -> None:
        program.pool(step.source, step.target, points, channels, most)

    builder.append(Step("pool", value.number, write, made.number))
    return made


def _softmax(builder: ProgramBuilder, node: Node, attributes: Mapping[str, Any]) -> Value:
    value = builder.vector(node.inputs[0])
    if len(value.shape) != 1 or attributes.get("axis", -1) not in (1, -1):
        raise Unsupported("a softmax of something other than a vector")
    made = builder.new(value.shape)

    def write(program: _native.NetworkProgram, step: Step) -> None:
        program.softmax(step.source, step.target)

    builder.append(Step("softmax", value.number, write, made.number))
    return made


def _point_products(builder: ProgramBuilder, node: Node, attributes: Mapping[str, Any]) -> Value:
    left, right = (builder.value(name) for name in node.inputs)
    if not (left.planes and right.planes and left.shape == right.shape):
        raise Unsupported("products of the points of something other than planes")
    points, channels = left.points, left.channels
    made = builder.new((points * points,))

    def write(program: _native.NetworkProgram, step: Step) -> None:
        program.point_products(step.source, right.number, step.target, points, channels)

    builder.append(Step("products", left.number, write, made.number))
    return made


# -- shapes ---------------------------------------------------------------------------------------------


def _slice(builder: ProgramBuilder, node: Node, _: Mapping[str, Any]) -> Value:
    value = builder.value(node.inputs[0])
    index = [slice(None)] * len(value.shape)
    starts, stops, axes, strides = (builder.constant(name).tolist() for name in node.inputs[1:5])
    for start, stop, axis, stride in zip(starts, stops, axes, strides, strict=True):
        if axis < 1:
            raise Unsupported("a slice of the batch")
        index[axis - 1] = slice(start, stop, stride)
    places = np.arange(math.prod(value.shape)).reshape(value.shape)[tuple(index)]
    return builder.picked(node.inputs[0], places)


def _pick(builder: ProgramBuilder, node: Node, attributes: Mapping[str, Any]) -> Value:
    value, indices = builder.value(node.inputs[0]), builder.constant(node.inputs[1])
    if value.planes and attributes.get("axis") == 1:
        places = value.channels * np.arange(value.points)[:, None] + indices
        made = builder.gather(value.number, places, builder.alone(node.inputs[0]))
        return Value(made.number, (len(indices), *value.shape[1:]), planes=True)
    if len(value.shape) != 1 or attributes.get("axis") != 1:
        raise Unsupported("a gather of something other than a vector")
    return builder.picked(node.inputs[0], indices)


def _join(builder: ProgramBuilder, node: Node, attributes: Mapping[str, Any]) -> Value:
    parts = [builder.vector(name) for name in node.inputs]
    numbers = [part.number for part in parts]
    axis = attributes["axis"] - 1
    starts = np.cumsum([0, *(math.prod(part.shape) for part in parts)])
    made = builder.new((int(starts[-1]),))

    def write(program: _native.NetworkProgram, step: Step) -> None:
        program.join(numbers, step.target)

    builder.append(Step("join", -1, write, made.number))
    places = [
        start + np.arange(math.prod(part.shape)).reshape(part.shape)
        for start, part in zip(starts[:-1], parts, strict=True)
    ]
    order = np.concatenate(places, axis=axis)
    if np.array_equal(order.reshape(-1), np.arange(order.size)):
        return Value(made.number, order.shape)
    return builder.gather(made.number, order)


def _reshape(builder: ProgramBuilder, node: Node, _: Mapping[str, Any]) -> Value:
    vector = builder.vector(node.inputs[0])
    if node.op == "Flatten":
        return Value(vector.number, (math.prod(vector.shape),))
    shape = tuple(builder.constant(node.inputs[1]).tolist())
    if shape[0] != -1 or math.prod(shape[1:]) != math.prod(vector.shape):
        raise Unsupported("a reshape across positions")
    return Value(vector.number, shape[1:])


def _same(builder: ProgramBuilder, node: Node, _: Mapping[str, Any]) -> Value:
    # A watched value may be in any order: putting hundreds of them in order would take more memory than
    # the network.
    watched = builder.graph.outputs.get(node.output, ()) is None
    value = builder.value(node.inputs[0]) if watched else builder.vector(node.inputs[0])
    if node.output not in builder.given:
        return value
    # What the caller brings or takes away has a place of its own.
    if value.number in builder.taken:
        value = builder.gather(value.number, np.arange(math.prod(value.shape)).reshape(value.shape))
    builder.taken.add(value.number)
    return value


# -- int8 -----------------------------------------------------------------------------------------------


def _round(builder: ProgramBuilder, node: Node, _: Mapping[str, Any]) -> Value:
    """The value as it was, with what a convolution needs to know to round it."""
    value = builder.values[node.inputs[0]]
    step, zero = (builder.constant(name).item() for name in node.inputs[1:3])
    if node.inputs[0] in builder.brought:
        # Planes are exact in a float, and their convolution is done by the points that are set.
        builder.brought.add(node.output)
        return value
    return Value(value.number, value.shape, value.planes, (step, -int(zero)))


def _unround(builder: ProgramBuilder, node: Node, _: Mapping[str, Any]) -> Value:
    name = node.inputs[0]
    if name in builder.constants:
        raise Unsupported("rounded weights")
    if name in builder.brought:
        builder.brought.add(node.output)
    return builder.values[name]


def _channel_constants(value: Value, numbers: Array) -> list[float]:
    """A constant as one number for each channel of the value."""
    shape: Sequence[int] = (value.channels, 1, 1) if value.planes else value.shape
    # The constant's first axis may be that of the positions.
    while numbers.ndim > len(shape) and numbers.shape[0] == 1:
        numbers = numbers[0]
    try:
        return [float(number) for number in np.broadcast_to(numbers, shape).reshape(-1)]
    except ValueError:
        raise Unsupported(f"a constant of the shape {numbers.shape}") from None


def _point_constants(value: Value, numbers: Array) -> list[float]:
    """A constant of the shape of planes, in the order these are kept in."""
    turned = numbers.reshape(value.channels, value.points).T
    return [float(number) for number in turned.reshape(-1)]


_OPERATIONS: dict[str, Callable[[ProgramBuilder, Node, Mapping[str, Any]], Value]] = {
    **dict.fromkeys(("Relu", "Mish", "Silu", "Selu", "Sigmoid", "Tanh", "Softplus", "Sqrt"), _unary),
    **dict.fromkeys(("Add", "Sub", "Mul"), _binary),
    "Conv": _conv,
    "Gemm": _dense,
    "MatMul": _dense,
    "BoardDense": _board_dense,
    "LayerNorm": _norm,
    "Attention": _attention,
    "PointProducts": _point_products,
    "GlobalAveragePool": _pool,
    "GlobalMaxPool": _pool,
    "Softmax": _softmax,
    "Slice": _slice,
    "Gather": _pick,
    "Concat": _join,
    "Reshape": _reshape,
    "Flatten": _reshape,
    "Identity": _same,
    "QuantizeLinear": _round,
    "DequantizeLinear": _unround,
}
