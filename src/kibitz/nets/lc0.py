"""Lc0's network files, `.pb.gz`: residual towers with or without squeeze-excitation, encoder layers
(attention), and both.

Batch norms are folded into their convolutions here, for the file keeps them beside these. The facts are those
of Lc0's `proto/net.proto`, `src/neural/loader.cc`, `src/neural/network_legacy.cc` and
`src/neural/backends/blas/network_blas.cc`.
"""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.nets.files import BadNetwork, NetworkFile
from kibitz.nets.lc0_attention import (
    AttentionBody,
    AttentionPolicy,
    read_attention_body,
    read_attention_policy,
    read_embedding,
)
from kibitz.nets.lc0_format import Lc0Format, Unsupported, read_format
from kibitz.nets.lc0_heads import POLICY_HEADS, VALUE_HEADS, head_names, policy_fields, value_fields
from kibitz.nets.lc0_layers import (
    SQUARES,
    Dense,
    FoldedConv,
    read_conv,
    read_dense,
    read_squares,
    read_squares_dense,
)
from kibitz.nets.protobuf import Message, WireError

#: How every Lc0 file begins: field 1, fixed 32 bits, 0x1c0.
MAGIC = b"\x0d\xc0\x01\x00\x00"

_PLANES = 112
_MOVES = 1858
_CONV_POLICY_PLANES = 73
_MAX_BLOCKS = 1000
#: A field of the weights that Lc0 does not know, and skips.
STYLE_FIELD = 1000
#: What the outputs of a style head are: of the game, and of the side to move.
STYLE_DETAILS = ("style", "mover_style")


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
class StyleHead:
    """Kibitz's own, of the mean of the tower: the style of the game and, with two outputs, that of the side
    to move. Lc0 skips the field."""

    hidden: Dense
    out: Dense


@dataclass(frozen=True)
class Lc0Model:
    """`body` are the encoder layers, after the tower or instead of one: then `first` is the embedding, as far
    as it sees the planes. The policy is `attention_policy`, or `policy_conv` with `policy_dense` after it
    (classical) or `policy_first` before it (convolutional)."""

    activation: str
    first: FoldedConv
    tower: tuple[Residual, ...]
    policy_first: FoldedConv | None
    policy_conv: FoldedConv | None
    policy_dense: Dense | None
    value_conv: FoldedConv
    value_hidden: Dense
    value_out: Dense
    moves_left: MovesLeft | None
    training_steps: int
    body: AttentionBody | None = None
    attention_policy: AttentionPolicy | None = None
    #: How a position is written as planes: a name of `lc0_format.INPUTS`.
    input: str = "classical"
    #: Names of the heads the file has.
    policy_heads: tuple[str, ...] = ("vanilla",)
    value_heads: tuple[str, ...] = ("winner",)
    style: StyleHead | None = None

    @property
    def wdl(self) -> bool:
        return len(self.value_out.bias) == 3

    @property
    def policy(self) -> str:
        if self.attention_policy is not None:
            return "attention"
        return "convolutional" if self.policy_dense is None else "classical"


def read_lc0(
    file: NetworkFile, policy: str = next(iter(POLICY_HEADS)), value: str = next(iter(VALUE_HEADS))
) -> Lc0Model:
    """Parses the file, with one of its policy and value heads; raises `BadNetwork` with one line that says
    what was wrong or unsupported."""
    if not file.data.startswith(MAGIC):
        raise BadNetwork(f"{file.path}: not an Lc0 network (wrong magic number)")
    try:
        return _read(Message(file.data), policy, value)
    except WireError as error:
        raise BadNetwork(f"{file.path}: damaged Lc0 network: {error}") from None
    except Unsupported as error:
        raise BadNetwork(f"{file.path}: {error}") from None


