"""Weights of Lc0's files as arrays: layers, convolutions with their batch norm folded in, matrices, norms.

The facts are those of Lc0's `proto/net.proto`, `src/utils/weights_adapter.cc` and
`src/neural/network_legacy.cc`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.nets.protobuf import Message, WireError

Array = npt.NDArray[np.float32]

SQUARES = 64
_MAX_CHANNELS = 1 << 16
_EPSILON = np.float32(1e-5)
_LINEAR16, _FLOAT16, _BFLOAT16, _FLOAT32 = 1, 2, 3, 4


@dataclass(frozen=True)
class FoldedConv:
    """Weights in the order out, in, y, x, the batch norm folded in."""

    weights: Array
    bias: Array

    @property
    def outputs(self) -> int:
        return int(self.weights.shape[0])

    def scaled(self, factor: float) -> FoldedConv:
        return FoldedConv(self.weights * np.float32(factor), self.bias * np.float32(factor))


@dataclass(frozen=True)
class Dense:
    """x @ weights + bias, weights in the order in, out."""

    weights: Array
    bias: Array


@dataclass(frozen=True)
class LayerNorm:
    scale: Array
    bias: Array
    epsilon: float


def read_layer(message: Message, number: int, what: str) -> Array:
    layer = message.message(number, what)
    raw = layer.raw(3)
    encoding = layer.integer(4, _LINEAR16)
    if encoding not in (_LINEAR16, _FLOAT16, _BFLOAT16, _FLOAT32):
        raise WireError(f"{what} has weights of unknown encoding {encoding}")
    size = 4 if encoding == _FLOAT32 else 2
    if len(raw) % size:
        raise WireError(f"{what} has {len(raw)} bytes of weights, no multiple of {size}")
    if encoding == _FLOAT32:
        values = np.frombuffer(raw, "<f4").astype(np.float32)
    elif encoding == _FLOAT16:
        values = np.frombuffer(raw, "<f2").astype(np.float32)
    elif encoding == _BFLOAT16:
        values = (np.frombuffer(raw, "<u2").astype(np.uint32) << 16).view(np.float32)
    else:
        low, high = np.float32(layer.real(1)), np.float32(layer.real(2))
        theta = np.frombuffer(raw, "<u2").astype(np.float32) / np.float32(0xFFFF)
        values = low * (np.float32(1) - theta) + high * theta
    if not np.isfinite(values).all():
        raise WireError(f"{what} has a weight that is not a number")
    return values


def read_conv(block: Message, what: str, inputs: int, size: int) -> FoldedConv:
    weights = read_layer(block, 1, what)
    per_output = inputs * size * size
    outputs, odd = divmod(len(weights), per_output)
    if odd or not 1 <= outputs <= _MAX_CHANNELS:
        raise WireError(
            f"{what} has {len(weights)} weights, no multiple of {inputs} channels of {size}x{size}"
        )

    def column(number: int, default: float) -> Array:
        values = read_layer(block, number, what)
        if len(values) not in (0, outputs):
            raise WireError(f"{what} has {len(values)} values for {outputs} channels")
        return values if len(values) else np.full(outputs, default, np.float32)

    bias = column(2, 0.0)
    weights = weights.reshape(outputs, inputs, size, size)
    if len(read_layer(block, 3, what)):
        mean, variance = column(3, 0.0), column(4, 1.0)
        gamma, beta = column(5, 1.0), column(6, 0.0)
        if (variance + _EPSILON <= 0).any():
            raise WireError(f"{what} has a variance that is not positive")
        gamma = gamma / np.sqrt(variance + _EPSILON)
        weights = weights * gamma[:, None, None, None]
        bias = beta - gamma * (mean - bias)
    return FoldedConv(np.ascontiguousarray(weights, np.float32), bias.astype(np.float32))


def read_dense(
    message: Message, weights: int, bias: int, what: str, inputs: int, outputs: int | None = None
) -> Dense:
    values, offsets = read_layer(message, weights, what), read_layer(message, bias, what)
    count = len(offsets)
    if not 1 <= count <= _MAX_CHANNELS or outputs not in (None, count):
        raise WireError(f"{what} has {count} outputs" + (f"; expected {outputs}" if outputs else ""))
    if len(values) != inputs * count:
        raise WireError(f"{what} has {len(values)} weights; expected {inputs} x {count}")
    return Dense(np.ascontiguousarray(values.reshape(count, inputs).T), offsets)


def read_squares(
    message: Message, weights: int, bias: int, what: str, inputs: int, outputs: int | None = None
) -> FoldedConv:
    """A matrix that is applied to each square: a convolution of 1x1."""
    layer = read_dense(message, weights, bias, what, inputs, outputs)
    return FoldedConv(np.ascontiguousarray(layer.weights.T)[:, :, None, None], layer.bias)


def read_squares_dense(
    message: Message, weights: int, bias: int, what: str, channels: int, outputs: int | None = None
) -> Dense:
    """A matrix of all squares, which the file has square by square and we channel by channel."""
    layer = read_dense(message, weights, bias, what, SQUARES * channels, outputs)
    turned = layer.weights.reshape(SQUARES, channels, -1).transpose(1, 0, 2)
    return Dense(np.ascontiguousarray(turned.reshape(SQUARES * channels, -1)), layer.bias)


def read_norm(message: Message, scale: int, bias: int, what: str, channels: int, epsilon: float) -> LayerNorm:
    columns = read_layer(message, scale, what), read_layer(message, bias, what)
    if any(len(column) != channels for column in columns):
        raise WireError(f"{what} has a norm of {len(columns[0])} channels; expected {channels}")
    return LayerNorm(*columns, epsilon)
