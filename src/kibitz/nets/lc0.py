"""Lc0's network files, `.pb.gz`: residual towers with or without squeeze-excitation.

Read are the classical 112 planes, the classical and the convolutional policy, the WDL and the scalar value,
and a moves-left head. Batch norms are folded into their convolutions here, for the file keeps them beside
these. The facts are those of Lc0's `proto/net.proto`, `src/neural/loader.cc` and
`src/neural/network_legacy.cc`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.nets.files import BadNetwork, NetworkFile
from kibitz.nets.wire import Message, WireError

__all__ = [
    "MAGIC",
    "Dense",
    "FoldedConv",
    "Lc0Model",
    "MovesLeft",
    "Residual",
    "SqueezeExcitation",
    "read_lc0",
]

Array = npt.NDArray[np.float32]

#: How every Lc0 file begins: field 1, fixed 32 bits, 0x1c0.
MAGIC = b"\x0d\xc0\x01\x00\x00"

_PLANES = 112
_SQUARES = 64
_MOVES = 1858
_CONV_POLICY_PLANES = 73
_MAX_BLOCKS = 1000
_MAX_CHANNELS = 1 << 14
_EPSILON = np.float32(1e-5)

# NetworkFormat: the numbers of net.proto.
_INPUTS = {1: "classical 112 planes"}
_STRUCTURES = {1: "classical", 2: "SE", 3: "classical", 4: "SE"}
_UNSUPPORTED_STRUCTURES = {
    5: "an ONNX model",
    6: "an attention body",
    7: "an attention body",
    134: "an attention body",
}
_LINEAR16, _FLOAT16, _BFLOAT16, _FLOAT32 = 1, 2, 3, 4


@dataclass(frozen=True)
class FoldedConv:
    """Weights in the order out, in, y, x, the batch norm folded in."""

    weights: Array
    bias: Array

    @property
    def outputs(self) -> int:
        return int(self.weights.shape[0])


@dataclass(frozen=True)
class Dense:
    """x @ weights + bias, weights in the order in, out."""

    weights: Array
    bias: Array


@dataclass(frozen=True)
class SqueezeExcitation:
    squeeze: Dense
    excite: Dense


@dataclass(frozen=True)
class Residual:
    conv1: FoldedConv
    conv2: FoldedConv
    se: SqueezeExcitation | None


@dataclass(frozen=True)
class MovesLeft:
    conv: FoldedConv
    hidden: Dense
    out: Dense


@dataclass(frozen=True)
class Lc0Model:
    """`policy_dense` is None for a convolutional policy, whose first convolution is `policy_first`."""

    activation: str
    first: FoldedConv
    tower: tuple[Residual, ...]
    policy_first: FoldedConv | None
    policy_conv: FoldedConv
    policy_dense: Dense | None
    value_conv: FoldedConv
    value_hidden: Dense
    value_out: Dense
    moves_left: MovesLeft | None
    training_steps: int

    @property
    def wdl(self) -> bool:
        return len(self.value_out.bias) == 3


def read_lc0(file: NetworkFile) -> Lc0Model:
    """Parses the file; raises `BadNetwork` with one line that says what was wrong or unsupported."""
    if not file.data.startswith(MAGIC):
        raise BadNetwork(f"{file.path}: not an Lc0 network (wrong magic number)")
    try:
        return _read(Message(file.data))
    except WireError as error:
        raise BadNetwork(f"{file.path}: damaged Lc0 network: {error}") from None
    except _Unsupported as error:
        raise BadNetwork(f"{file.path}: {error}") from None


class _Unsupported(Exception):
    pass


def _read(net: Message) -> Lc0Model:
    if net.has(11) and not net.has(10):
        raise _Unsupported("an Lc0 file around an ONNX model is not supported")
    if not net.has(10):
        raise _Unsupported("an Lc0 file without weights")
    form = net.message(4, "the format")
    conv_policy, wdl, moves_left, activation = _check_format(form)
    weights = net.message(10, "the weights")
    if weights.has(27) or weights.has(25):
        raise _Unsupported("Lc0 networks with an attention body are not supported; residual towers are")
    blocks = weights.messages(2, "a residual block")
    if not 1 <= len(blocks) <= _MAX_BLOCKS:
        raise WireError(f"{len(blocks)} residual blocks; expected 1 to {_MAX_BLOCKS}")
    first = _conv(weights.message(1, "the input block"), "the input block", _PLANES, 3)
    channels = first.outputs
    tower = tuple(_residual(block, f"block {number}", channels) for number, block in enumerate(blocks))
    policy_first = policy_dense = None
    if conv_policy:
        policy_first = _conv(weights.message(11, "the policy head"), "the policy head", channels, 3)
        policy_conv = _conv(weights.message(3, "the policy head"), "the policy head", policy_first.outputs, 3)
        if policy_conv.outputs < _CONV_POLICY_PLANES:
            raise WireError(f"{policy_conv.outputs} policy planes; expected {_CONV_POLICY_PLANES} or more")
    else:
        policy_conv = _conv(weights.message(3, "the policy head"), "the policy head", channels, 1)
        policy_dense = _dense(weights, 4, 5, "the policy", policy_conv.outputs * _SQUARES, _MOVES)
    value_conv = _conv(weights.message(6, "the value head"), "the value head", channels, 1)
    value_hidden = _dense(weights, 7, 8, "the value head", value_conv.outputs * _SQUARES)
    value_out = _dense(weights, 9, 10, "the value", len(value_hidden.bias), 3 if wdl else 1)
    left = _moves_left(weights, channels) if moves_left else None
    return Lc0Model(
        activation,
        first,
        tower,
        policy_first,
        policy_conv,
        policy_dense,
        value_conv,
        value_hidden,
        value_out,
        left,
        net.message(5).integer(1),
    )


def _check_format(form: Message) -> tuple[bool, bool, bool, str]:
    """(convolutional policy, WDL, moves left, activation) of a network of a kind that is supported."""
    if form.integer(1, _LINEAR16) not in (0, _LINEAR16):
        raise _Unsupported(f"unknown encoding {form.integer(1)} of an Lc0 file's weights")
    if not form.has(2):
        return False, False, False, "relu"  # files from before the format was written down
    network = form.message(2, "the network's format")
    structure = network.integer(3, 1)
    if structure in _UNSUPPORTED_STRUCTURES:
        kind = _UNSUPPORTED_STRUCTURES[structure]
        raise _Unsupported(f"Lc0 networks with {kind} are not supported; residual towers are")
    if structure not in _STRUCTURES:
        raise _Unsupported(f"unknown structure {structure} of an Lc0 network")
    if network.integer(1, 1) not in _INPUTS:
        raise _Unsupported(
            f"Lc0 input format {network.integer(1)} is not supported; the classical 112 planes are"
        )
    activation = {0: "relu", 1: "mish"}.get(network.integer(7))
    if activation is None:
        raise _Unsupported(f"unknown activation {network.integer(7)} of an Lc0 network")
    old = structure in (1, 2)
    policy = 1 if old else network.integer(4, 1)
    value = 1 if old else network.integer(5, 1)
    if policy not in (1, 2):
        name = "an attention policy" if policy == 3 else f"policy format {policy}"
        raise _Unsupported(f"Lc0 networks with {name} are not supported")
    if value not in (1, 2):
        raise _Unsupported(f"Lc0 value format {value} is not supported")
    return policy == 2, value == 2, network.integer(6) == 1, activation


def _layer(message: Message, number: int, what: str) -> Array:
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


def _conv(block: Message, what: str, inputs: int, size: int) -> FoldedConv:
    weights = _layer(block, 1, what)
    per_output = inputs * size * size
    outputs, odd = divmod(len(weights), per_output)
    if odd or not 1 <= outputs <= _MAX_CHANNELS:
        raise WireError(
            f"{what} has {len(weights)} weights, no multiple of {inputs} channels of {size}x{size}"
        )

    def column(number: int, default: float) -> Array:
        values = _layer(block, number, what)
        if len(values) not in (0, outputs):
            raise WireError(f"{what} has {len(values)} values for {outputs} channels")
        return values if len(values) else np.full(outputs, default, np.float32)

    bias = column(2, 0.0)
    weights = weights.reshape(outputs, inputs, size, size)
    if len(_layer(block, 3, what)):
        mean, variance = column(3, 0.0), column(4, 1.0)
        gamma, beta = column(5, 1.0), column(6, 0.0)
        if (variance + _EPSILON <= 0).any():
            raise WireError(f"{what} has a variance that is not positive")
        gamma = gamma / np.sqrt(variance + _EPSILON)
        weights = weights * gamma[:, None, None, None]
        bias = beta - gamma * (mean - bias)
    return FoldedConv(np.ascontiguousarray(weights, np.float32), bias.astype(np.float32))


def _dense(
    message: Message, weights: int, bias: int, what: str, inputs: int, outputs: int | None = None
) -> Dense:
    values, offsets = _layer(message, weights, what), _layer(message, bias, what)
    count = len(offsets)
    if not 1 <= count <= _MAX_CHANNELS or outputs not in (None, count):
        raise WireError(f"{what} has {count} outputs" + (f"; expected {outputs}" if outputs else ""))
    if len(values) != inputs * count:
        raise WireError(f"{what} has {len(values)} weights; expected {inputs} x {count}")
    return Dense(np.ascontiguousarray(values.reshape(count, inputs).T), offsets)


def _residual(block: Message, what: str, channels: int) -> Residual:
    conv1 = _conv(block.message(1, what), what, channels, 3)
    conv2 = _conv(block.message(2, what), what, conv1.outputs, 3)
    if conv2.outputs != channels:
        raise WireError(f"{what} has {conv2.outputs} channels; expected {channels}")
    se = None
    if block.has(3):
        unit = block.message(3, what)
        squeeze = _dense(unit, 1, 2, what, channels)
        se = SqueezeExcitation(squeeze, _dense(unit, 3, 4, what, len(squeeze.bias), 2 * channels))
    return Residual(conv1, conv2, se)


def _moves_left(weights: Message, channels: int) -> MovesLeft:
    what = "the moves-left head"
    conv = _conv(weights.message(12, what), what, channels, 1)
    hidden = _dense(weights, 13, 14, what, conv.outputs * _SQUARES)
    return MovesLeft(conv, hidden, _dense(weights, 15, 16, what, len(hidden.bias), 1))
