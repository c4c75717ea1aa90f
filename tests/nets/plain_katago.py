"""A KataGo network in plain numpy, double precision, nothing folded: an oracle for the graph."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from kibitz.nets.katago import (
    Attention,
    Block,
    Conv,
    FeedForward,
    KataGoModel,
    Nested,
    Norm,
    Ordinary,
    RmsNorm,
)

Array = np.ndarray[Any, np.dtype[np.float64]]


def softplus(x: Array) -> Array:
    return np.logaddexp(x, 0)


def activate(kind: str, x: Array) -> Array:
    if kind == "relu":
        return np.maximum(x, 0)
    if kind == "mish":
        return x * np.tanh(softplus(x))
    if kind == "silu":
        return x / (1 + np.exp(-x))
    return x


def convolve(x: Array, conv: Conv) -> Array:
    """x has shape channels, rows, columns."""
    _, rows, columns = x.shape
    height, width = conv.weights.shape[2:]
    padded = np.pad(x, ((0, 0), (height // 2, height // 2), (width // 2, width // 2)))
    out = np.zeros((conv.outputs, rows, columns))
    for dy in range(height):
        for dx in range(width):
            part = padded[:, dy : dy + rows, dx : dx + columns]
            out += np.einsum("oi,iyx->oyx", conv.weights[:, :, dy, dx].astype(float), part)
    return out


def normed(x: Array, norm: Norm) -> Array:
    return activate(norm.activation, x * norm.scale[:, None, None] + norm.bias[:, None, None])


def rms(x: Array, norm: RmsNorm) -> Array:
    axes = (0, 1, 2) if norm.spatial else (0,)
    x = x / np.sqrt(np.square(x).mean(axis=axes, keepdims=True) + norm.epsilon) * norm.weight[:, None, None]
    if norm.bias is not None:
        x = x + norm.bias[:, None, None]
    return activate(norm.activation, x)


def pooled(x: Array, *, value_head: bool = False) -> Array:
    mean, most = x.mean(axis=(1, 2)), x.max(axis=(1, 2))
    width = math.sqrt(x.shape[1] * x.shape[2]) - 14
    last = mean * (width * width / 100 - 0.1) if value_head else most
    return np.concatenate([mean, mean * width / 10, last])


def turned(x: Array, place: int, columns: int, turns: Array) -> Array:
    """One head's channels at one point; the channels 2p and 2p + 1 are a complex number."""
    row, column = divmod(place, columns)
    angle = column * turns[:, 0] + row * turns[:, 1]
    numbers = (x[0::2] + 1j * x[1::2]) * np.exp(1j * angle)
    out = np.empty_like(x)
    out[0::2], out[1::2] = numbers.real, numbers.imag
    return out


def attention(x: Array, block: Attention) -> Array:
    channels, rows, columns = x.shape
    points = rms(x, block.norm).reshape(channels, -1).T
    count = len(points)
    queries = (points @ block.queries).reshape(count, block.heads, -1)
    keys = (points @ block.keys).reshape(count, block.key_heads, -1)
    values = (points @ block.values).reshape(count, block.key_heads, -1)
    mixed = np.zeros((count, block.heads, values.shape[2]))
    for head in range(block.heads):
        source = head // (block.heads // block.key_heads)
        q, k = queries[:, head], keys[:, source]
        if block.rotary is not None:
            turns = block.rotary[source].astype(float)
            q = np.stack([turned(row, place, columns, turns) for place, row in enumerate(q)])
            k = np.stack([turned(row, place, columns, turns) for place, row in enumerate(k)])
        logits = q @ k.T / math.sqrt(q.shape[1])
        weights = np.exp(logits - logits.max(axis=1, keepdims=True))
        mixed[:, head] = weights / weights.sum(axis=1, keepdims=True) @ values[:, source]
    return (mixed.reshape(count, -1) @ block.out).T.reshape(channels, rows, columns)


def feed_forward(x: Array, block: FeedForward) -> Array:
    channels, rows, columns = x.shape
    points = rms(x, block.norm).reshape(channels, -1).T
    hidden = activate("silu", points @ block.first) * (points @ block.gate)
    return (hidden @ block.second).T.reshape(channels, rows, columns)


def added(x: Array, block: Block) -> Array:
    if isinstance(block, Attention):
        return attention(x, block)
    if isinstance(block, FeedForward):
        return feed_forward(x, block)
    x = normed(x, block.before)
    if isinstance(block, Ordinary):
        return convolve(normed(convolve(x, block.conv1), block.middle), block.conv2)
    if isinstance(block, Nested):
        x = convolve(x, block.shrink)
        for inner in block.blocks:
            x = x + added(x, inner)
        return convolve(normed(x, block.after), block.widen)
    bias = pooled(normed(convolve(x, block.pool_conv), block.pool_norm)) @ block.pool_to_bias
    return convolve(normed(convolve(x, block.conv1) + bias[:, None, None], block.middle), block.conv2)


def evaluate(model: KataGoModel, planes: Array, inputs: Array, optimism: float = 0.0) -> dict[str, Array]:
    """Raw outputs of one position: `policy` logits, `value` and `score` before scaling, `ownership`."""
    trunk = model.trunk
    x = convolve(planes, trunk.first) + (inputs @ trunk.from_globals)[:, None, None]
    for block in trunk.blocks:
        x = x + added(x, block)
    x = normed(x, trunk.tip) if isinstance(trunk.tip, Norm) else rms(x, trunk.tip)

    head = model.policy
    pool = pooled(normed(convolve(x, head.pool_conv), head.pool_norm))
    points = convolve(x, head.conv) + (pool @ head.pool_to_bias)[:, None, None]
    points = convolve(normed(points, head.norm), head.to_points).reshape(head.to_points.outputs, -1)
    passing = pool @ head.to_pass
    if head.pass_out is not None and head.pass_bias is not None:
        passing = activate(head.pass_activation, passing + head.pass_bias) @ head.pass_out
    both = np.concatenate([points, passing[:, None]], axis=1)
    policy = both[0] if len(both) == 1 else both[0] + optimism * (both[1] - both[0])

    value = model.value
    v = normed(convolve(x, value.conv), value.norm)
    hidden = activate(value.activation, pooled(v, value_head=True) @ value.hidden + value.hidden_bias)
    return {
        "policy": policy,
        "value": hidden @ value.value + value.value_bias,
        "score": hidden @ value.score + value.score_bias,
        "ownership": np.tanh(convolve(v, value.ownership)).reshape(-1),
    }
