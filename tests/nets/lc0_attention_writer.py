"""Small Lc0 files with random weights that have encoder layers or an attention policy, in every variant."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tests.nets.lc0_writer import Lc0Writer, integer, message

# Numbers of Lc0's net.proto.
SE, ONNX, ATTENTION, MULTIHEAD, LEGACY = 4, 5, 6, 7, 134
MISH, RELU, NONE, TANH, SIGMOID, SELU, SWISH, RELU_2 = range(1, 9)
PE_MAP, PE_DENSE = 1, 2


@dataclass(frozen=True)
class Variant:
    """What a file says and has. `structure` is the number of the network's structure; `input` of its
    planes."""

    structure: int = ATTENTION
    input: int = 1
    layers: int = 2
    channels: int = 16
    heads: int = 4
    width: int = 16
    ffn: int = 24
    tower: int = 0
    smolgen: bool = True
    gate: bool = True
    embedding: int | None = PE_MAP
    policy_encoders: int = 0
    wdl: bool = True
    moves_left: bool = True
    mish: bool = True
    ffn_activation: int = 0
    smolgen_activation: int = 0
    policy_heads: tuple[str, ...] = ()
    value_heads: tuple[str, ...] = ()
    relative: bool = False
    value_hidden: int = 6
    #: Channels a square is compressed to, what the board is made of, what is generated for a head.
    smolgen_sizes: tuple[int, int, int] = (3, 10, 6)
    seed: int = 1

    def but(self, **changes: object) -> Variant:
        return replace(self, **changes)  # type: ignore[arg-type]


_BT = Variant(
    structure=MULTIHEAD,
    embedding=PE_DENSE,
    gate=True,
    policy_heads=("vanilla", "optimistic", "soft", "opponent"),
    value_heads=("winner", "q", "st"),
)
VARIANTS: dict[str, Variant] = {
    "plain": Variant(smolgen=False, gate=False, mish=False),
    "t1": Variant(ffn_activation=RELU_2, smolgen_activation=SWISH),
    "old-number": Variant(structure=SE, embedding=None, moves_left=False),
    "scalar-relu": Variant(mish=False, wdl=False, moves_left=False, gate=False, smolgen_activation=SELU),
    "policy-encoder": Variant(policy_encoders=1, smolgen=False, ffn_activation=SWISH),
    "bt4": _BT.but(ffn_activation=MISH, smolgen_activation=SWISH),
    "bt3-no-gate": _BT.but(gate=False, ffn_activation=RELU_2, smolgen_activation=TANH),
    "legacy-multihead": _BT.but(structure=LEGACY, smolgen=False, policy_heads=("vanilla",)),
    "multihead-by-weights": _BT.but(structure=ATTENTION, embedding=None, wdl=True, heads=2),
    "tower-attention-policy": Variant(
        structure=SE, layers=0, tower=2, embedding=None, policy_encoders=1, gate=False, smolgen=False
    ),
}
#: The ways a position is written as planes, by their numbers in the file.
INPUTS: dict[str, Variant] = {
    f"input-{number}": Variant(input=number, layers=1, smolgen=False, gate=False, moves_left=False)
    for number in (2, 3, 4, 132, 5, 133)
}
#: Lc0's CPU backend does not feed the tower to the encoders, so it is no oracle for these.
HYBRIDS: dict[str, Variant] = {"tower-and-encoders": Variant(tower=1, gate=False)}

_POLICY = {"vanilla": 3, "optimistic": 4, "soft": 5, "opponent": 6}
_VALUE = {"winner": 1, "q": 2, "st": 3}


class AttentionWriter(Lc0Writer):
    """Writes the file of a variant: the same variant gives the same bytes."""

    def __init__(self, variant: Variant) -> None:
        super().__init__(
            channels=variant.channels,
            blocks=variant.tower,
            wdl=variant.wdl,
            moves_left=variant.moves_left,
            mish=variant.mish,
            seed=variant.seed,
        )
        self.variant = variant

    # -- layers --------------------------------------------------------------------------------------------

    def strong(self, weights: int, bias: int, inputs: int, outputs: int, gain: float = 1.5) -> bytes:
        """A matrix that makes a difference: what comes out is as large as what goes in."""
        return self.layer(weights, inputs * outputs, gain / np.sqrt(inputs)) + self.layer(bias, outputs)

    def norm(self, scale: int, bias: int, channels: int) -> bytes:
        return self.layer(scale, channels, 0.2, 1.0) + self.layer(bias, channels)

    def ffn(self, field: int, channels: int, hidden: int) -> bytes:
        body = self.strong(1, 2, channels, hidden) + self.strong(3, 4, hidden, channels)
        return message(field, body)

    def smolgen(self, channels: int, heads: int) -> bytes:
        hidden, first, size = self.variant.smolgen_sizes
        body = self.layer(1, channels * hidden, 1 / np.sqrt(channels))
        body += self.strong(2, 3, 64 * hidden, first) + self.norm(4, 5, first)
        body += self.strong(6, 7, first, heads * size) + self.norm(8, 9, heads * size)
        return message(9, body)

    def encoder(self, field: int, channels: int, width: int, heads: int, ffn: int, smolgen: bool) -> bytes:
        attention = self.strong(1, 2, channels, width) + self.strong(3, 4, channels, width)
        attention += self.strong(5, 6, channels, width) + self.strong(7, 8, width, channels)
        if smolgen:
            attention += self.smolgen(channels, heads)
        if self.variant.relative:
            attention += self.layer(10, width)
        body = message(1, attention) + self.norm(2, 3, channels)
        return message(field, body + self.ffn(4, channels, ffn) + self.norm(5, 6, channels))

    # -- the weights ---------------------------------------------------------------------------------------

    def body(self) -> bytes:
        v = self.variant
        body = b""
        if v.tower:
            body += self.conv(1, 3, 112, v.channels)
            for _ in range(v.tower):
                block = self.conv(1, 3, v.channels, v.channels) + self.conv(2, 3, v.channels, v.channels)
                se = self.dense(1, 2, v.channels, 2) + self.dense(3, 4, 2, 2 * v.channels)
                body += message(2, block + message(3, se))
        if not v.layers:
            return body
        dense = v.embedding == PE_DENSE or self.by_weights
        extra = 5 if dense else 64
        if dense:
            body += self.strong(37, 38, 12 * 64, extra * 64)
            body += self.norm(39, 40, v.channels) + self.ffn(41, v.channels, v.ffn)
            body += self.norm(42, 43, v.channels)
        body += self.strong(25, 26, v.channels if v.tower else 112 + extra, v.channels, 2.0)
        if v.gate:
            body += self.layer(33, 64 * v.channels, 0.3, 1.0) + self.layer(34, 64 * v.channels)
        for _ in range(v.layers):
            body += self.encoder(27, v.channels, v.width, v.heads, v.ffn, v.smolgen)
        body += integer(28, v.heads)
        if v.smolgen:
            body += self.layer(35, v.smolgen_sizes[2] * 64 * 64, 0.5)
        return body

    @property
    def by_weights(self) -> bool:
        """Whether the file has heads with names and an old number, which means a dense embedding."""
        return self.variant.structure == ATTENTION and bool(self.variant.policy_heads)

    def policy_tail(self, first: tuple[int, int, int], encoders: int, heads: int) -> bytes:
        """Queries, keys, promotions and encoders after an embedding of 12 channels."""
        size, width = 12, 8
        queries, keys, promotions = first
        body = self.strong(queries, queries + 1, size, width) + self.strong(keys, keys + 1, size, width)
        body += self.layer(promotions, 4 * width, 0.4)
        for _ in range(self.variant.policy_encoders):
            body += self.encoder(encoders, size, width, 2, 10, smolgen=False)
        return body + integer(heads, 2 if self.variant.policy_encoders else 0)

    def policy(self) -> bytes:
        v = self.variant
        if not v.policy_heads:
            return self.strong(4, 5, v.channels, 12) + self.policy_tail((17, 19, 22), 21, 24)
        body = self.strong(1, 2, v.channels, 12)
        for name in v.policy_heads:
            own = self.strong(1, 2, v.channels, 12) if name == "soft" else b""
            body += message(_POLICY[name], own + self.policy_tail((3, 5, 7), 8, 9))
        return message(45, body)

    def value(self) -> bytes:
        v = self.variant
        outputs = 3 if v.wdl else 1

        def head(squares: int, hidden: int, out: int) -> bytes:
            body = self.strong(squares, squares + 1, v.channels, 4)
            body += self.strong(hidden, hidden + 1, 256, v.value_hidden)
            return body + self.strong(out, out + 1, v.value_hidden, outputs)

        if not v.layers:
            return self.conv(6, 1, v.channels, 2) + self.dense(7, 8, 128, 6) + self.dense(9, 10, 6, outputs)
        if not v.value_heads:
            return head(29, 7, 9)
        return message(44, b"".join(message(_VALUE[name], head(1, 3, 5)) for name in v.value_heads))

    def weights(self) -> bytes:
        v = self.variant
        body = self.body() + self.policy() + self.value()
        if v.moves_left and v.layers:
            body += self.strong(31, 32, v.channels, 2) + self.strong(13, 14, 128, 3)
            body += self.strong(15, 16, 3, 1)
        elif v.moves_left:
            body += self.conv(12, 1, v.channels, 2) + self.dense(13, 14, 128, 3) + self.dense(15, 16, 3, 1)
        return body

    def format(self) -> bytes:
        v = self.variant
        network = integer(1, v.input) + integer(2, 2 if v.wdl else 1) + integer(3, v.structure)
        network += integer(4, 3) + integer(5, 2 if v.wdl else 1)
        network += integer(6, int(v.moves_left)) + integer(7, int(v.mish))
        if v.smolgen_activation:
            network += integer(8, v.smolgen_activation)
        if v.ffn_activation:
            network += integer(9, v.ffn_activation)
        if v.embedding is not None:
            network += integer(10, v.embedding)
        return integer(1, 1) + message(2, network)
