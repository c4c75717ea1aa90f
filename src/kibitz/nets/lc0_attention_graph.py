"""Encoder layers and the attention policy of Lc0's networks as parts of a graph.

Squares stay planes [n, channels, 8, 8] from the first layer to the last, so a matrix that is applied to every
square is a convolution of 1x1: that is what runs in int8.
"""

from __future__ import annotations

import math

import numpy as np

from kibitz.nets.graph import Graph
from kibitz.nets.lc0_attention import (
    AttentionBody,
    AttentionPolicy,
    BoardEmbedding,
    Encoder,
    FeedForward,
    Smolgen,
)
from kibitz.nets.lc0_layers import FoldedConv, LayerNorm
from kibitz.nets.lc0_moves import attention_policy_places

_BOARD = (8, 8)


def attention_body(graph: Graph, body: AttentionBody, value: str, planes: str | None, activation: str) -> str:
    """`value` is what the residual tower gives, or the first convolution before its activation; `planes` is
    what went into the network."""
    if body.embedding is not None:
        value = _squares(graph, value, body.embedding, "embedding")
    if body.positions is not None:
        value = graph.add(value, graph.constant(body.positions[None]))
    if body.board is not None:
        assert planes is not None
        layer = body.board.board
        # A matrix from the first planes that go in, plane by plane, to planes, which it gives point by point.
        board = graph.node(
            "BoardDense",
            planes,
            graph.constant(layer.weights),
            graph.constant(layer.bias),
            board=list(_BOARD),
        )
        value = graph.add(graph.conv(board, body.board.squares, name="embedding.board", place="edge"), value)
    value = graph.activation(activation, value)
    if body.board is not None:
        value = _norm(graph, value, body.board.norm)
    if body.gate is not None:
        value = graph.multiply(value, graph.constant(body.gate[0][None]))
        value = graph.add(value, graph.constant(body.gate[1][None]))
    if body.board is not None:
        value = _embedding_ffn(graph, value, body.board)
    for number, encoder in enumerate(body.encoders):
        value = _encoder(graph, value, encoder, f"encoder.{number}")
    return value


def _squares(graph: Graph, value: str, conv: FoldedConv, name: str, activation: str = "identity") -> str:
    return graph.conv(value, conv.weights, conv.bias, name=name, activation=activation)


def _norm(graph: Graph, value: str, norm: LayerNorm) -> str:
    return graph.layer_norm(value, norm.scale, norm.bias, norm.epsilon)


def _embedding_ffn(graph: Graph, value: str, board: BoardEmbedding) -> str:
    inner = _feed_forward(graph, value, board.ffn, board.alpha, "embedding.ffn")
    return _norm(graph, graph.add(inner, value), board.ffn_norm)


def _feed_forward(graph: Graph, value: str, ffn: FeedForward, alpha: float, name: str) -> str:
    hidden = _squares(graph, value, ffn.first, f"{name}.first", ffn.activation)
    return _squares(graph, hidden, ffn.second.scaled(alpha), f"{name}.second")


def _encoder(graph: Graph, value: str, encoder: Encoder, name: str) -> str:
    width = encoder.queries.outputs
    mixed = graph.attention(
        _squares(graph, value, encoder.queries, f"{name}.queries"),
        _squares(graph, value, encoder.keys, f"{name}.keys"),
        _squares(graph, value, encoder.values, f"{name}.values"),
        None if encoder.smolgen is None else _smolgen(graph, value, encoder.smolgen, encoder.heads, name),
        heads=encoder.heads,
        scale=1 / math.sqrt(width // encoder.heads),
        channels=(width, width),
        board=_BOARD,
    )
    inner = _squares(graph, mixed, encoder.out.scaled(encoder.alpha), f"{name}.out")
    value = _norm(graph, graph.add(inner, value), encoder.attention_norm)
    inner = _feed_forward(graph, value, encoder.ffn, encoder.alpha, f"{name}.ffn")
    return _norm(graph, graph.add(inner, value), encoder.ffn_norm)


def _smolgen(graph: Graph, value: str, smolgen: Smolgen, heads: int, name: str) -> str:
    squares = graph.flatten(graph.conv(value, smolgen.compress, name=f"{name}.smolgen"))
    first, second = smolgen.first, smolgen.second
    hidden = graph.dense(squares, first.weights, first.bias, smolgen.activation, name=f"{name}.smolgen.first")
    hidden = _norm(graph, hidden, smolgen.first_norm)
    made = graph.dense(hidden, second.weights, second.bias, smolgen.activation, name=f"{name}.smolgen.second")
    # [n, heads, in] times a matrix that all layers share.
    rows = graph.reshape(_norm(graph, made, smolgen.second_norm), heads, smolgen.shared.shape[0])
    return graph.dense(rows, smolgen.shared, name=f"{name}.smolgen.shared")


def attention_policy(graph: Graph, head: AttentionPolicy, value: str) -> str:
    """Logits in the order of `lc0_moves.moves()`."""
    value = graph.conv(
        value,
        head.embedding.weights,
        head.embedding.bias,
        name="policy.embedding",
        place="edge",
        activation=head.activation,
    )
    for number, encoder in enumerate(head.encoders):
        value = _encoder(graph, value, encoder, f"policy.encoder.{number}")
    width = head.queries.outputs
    queries = graph.conv(value, head.queries.weights, head.queries.bias)
    keys = graph.conv(value, head.keys.weights, head.keys.bias)
    promotions = graph.flatten(graph.conv(keys, head.promotions))
    scores = graph.point_products(queries, keys, width, _BOARD)
    plain, promoted, offsets = attention_policy_places()

    def picked(source: str, places: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> str:
        return graph.node("Gather", source, graph.constant(places, np.int64), axis=1)

    last = graph.add(picked(scores, promoted), picked(promotions, offsets))
    return graph.concat(picked(scores, plain), last)