def _read(net: Message, policy: str, value: str) -> Lc0Model:
    if not net.has(10):
        raise Unsupported("an Lc0 file without weights")
    weights = net.message(10, "the weights")
    form = read_format(net.message(4, "the format"), weights)
    if form.attention != weights.has(27):
        raise WireError("the format and the weights disagree about encoder layers")
    blocks = weights.messages(2, "a residual block")
    if not (0 if form.attention else 1) <= len(blocks) <= _MAX_BLOCKS:
        raise WireError(f"{len(blocks)} residual blocks; expected 1 to {_MAX_BLOCKS}")
    if blocks:
        first = read_conv(weights.message(1, "the input block"), "the input block", _PLANES, 3)
    else:
        first = read_embedding(weights)
    channels = first.outputs
    tower = tuple(_residual(block, f"block {number}", channels) for number, block in enumerate(blocks))
    body = None
    if form.attention:
        body = read_attention_body(weights, form, channels if blocks else None)
        channels = body.channels
    policy_first, policy_conv, policy_dense, attention = _policy(weights, form, channels, policy)
    policy_heads, value_heads = head_names(weights)
    return Lc0Model(
        form.activation,
        first,
        tower,
        policy_first,
        policy_conv,
        policy_dense,
        *_value(weights, form, channels, value),
        _moves_left(weights, form, channels) if form.moves_left else None,
        net.message(5).integer(1),
        body,
        attention,
        form.input,
        policy_heads,
        value_heads,
        _style(weights, channels),
    )


def _policy(
    weights: Message, form: Lc0Format, channels: int, name: str
) -> tuple[FoldedConv | None, FoldedConv | None, Dense | None, AttentionPolicy | None]:
    what = "the policy head"
    head = policy_fields(weights, name)
    if form.policy == "attention":
        return None, None, None, read_attention_policy(weights, head, form, channels)
    conv = head.message.message(head.conv, what)
    if form.policy == "convolutional":
        first = read_conv(head.message.message(head.first_conv, what), what, channels, 3)
        last = read_conv(conv, what, first.outputs, 3)
        if last.outputs < _CONV_POLICY_PLANES:
            raise WireError(f"{last.outputs} policy planes; expected {_CONV_POLICY_PLANES} or more")
        return first, last, None, None
    last = read_conv(conv, what, channels, 1)
    dense = read_dense(head.shared, *head.dense, "the policy", last.outputs * SQUARES, _MOVES)
    return None, last, dense, None


def _value(weights: Message, form: Lc0Format, channels: int, name: str) -> tuple[FoldedConv, Dense, Dense]:
    head, what = value_fields(weights, name), "the value head"
    message = head.message
    if form.attention:
        conv = read_squares(message, head.squares, head.squares + 1, what, channels)
        hidden = read_squares_dense(message, head.hidden, head.hidden + 1, what, conv.outputs)
    else:
        conv = read_conv(message.message(head.conv, what), what, channels, 1)
        hidden = read_dense(message, head.hidden, head.hidden + 1, what, conv.outputs * SQUARES)
    outputs = 3 if form.wdl else 1
    out = read_dense(message, head.out, head.out + 1, "the value", len(hidden.bias), outputs)
    return conv, hidden, out


def _residual(block: Message, what: str, channels: int) -> Residual:
    conv1 = read_conv(block.message(1, what), what, channels, 3)
    conv2 = read_conv(block.message(2, what), what, conv1.outputs, 3)
    if conv2.outputs != channels:
        raise WireError(f"{what} has {conv2.outputs} channels; expected {channels}")
    se = None
    if block.has(3):
        unit = block.message(3, what)
        squeeze = read_dense(unit, 1, 2, what, channels)
        se = SqueezeExcitation(squeeze, read_dense(unit, 3, 4, what, len(squeeze.bias), 2 * channels))
    return Residual(conv1, conv2, se)


def _style(weights: Message, channels: int) -> StyleHead | None:
    if not weights.has(STYLE_FIELD):
        return None
    head, what = weights.message(STYLE_FIELD, "the style head"), "the style head"
    hidden = read_dense(head, 1, 2, what, channels)
    out = read_dense(head, 3, 4, what, len(hidden.bias))
    if not 1 <= len(out.bias) <= len(STYLE_DETAILS):
        raise WireError(f"the style head has {len(out.bias)} outputs; expected 1 or 2")
    return StyleHead(hidden, out)


def _moves_left(weights: Message, form: Lc0Format, channels: int) -> MovesLeft:
    what = "the moves-left head"
    if form.attention:
        conv = read_squares(weights, 31, 32, what, channels)
        hidden = read_squares_dense(weights, 13, 14, what, conv.outputs)
    else:
        conv = read_conv(weights.message(12, what), what, channels, 1)
        hidden = read_dense(weights, 13, 14, what, conv.outputs * SQUARES)
    return MovesLeft(conv, hidden, read_dense(weights, 15, 16, what, len(hidden.bias), 1))
