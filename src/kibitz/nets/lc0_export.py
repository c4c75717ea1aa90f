"""Writes an `Lc0Model` as Lc0's `.pb.gz`: a residual tower with squeeze-excitation, WDL value and
convolutional policy, weights as 16-bit steps between the least and the greatest of a layer (LINEAR16)."""

from __future__ import annotations

import gzip
import struct

import numpy as np
import numpy.typing as npt

from kibitz.nets.files import BadNetwork
from kibitz.nets.lc0 import MAGIC, STYLE_FIELD, Lc0Model
from kibitz.nets.lc0_layers import Dense, FoldedConv

Array = npt.NDArray[np.float32]

# Numbers of net.proto: what the network is.
_INPUT_CLASSICAL_112 = 1
_OUTPUT_WDL = 2
_NETWORK_SE_WITH_HEADFORMAT = 4
_POLICY_CONVOLUTION = 2
_VALUE_WDL = 2
_MOVES_LEFT_V1 = 1
_ACTIVATIONS = {"relu": 0, "mish": 1}
_ENCODING_LINEAR16 = 1
#: The oldest Lc0 that knows all of this: 0.25.
_MIN_VERSION = (0, 25, 0)


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def _integer(field: int, number: int) -> bytes:
    return _varint(field << 3) + _varint(number)


def _real(field: int, number: float) -> bytes:
    return _varint(field << 3 | 5) + struct.pack("<f", number)


def _message(field: int, body: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(body)) + body


def _layer(field: int, values: Array) -> bytes:
    flat = np.ascontiguousarray(values, np.float32).ravel()
    low, high = np.float32(flat.min(initial=0.0)), np.float32(flat.max(initial=0.0))
    span = float(high) - float(low)
    steps = np.rint((flat.astype(np.float64) - float(low)) / (span or 1.0) * 0xFFFF)
    return _message(
        field, _real(1, float(low)) + _real(2, float(high)) + _message(3, steps.astype("<u2").tobytes())
    )


def _conv(field: int, conv: FoldedConv) -> bytes:
    """With its bias and a batch norm that changes nothing: Lc0 divides by sqrt(variance + 1e-5)."""
    channels = conv.outputs
    unit = np.full(channels, 1 - 1e-5, np.float32)
    zeros, ones = np.zeros(channels, np.float32), np.ones(channels, np.float32)
    # The bias goes where a batch norm's offset is: old versions take it from there only.
    body = _layer(1, conv.weights) + _layer(2, zeros)
    body += _layer(3, zeros) + _layer(4, unit) + _layer(5, ones) + _layer(6, conv.bias)
    return _message(field, body)


def _plain_conv(field: int, conv: FoldedConv) -> bytes:
    return _message(field, _layer(1, conv.weights) + _layer(2, conv.bias))


def _dense(weights: int, bias: int, layer: Dense) -> bytes:
    return _layer(weights, layer.weights.T) + _layer(bias, layer.bias)


def _widened(first: FoldedConv, last: FoldedConv, channels: int) -> tuple[FoldedConv, FoldedConv]:
    """The policy's convolutions with as many channels between them as the tower has, which Lc0 takes for
    granted: those that are added hold zeros, and nothing reads them."""
    more = channels - first.outputs
    if more < 0:
        raise BadNetwork(f"Lc0 knows no policy of {first.outputs} channels in a network of {channels}")
    wide = FoldedConv(
        np.pad(first.weights, ((0, more), (0, 0), (0, 0), (0, 0))), np.pad(first.bias, (0, more))
    )
    return wide, FoldedConv(np.pad(last.weights, ((0, 0), (0, more), (0, 0), (0, 0))), last.bias)


def lc0_bytes(model: Lc0Model) -> bytes:
    """The bytes of a `.pb.gz` file. The same model gives the same bytes."""
    other = model.policy_first is None or model.policy_conv is None or model.body is not None
    if other or not model.wdl or any(block.se is None for block in model.tower):
        raise BadNetwork("only towers with squeeze-excitation, WDL and a convolutional policy are written")
    assert model.policy_first is not None
    assert model.policy_conv is not None
    policy_first, policy_conv = _widened(model.policy_first, model.policy_conv, model.first.outputs)
    weights = _conv(1, model.first)
    for block in model.tower:
        assert block.se is not None
        se = _dense(1, 2, block.se.squeeze) + _dense(3, 4, block.se.excite)
        weights += _message(2, _conv(1, block.conv1) + _conv(2, block.conv2) + _message(3, se))
    weights += _plain_conv(3, policy_conv)
    weights += _conv(6, model.value_conv) + _dense(7, 8, model.value_hidden) + _dense(9, 10, model.value_out)
    weights += _conv(11, policy_first)
    if model.moves_left is not None:
        left = model.moves_left
        weights += _conv(12, left.conv) + _dense(13, 14, left.hidden) + _dense(15, 16, left.out)
    if model.style is not None:
        head = _dense(1, 2, model.style.hidden) + _dense(3, 4, model.style.out)
        weights += _message(STYLE_FIELD, head)
    network = _integer(1, _INPUT_CLASSICAL_112) + _integer(2, _OUTPUT_WDL)
    network += _integer(3, _NETWORK_SE_WITH_HEADFORMAT) + _integer(4, _POLICY_CONVOLUTION)
    network += _integer(5, _VALUE_WDL)
    network += _integer(6, _MOVES_LEFT_V1 if model.moves_left else 0)
    network += _integer(7, _ACTIVATIONS[model.activation])
    least = b"".join(_integer(field, number) for field, number in enumerate(_MIN_VERSION, 1))
    data = MAGIC + _message(2, b"Made by Kibitz.") + _message(3, least)
    data += _message(4, _integer(1, _ENCODING_LINEAR16) + _message(2, network))
    data += _message(5, _integer(1, model.training_steps)) + _message(10, weights)
    return gzip.compress(data, mtime=0)
