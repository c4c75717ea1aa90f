"""Encoder layers of Lc0's networks (t1, t3, BT2 to BT4) and the attention policy.

An encoder is attention and a feed-forward block, each followed by a layer norm (DeepNorm: what a block gives
is scaled by `alpha` before it is added). Smolgen makes from the whole board what is added to the scores of
attention. The facts are those of Lc0's `src/neural/backends/blas/network_blas.cc`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from kibitz.nets.lc0_format import Lc0Format, Unsupported
from kibitz.nets.lc0_heads import PolicyFields
from kibitz.nets.lc0_layers import (
    SQUARES,
    Array,
    Dense,
    FoldedConv,
    LayerNorm,
    read_dense,
    read_layer,
    read_norm,
    read_squares,
    read_squares_dense,
)
from kibitz.nets.lc0_moves import moves
from kibitz.nets.protobuf import Message, WireError

_PLANES = 112
_BOARD_PLANES = 12
_MAX_LAYERS = 1000
_SMOLGEN_EPSILON = 1e-3


@dataclass(frozen=True)
class FeedForward:
    first: FoldedConv
    second: FoldedConv
    activation: str


@dataclass(frozen=True)
class Smolgen:
    """`shared` is one matrix for all layers: from what is generated for a head to its 64x64 scores."""

    compress: Array
    first: Dense
    first_norm: LayerNorm
    second: Dense
    second_norm: LayerNorm
    shared: Array
    activation: str


@dataclass(frozen=True)
class Encoder:
    heads: int
    alpha: float
    queries: FoldedConv
    keys: FoldedConv
    values: FoldedConv
    out: FoldedConv
    smolgen: Smolgen | None
    attention_norm: LayerNorm
    ffn: FeedForward
    ffn_norm: LayerNorm


@dataclass(frozen=True)
class BoardEmbedding:
    """Positional encoding of BT3 and BT4: `board` turns the pieces of the newest board (12 planes, plane by
    plane) into channels of every square (square by square), `squares` takes these to the network's width."""

    board: Dense
    squares: Array
    norm: LayerNorm
    ffn: FeedForward
    ffn_norm: LayerNorm
    alpha: float


@dataclass(frozen=True)
class AttentionBody:
    """`embedding` follows a residual tower; without one the network's first convolution is the embedding, to
    which `positions` [channels, 8, 8] or `board` is added. `gate` multiplies and adds, [channels, 8, 8]
    each."""

    embedding: FoldedConv | None
    positions: Array | None
    board: BoardEmbedding | None
    gate: tuple[Array, Array] | None
    encoders: tuple[Encoder, ...]
    channels: int


@dataclass(frozen=True)
class AttentionPolicy:
    """A move's logit is a product of what its two squares say; promotions (queen, rook, bishop) add what
    `promotions` [3, channels, 1, 1] makes of the last rank's keys."""

    embedding: FoldedConv
    activation: str
    encoders: tuple[Encoder, ...]
    queries: FoldedConv
    keys: FoldedConv
    promotions: Array


def read_embedding(weights: Message) -> FoldedConv:
    """The embedding of a network without a residual tower, as far as it sees the 112 planes."""
    values, bias = _embedding(weights)
    return FoldedConv(np.ascontiguousarray(values[:, :_PLANES])[:, :, None, None], bias)


def _embedding(weights: Message) -> tuple[Array, Array]:
    what = "the embedding"
    values, bias = read_layer(weights, 25, what), read_layer(weights, 26, what)
    inputs, odd = divmod(len(values), len(bias) or 1)
    if odd or not len(bias) or inputs <= _PLANES:
        raise WireError(f"{what} has {len(values)} weights for {len(bias)} channels")
    return values.reshape(len(bias), inputs), bias


def read_attention_body(weights: Message, form: Lc0Format, tower: int | None) -> AttentionBody:
    """`tower` is the width of the residual tower before the encoders, None without one."""
    layers = weights.messages(27, "an encoder")
    if not 1 <= len(layers) <= _MAX_LAYERS:
        raise WireError(f"{len(layers)} encoders; expected 1 to {_MAX_LAYERS}")
    alpha = float(2.0 * len(layers)) ** -0.25
    embedding = positions = board = gate = None
    if tower is not None:
        embedding = read_squares(weights, 25, 26, "the embedding", tower)
        channels = embedding.outputs
    else:
        values, bias = _embedding(weights)
        channels = len(bias)
        extra = values[:, _PLANES:]
        if form.dense_embedding:
            board = _board_embedding(weights, extra, form, alpha)
        elif extra.shape[1] != SQUARES:
            raise WireError(f"the embedding has {extra.shape[1]} positional inputs; expected {SQUARES}")
        else:
            positions = (_position_map() @ extra.T).T.reshape(channels, 8, 8)
    gates = [read_layer(weights, number, "the input gate") for number in (33, 34)]
    if all(len(values) for values in gates):
        if any(len(values) != channels * SQUARES for values in gates):
            raise WireError(f"the input gate has {len(gates[0])} weights; expected {channels} x {SQUARES}")
        gate = gates[0].reshape(channels, 8, 8), gates[1].reshape(channels, 8, 8)
    epsilon = 1e-3 if form.dense_embedding else 1e-6
    shared = read_layer(weights, 35, "smolgen")
    encoders = tuple(
        _read_encoder(
            layer,
            f"encoder {number}",
            channels,
            weights.integer(28),
            alpha,
            epsilon,
            shared,
            (form.smolgen_activation, form.ffn_activation),
        )
        for number, layer in enumerate(layers)
    )
    return AttentionBody(embedding, positions, board, gate, encoders, channels)


