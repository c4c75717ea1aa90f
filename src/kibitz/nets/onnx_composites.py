"""Operations that stand for several of ONNX's, which the core does in one: written out for other runtimes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.nets.graph import Graph, Node


class _Writer:
    """Nodes and constants of a graph, with names that it does not have."""

    def __init__(self, graph: Graph) -> None:
        self.constants: dict[str, npt.NDArray[Any]] = dict(graph.constants)
        self.nodes: list[Node] = []

    def constant(self, values: npt.ArrayLike, dtype: npt.DTypeLike = np.float32) -> str:
        name = f"w{len(self.constants)}"
        self.constants[name] = np.ascontiguousarray(np.asarray(values, dtype))
        return name

    def node(self, op: str, *inputs: str, output: str | None = None, **attributes: Any) -> str:
        name = output or f"x{len(self.nodes)}"
        self.nodes.append(Node(op, inputs, name, attributes))
        return name

    def reshape(self, value: str, *shape: int, output: str | None = None) -> str:
        return self.node("Reshape", value, self.constant([-1, *shape], np.int64), output=output)


def written_out(graph: Graph) -> tuple[list[Node], dict[str, npt.NDArray[Any]]]:
    """The nodes and constants of a graph in ONNX's own operations."""
    writer = _Writer(graph)
    ranks = {name: 1 + len(shape) for name, shape in graph.inputs.items()}
    for node in graph.nodes:
        write = _COMPOSITES.get(node.op)
        if write is None:
            writer.nodes.append(node)
        else:
            write(writer, node, ranks.get(node.inputs[0], 0))
        _note_rank(node, graph, ranks)
    return writer.nodes, writer.constants


def _note_rank(node: Node, graph: Graph, ranks: dict[str, int]) -> None:
    """Whether what a node gives are planes or a vector; layer norms need to know."""
    if node.op in ("Attention", "BoardDense", "Conv"):
        ranks[node.output] = 4
    elif node.op == "Reshape":
        ranks[node.output] = len(graph.constants[node.inputs[1]])
    elif node.op in ("Flatten", "Gemm", "PointProducts"):
        ranks[node.output] = 2
    else:
        ranks[node.output] = max(ranks.get(name, 0) for name in node.inputs)


def _silu(writer: _Writer, node: Node, _: int) -> None:
    value = node.inputs[0]
    writer.node("Mul", value, writer.node("Sigmoid", value), output=node.output)


def _layer_norm(writer: _Writer, node: Node, rank: int) -> None:
    value, scale, bias = node.inputs
    axes = writer.constant([1, 2, 3] if node.attributes["spatial"] else [1], np.int64)
    if node.attributes["centred"]:
        value = writer.node("Sub", value, writer.node("ReduceMean", value, axes, keepdims=1))
    square = writer.node("ReduceMean", writer.node("Mul", value, value), axes, keepdims=1)
    root = writer.node("Sqrt", writer.node("Add", square, writer.constant([node.attributes["epsilon"]])))
    shape = [1, -1, *[1] * (rank - 2)]
    scale, bias = (writer.constant(writer.constants[name].reshape(shape)) for name in (scale, bias))
    value = writer.node("Mul", writer.node("Div", value, root), scale)
    writer.node("Add", value, bias, output=node.output)


def _attention(writer: _Writer, node: Node, _: int) -> None:
    frame = node.attributes
    heads, key_heads, board = frame["heads"], frame["key_heads"], frame["board"]
    size, value_size = (channels // heads for channels in frame["channels"])
    points = board[0] * board[1]
    queries = writer.reshape(node.inputs[0], heads, size, points)
    keys = writer.reshape(node.inputs[1], key_heads, size, points)
    values = writer.reshape(node.inputs[2], key_heads, value_size, points)
    if key_heads < heads:
        places = writer.constant(np.repeat(np.arange(key_heads), heads // key_heads), np.int64)
        keys, values = (writer.node("Gather", part, places, axis=1) for part in (keys, values))
    turned = writer.node("Transpose", queries, perm=[0, 1, 3, 2])
    scores = writer.node("Mul", writer.node("MatMul", turned, keys), writer.constant([frame["scale"]]))
    if len(node.inputs) > 3:
        scores = writer.node("Add", scores, writer.reshape(node.inputs[3], heads, points, points))
    weights = writer.node("Transpose", writer.node("Softmax", scores, axis=-1), perm=[0, 1, 3, 2])
    mixed = writer.node("MatMul", values, weights)
    writer.reshape(mixed, heads * value_size, *board, output=node.output)


def _point_products(writer: _Writer, node: Node, _: int) -> None:
    rows, columns = node.attributes["board"]
    left, right = (writer.reshape(name, node.attributes["channels"], rows * columns) for name in node.inputs)
    products = writer.node("MatMul", writer.node("Transpose", left, perm=[0, 2, 1]), right)
    writer.node("Flatten", products, axis=1, output=node.output)


def _board_dense(writer: _Writer, node: Node, _: int) -> None:
    planes, matrix, bias = node.inputs
    rows, columns = node.attributes["board"]
    points = rows * columns
    inputs, outputs = writer.constants[matrix].shape
    places = (writer.constant([place], np.int64) for place in (0, inputs // points, 1, 1))
    flat = writer.node("Flatten", writer.node("Slice", planes, *places), axis=1)
    made = writer.reshape(writer.node("Gemm", flat, matrix, bias), points, outputs // points)
    turned = writer.node("Transpose", made, perm=[0, 2, 1])
    writer.reshape(turned, outputs // points, rows, columns, output=node.output)


_COMPOSITES: dict[str, Callable[[_Writer, Node, int], None]] = {
    "Silu": _silu,
    "LayerNorm": _layer_norm,
    "Attention": _attention,
    "PointProducts": _point_products,
    "BoardDense": _board_dense,
}
