"""An Lc0 network in plain numpy, double precision: an oracle for the graph."""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.nets.lc0 import Lc0Model
from kibitz.nets.lc0_layers import Dense, FoldedConv
from kibitz.nets.lc0_moves import moves

Array = np.ndarray[Any, np.dtype[np.float64]]


def convolve(x: Array, conv: FoldedConv) -> Array:
    size = conv.weights.shape[2]
    padded = np.pad(x, ((0, 0), (size // 2, size // 2), (size // 2, size // 2)))
    out = np.zeros((conv.outputs, 8, 8)) + conv.bias[:, None, None]
    for dy in range(size):
        for dx in range(size):
            part = padded[:, dy : dy + 8, dx : dx + 8]
            out += np.einsum("oi,iyx->oyx", conv.weights[:, :, dy, dx].astype(float), part)
    return out


def dense(x: Array, layer: Dense) -> Array:
    return x @ layer.weights.astype(float) + layer.bias


def evaluate(model: Lc0Model, planes: Array) -> dict[str, Array]:
    """Logits and what the value head says before its last function, for one position."""

    def active(x: Array) -> Array:
        return np.maximum(x, 0) if model.activation == "relu" else x * np.tanh(np.logaddexp(x, 0))

    x = active(convolve(planes, model.first))
    for block in model.tower:
        inner = convolve(active(convolve(x, block.conv1)), block.conv2)
        if block.se is not None:
            both = dense(active(dense(inner.mean(axis=(1, 2)), block.se.squeeze)), block.se.excite)
            gate, offset = np.split(both, 2)
            inner = inner / (1 + np.exp(-gate))[:, None, None] + offset[:, None, None]
        x = active(x + inner)
    value = dense(
        active(dense(active(convolve(x, model.value_conv)).reshape(-1), model.value_hidden)), model.value_out
    )
    result = {"policy": _policy(model, active, x), "value": value}
    if model.moves_left is not None:
        hidden = active(
            dense(active(convolve(x, model.moves_left.conv)).reshape(-1), model.moves_left.hidden)
        )
        result["moves_left"] = np.maximum(dense(hidden, model.moves_left.out), 0)
    return result


def _policy(model: Lc0Model, active: Any, x: Array) -> Array:
    if model.policy_dense is not None:
        return dense(active(convolve(x, model.policy_conv)).reshape(-1), model.policy_dense)
    assert model.policy_first is not None
    planes = convolve(active(convolve(x, model.policy_first)), model.policy_conv)
    return np.array([planes[_plane(move), int(move[1]) - 1, "abcdefgh".index(move[0])] for move in moves()])


def _plane(move: str) -> int:
    """Directions clockwise from straight ahead, seven distances each; knights; promotions."""
    x = ord(move[2]) - ord(move[0])
    y = int(move[3]) - int(move[1])
    if len(move) == 5:
        return 64 + 3 * (x + 1) + "rbq".index(move[4])
    if sorted((abs(x), abs(y))) == [1, 2]:
        return 56 + [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)].index((x, y))
    ways = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]
    distance = max(abs(x), abs(y))
    return 7 * ways.index((x // distance, y // distance)) + distance - 1