def _position_map() -> Array:
    """What a square knows of the others: -1 itself, 1 where a queen or a knight goes from it, else 0."""
    table = -np.eye(SQUARES, dtype=np.float32)
    for move in moves():
        start, end = ("abcdefgh".index(move[i]) + 8 * (int(move[i + 1]) - 1) for i in (0, 2))
        table[start, end] = 1
    return table


def _board_embedding(weights: Message, extra: Array, form: Lc0Format, alpha: float) -> BoardEmbedding:
    what = "the board's embedding"
    channels, size = extra.shape
    made = read_squares_dense(weights, 37, 38, what, _BOARD_PLANES, SQUARES * size)
    return BoardEmbedding(
        made,
        np.ascontiguousarray(extra)[:, :, None, None],
        read_norm(weights, 39, 40, what, channels, 1e-3),
        _read_ffn(weights.message(41, what), what, channels, form.ffn_activation),
        read_norm(weights, 42, 43, what, channels, 1e-3),
        alpha,
    )


def _read_ffn(message: Message, what: str, channels: int, activation: str) -> FeedForward:
    first = read_squares(message, 1, 2, what, channels)
    return FeedForward(first, read_squares(message, 3, 4, what, first.outputs, channels), activation)


def _read_encoder(
    layer: Message,
    what: str,
    channels: int,
    heads: int,
    alpha: float,
    epsilon: float,
    shared: Array,
    activations: tuple[str, str],
) -> Encoder:
    attention = layer.message(1, what)
    if any(attention.has(number) for number in (10, 11, 12)):
        # Lc0 refuses them too.
        raise Unsupported("Lc0 networks with relative positional encoding are not supported")
    queries = read_squares(attention, 1, 2, what, channels)
    width = queries.outputs
    if not 1 <= heads <= width or width % heads:
        raise WireError(f"{what} has {heads} heads for {width} channels")
    smolgen = None
    if attention.has(9):
        smolgen = _read_smolgen(attention.message(9, what), what, channels, heads, shared, activations[0])
    return Encoder(
        heads,
        alpha,
        queries,
        read_squares(attention, 3, 4, what, channels, width),
        read_squares(attention, 5, 6, what, channels, width),
        read_squares(attention, 7, 8, what, width, channels),
        smolgen,
        read_norm(layer, 2, 3, what, channels, epsilon),
        _read_ffn(layer.message(4, what), what, channels, activations[1]),
        read_norm(layer, 5, 6, what, channels, epsilon),
    )


def _read_smolgen(
    message: Message, what: str, channels: int, heads: int, shared: Array, activation: str
) -> Smolgen:
    compress = read_layer(message, 1, what)
    hidden, odd = divmod(len(compress), channels)
    if odd or not hidden:
        raise WireError(f"{what} has {len(compress)} smolgen weights for {channels} channels")
    first = read_squares_dense(message, 2, 3, what, hidden)
    second = read_dense(message, 6, 7, what, len(first.bias))
    size, odd = divmod(len(second.bias), heads)
    if odd or len(shared) != size * SQUARES * SQUARES:
        raise WireError(f"{what} has {len(second.bias)} smolgen outputs for {heads} heads")
    return Smolgen(
        compress.reshape(hidden, channels, 1, 1),
        first,
        read_norm(message, 4, 5, what, len(first.bias), _SMOLGEN_EPSILON),
        second,
        read_norm(message, 8, 9, what, len(second.bias), _SMOLGEN_EPSILON),
        np.ascontiguousarray(shared.reshape(SQUARES * SQUARES, size).T),
        activation,
    )


def read_attention_policy(
    weights: Message, head: PolicyFields, form: Lc0Format, channels: int
) -> AttentionPolicy:
    what = "the policy head"
    # Before there were attention bodies the policy's activations were fixed.
    activation = form.activation if form.attention else "selu"
    activations = (form.smolgen_activation, form.ffn_activation) if form.attention else ("identity", "selu")
    smolgen = read_layer(weights, 35, what)
    embedding = read_squares(head.shared, *head.dense, what, channels)
    encoders = tuple(
        _read_encoder(layer, what, embedding.outputs, head.heads, 1.0, 1e-6, smolgen, activations)
        for layer in head.message.messages(head.encoders, what)
    )
    queries = read_squares(head.message, head.queries, head.queries + 1, what, embedding.outputs)
    width = queries.outputs
    keys = read_squares(head.message, head.keys, head.keys + 1, what, embedding.outputs, width)
    promotions = read_layer(head.message, head.promotions, what)
    if len(promotions) != 4 * width:
        raise WireError(f"{what} has {len(promotions)} weights for promotions; expected 4 x {width}")
    rows = promotions.reshape(4, width)
    return AttentionPolicy(
        embedding,
        activation,
        encoders,
        queries.scaled(1 / math.sqrt(width)),
        keys,
        np.ascontiguousarray(rows[:3] + rows[3])[:, :, None, None],
    )
