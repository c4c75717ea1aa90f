"""KataGo's network files: `.bin.gz`, `.bin`, `.txt.gz`, `.txt` of model versions 8 to 17.

The format is a sequence of words; weights follow as numbers (text files) or as `@BIN@` and little-endian
float32 (the others). The facts are those of KataGo's `cpp/neuralnet/desc.cpp` at v1.17.2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.nets.files import NetworkFile
from kibitz.nets.katago_profiles import INPUTS
from kibitz.nets.katago_words import Words, words_of

Array = npt.NDArray[np.float32]

OLDEST, NEWEST = 8, 17
_PLANES, _GLOBALS = 22, 19
_MAX_BLOCKS = 1000
_MAX_NESTING = 4
_ACTIVATIONS = {
    "ACTIVATION_IDENTITY": "identity",
    "ACTIVATION_RELU": "relu",
    "ACTIVATION_MISH": "mish",
    "ACTIVATION_SILU": "silu",
}


@dataclass(frozen=True)
class Conv:
    """A convolution with weights in the order out, in, y, x."""

    name: str
    weights: Array
    dilation: tuple[int, int]

    @property
    def inputs(self) -> int:
        return int(self.weights.shape[1])

    @property
    def outputs(self) -> int:
        return int(self.weights.shape[0])


@dataclass(frozen=True)
class Norm:
    """A batch norm as what it does at play, x * scale + bias, and the activation after it."""

    scale: Array
    bias: Array
    activation: str


@dataclass(frozen=True)
class RmsNorm:
    """Division by the root of the mean square: of a point's channels, or (`spatial`) of the whole board."""

    weight: Array
    bias: Array | None
    epsilon: float
    spatial: bool = False
    activation: str = "identity"


@dataclass(frozen=True)
class Ordinary:
    before: Norm
    conv1: Conv
    middle: Norm
    conv2: Conv


@dataclass(frozen=True)
class Pooling:
    before: Norm
    conv1: Conv
    pool_conv: Conv
    pool_norm: Norm
    pool_to_bias: Array
    middle: Norm
    conv2: Conv


@dataclass(frozen=True)
class Nested:
    before: Norm
    shrink: Conv
    blocks: tuple[Block, ...]
    after: Norm
    widen: Conv


@dataclass(frozen=True)
class Attention:
    """Self-attention over the points of the board, with rotary positions when `rotary` is given.

    `rotary` has shape (key heads, head size / 2, 2): how far a pair of channels turns per column and per row.
    """

    heads: int
    key_heads: int
    norm: RmsNorm
    queries: Array
    keys: Array
    values: Array
    out: Array
    rotary: Array | None


@dataclass(frozen=True)
class FeedForward:
    """silu(x A) * (x B) C, point by point."""

    norm: RmsNorm
    first: Array
    gate: Array
    second: Array


Block = Ordinary | Pooling | Nested | Attention | FeedForward


@dataclass(frozen=True)
class MetadataEncoder:
    """What a human network makes of the players and the game: two hidden layers, added to the trunk."""

    first: Array
    first_bias: Array
    first_activation: str
    second: Array
    second_bias: Array
    second_activation: str
    out: Array

    def __call__(self, inputs: Array) -> Array:
        hidden = _activated(self.first_activation, inputs @ self.first + self.first_bias)
        hidden = _activated(self.second_activation, hidden @ self.second + self.second_bias)
        return np.asarray(hidden @ self.out, np.float32)


def _activated(kind: str, value: Array) -> Array:
    if kind == "relu":
        return np.maximum(value, 0)
    if kind == "silu":
        return np.asarray(value / (1 + np.exp(-value)))
    if kind == "mish":
        return value * np.tanh(np.logaddexp(0, value))
    return value


@dataclass(frozen=True)
class Trunk:
    channels: int
    first: Conv
    from_globals: Array
    blocks: tuple[Block, ...]
    tip: Norm | RmsNorm
    #: Of networks that imitate people (human SL).
    metadata: MetadataEncoder | None = None


@dataclass(frozen=True)
class PolicyHead:
    """`pass_hidden`, its bias and activation came with version 15: two layers instead of one."""

    conv: Conv
    pool_conv: Conv
    pool_norm: Norm
    pool_to_bias: Array
    norm: Norm
    to_points: Conv
    to_pass: Array
    pass_bias: Array | None = None
    pass_activation: str = "identity"
    pass_out: Array | None = None


@dataclass(frozen=True)
class ValueHead:
    conv: Conv
    norm: Norm
    hidden: Array
    hidden_bias: Array
    activation: str
    value: Array
    value_bias: Array
    score: Array
    score_bias: Array
    ownership: Conv


@dataclass(frozen=True)
class Multipliers:
    """What the outputs are scaled with; from version 13 on the file says it."""

    td_score: float = 20.0
    score_mean: float = 20.0
    score_stdev: float = 20.0
    lead: float = 20.0
    variance_time: float = 40.0
    shortterm_value_error: float = 0.25
    shortterm_score_error: float = 30.0


@dataclass(frozen=True)
class KataGoModel:
    name: str
    version: int
    multipliers: Multipliers
    trunk: Trunk
    policy: PolicyHead
    value: ValueHead
    #: True when the pass-alive planes must be made as if suicide were legal (a flag of version 15 on).
    pass_alive_under_suicide: bool = False

    @property
    def policy_channels(self) -> int:
        return self.policy.to_points.outputs


def read_katago(file: NetworkFile) -> KataGoModel:
    """Parses the file; raises `BadNetwork` with one line that says what was wrong or unsupported."""
    words = words_of(file)
    model = _Reader(words).model()
    words.finish()
    return model


class _Reader:
    """Reads the parts in the order of the file; a wrong number of channels is found where it stands."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self.version = 0
        #: The version of the metadata encoder, 0 where there is none.
        self.encoder = 0

    def model(self) -> KataGoModel:
        words = self.words
        name = words.word("the network's name")
        version = words.word("the version")
        if not version.isdecimal() or len(version) > 9:
            raise words.error(f"the version is {version[:40]!r}; expected a number")
        self.version = int(version)
        if self.version < OLDEST:
            raise words.error(
                f"KataGo model version {self.version} is too old; {OLDEST} to {NEWEST} are read"
            )
        if self.version > NEWEST:
            raise words.error(
                f"KataGo model version {self.version} is not supported; {OLDEST} to {NEWEST} are"
            )
        planes = words.integer("the number of planes", 1, 1 << 12)
        features = words.integer("the number of global inputs", 1, 1 << 12)
        if (planes, features) != (_PLANES, _GLOBALS):
            raise words.error(
                f"{planes} planes and {features} global inputs; expected {_PLANES} and {_GLOBALS}"
            )
        multipliers = Multipliers()
        if self.version >= 13:
            multipliers = Multipliers(*(words.positive("a multiplier") for _ in range(7)))
        under_suicide = False
        if self.version >= 15:
            self.encoder = words.integer("the metadata encoder's version", 0, 1 << 30)
            if self.encoder > 1:
                raise words.error(f"metadata encoders of version {self.encoder} are not supported")
            under_suicide = bool(words.integer("the pass-alive flag", 0, 1))
            self.zeros(6, "model")
        trunk = self.trunk()
        policy = self.policy(trunk.channels)
        value = self.value(trunk.channels)
        return KataGoModel(name, self.version, multipliers, trunk, policy, value, under_suicide)

    def zeros(self, count: int, where: str) -> None:
        for _ in range(count):
            if self.words.integer(f"an option of the {where}", -(1 << 30), 1 << 30):
                raise self.words.error(f"an option of the {where} that no known KataGo has")

    def conv(self, inputs: int | None = None, outputs: int | None = None) -> Conv:
        words = self.words
        name = words.word("a convolution's name")
        height = words.integer(f"{name}'s height", 1, 31)
        width = words.integer(f"{name}'s width", 1, 31)
        ins = words.channels(f"{name}'s inputs", inputs)
        outs = words.channels(f"{name}'s outputs", outputs)
        dilation = (words.integer(f"{name}'s dilation", 1, 16), words.integer(f"{name}'s dilation", 1, 16))
        if height % 2 == 0 or width % 2 == 0:
            raise words.error(f"{name} is {height}x{width}; a convolution has odd sizes")
        weights = words.floats(name, height * width * ins * outs).reshape(height, width, ins, outs)
        return Conv(name, np.ascontiguousarray(weights.transpose(3, 2, 0, 1)), dilation)

    def norm(self, channels: int) -> Norm:
        words = self.words
        name = words.word("a norm's name")
        words.channels(f"{name}'s channels", channels)
        epsilon = words.positive(f"{name}'s epsilon")
        has_scale = words.integer(f"{name}'s scale flag", 0, 1)
        has_bias = words.integer(f"{name}'s bias flag", 0, 1)
        mean = words.floats(name, channels)
        variance = words.floats(name, channels)
        scale = words.floats(name, channels) if has_scale else np.ones(channels, np.float32)
        bias = words.floats(name, channels) if has_bias else np.zeros(channels, np.float32)
        if np.any(variance + epsilon <= 0):
            raise words.error(f"{name} has a variance that is not positive")
        merged = (scale / np.sqrt(variance + np.float32(epsilon))).astype(np.float32)
        return Norm(merged, (bias - merged * mean).astype(np.float32), self.activation())

    def activation(self) -> str:
        name = self.words.word("an activation's name")
        if self.version < 11:
            return "relu"
        kind = self.words.word(f"the kind of {name}")
        if kind not in _ACTIVATIONS:
            raise self.words.error(f"{name}: unknown activation {kind[:40]}")
        return _ACTIVATIONS[kind]

    def matrix(self, inputs: int | None = None, outputs: int | None = None) -> Array:
        words = self.words
        name = words.word("a matrix's name")
        ins = words.channels(f"{name}'s inputs", inputs)
        outs = words.channels(f"{name}'s outputs", outputs)
        return words.floats(name, ins * outs).reshape(ins, outs)

    def bias(self, channels: int) -> Array:
        name = self.words.word("a bias's name")
        self.words.channels(f"{name}'s channels", channels)
        return self.words.floats(name, channels)

    def trunk(self) -> Trunk:
        words = self.words
        words.word("the trunk's name")
        count = words.integer("the number of blocks", 1, _MAX_BLOCKS)
        channels = words.channels("the trunk's channels")
        for what in ("middle", "regular", "dilated", "pooling"):
            words.integer(f"the number of {what} channels", 0, 1 << 20)
        rms_tip = False
        if self.version >= 15:
            rms_tip = bool(words.integer("the kind of the trunk's norm", 0, 1))
            self.zeros(5, "trunk")
        first = self.conv(_PLANES, channels)
        from_globals = self.matrix(_GLOBALS, channels)
        metadata = self.metadata(channels) if self.encoder else None
        blocks = self.blocks(count, channels, 0)
        tip = self.rms_tip(channels) if rms_tip else self.norm(channels)
        return Trunk(channels, first, from_globals, blocks, tip, metadata)

    def metadata(self, channels: int) -> MetadataEncoder:
        self.words.word("the metadata encoder's name")
        inputs = self.words.channels("the metadata encoder's inputs", INPUTS)
        first = self.matrix(inputs)
        first_bias = self.bias(first.shape[1])
        first_activation = self.activation()
        second = self.matrix(first.shape[1])
        second_bias = self.bias(second.shape[1])
        second_activation = self.activation()
        out = self.matrix(second.shape[1], channels)
        return MetadataEncoder(
            first, first_bias, first_activation, second, second_bias, second_activation, out
        )

    def blocks(self, count: int, channels: int, depth: int) -> tuple[Block, ...]:
        return tuple(self.block(channels, depth) for _ in range(count))

    def block(self, channels: int, depth: int) -> Block:
        kind = self.words.word("a block's kind")
        if kind == "ordinary_block":
            return self.ordinary(channels)
        if kind == "gpool_block":
            return self.pooling(channels)
        if kind == "nested_bottleneck_block":
            if depth >= _MAX_NESTING:
                raise self.words.error(f"blocks are nested deeper than {_MAX_NESTING}")
            return self.nested(channels, depth)
        if kind == "transformer_attention_block":
            return self.attention(channels)
        if kind == "transformer_ffn_block":
            return self.feed_forward(channels)
        raise self.words.error(f"unknown kind of block {kind[:40]!r}")

    def ordinary(self, channels: int) -> Ordinary:
        self.words.word("a block's name")
        before = self.norm(channels)
        conv1 = self.conv(channels)
        middle = self.norm(conv1.outputs)
        return Ordinary(before, conv1, middle, self.conv(conv1.outputs, channels))

    def pooling(self, channels: int) -> Pooling:
        self.words.word("a block's name")
        before = self.norm(channels)
        conv1 = self.conv(channels)
        pool_conv = self.conv(channels)
        pool_norm = self.norm(pool_conv.outputs)
        pool_to_bias = self.matrix(3 * pool_conv.outputs, conv1.outputs)
        middle = self.norm(conv1.outputs)
        conv2 = self.conv(conv1.outputs, channels)
        return Pooling(before, conv1, pool_conv, pool_norm, pool_to_bias, middle, conv2)

    def nested(self, channels: int, depth: int) -> Nested:
        self.words.word("a block's name")
        count = self.words.integer("the number of inner blocks", 1, _MAX_BLOCKS)
        before = self.norm(channels)
        shrink = self.conv(channels)
        blocks = self.blocks(count, shrink.outputs, depth + 1)
        after = self.norm(shrink.outputs)
        return Nested(before, shrink, blocks, after, self.conv(shrink.outputs, channels))

    def rms_norm(self, channels: int) -> RmsNorm:
        name = self.words.word("a norm's name")
        self.words.channels(f"{name}'s channels", channels)
        epsilon = self.words.positive(f"{name}'s epsilon")
        return RmsNorm(self.words.floats(name, channels), None, epsilon)

    def rms_tip(self, channels: int) -> RmsNorm:
        words = self.words
        name = words.word("the trunk's norm")
        words.channels(f"{name}'s channels", channels)
        epsilon = words.positive(f"{name}'s epsilon")
        spatial = bool(words.integer(f"{name}'s spatial flag", 0, 1))
        if words.integer(f"{name}'s group size", 0, 1 << 20):
            raise words.error(f"{name}: norms over groups of channels are not supported")
        weight, bias = words.floats(name, channels), words.floats(name, channels)
        return RmsNorm(weight, bias, epsilon, spatial, self.activation())

    def attention(self, channels: int) -> Attention:
        words = self.words
        name = words.word("a block's name")
        heads = words.integer(f"{name}'s heads", 1, 1 << 10)
        key_heads = words.integer(f"{name}'s key heads", 1, 1 << 10)
        size = words.integer(f"{name}'s head size", 1, 1 << 14)
        value_size = words.integer(f"{name}'s value size", 1, 1 << 14)
        rotary, learned = (bool(words.integer(f"{name}'s flag", 0, 1)) for _ in range(2))
        if heads % key_heads:
            raise words.error(f"{name}: {heads} heads cannot share {key_heads} key heads")
        if rotary and size % 2:
            raise words.error(f"{name}: rotary positions need an even head size, not {size}")
        norm = self.rms_norm(channels)
        queries = self.matrix(channels, heads * size)
        keys = self.matrix(channels, key_heads * size)
        values = self.matrix(channels, key_heads * value_size)
        out = self.matrix(heads * value_size, channels)
        turns = None
        if rotary and learned:
            label = words.word(f"{name}'s frequencies")
            words.channels(f"{label}'s heads", key_heads)
            words.channels(f"{label}'s pairs", size // 2)
            words.integer(f"{label}'s axes", 2, 2)
            turns = words.floats(label, key_heads * size).reshape(key_heads, size // 2, 2)
        elif rotary:
            words.word(f"{name}'s theta")
            turns = _fixed_turns(words.positive(f"{name}'s theta"), key_heads, size // 2)
        return Attention(heads, key_heads, norm, queries, keys, values, out, turns)

    def feed_forward(self, channels: int) -> FeedForward:
        words = self.words
        name = words.word("a block's name")
        words.channels(f"{name}'s channels", channels)
        hidden = words.channels(f"{name}'s hidden channels")
        if not words.integer(f"{name}'s gate flag", 0, 1):
            raise words.error(f"{name}: feed-forward blocks without a gate are not supported")
        norm = self.rms_norm(channels)
        first, gate = self.matrix(channels, hidden), self.matrix(channels, hidden)
        return FeedForward(norm, first, gate, self.matrix(hidden, channels))

    def policy(self, channels: int) -> PolicyHead:
        words = self.words
        words.word("the policy head's name")
        outputs = 4 if self.version == 16 else 2 if self.version >= 12 else 1
        if self.version >= 17:
            outputs = words.integer("the number of policies", 2, 4)
            self.zeros(3, "policy head")
        conv = self.conv(channels)
        pool_conv = self.conv(channels)
        pool_norm = self.norm(pool_conv.outputs)
        pool_to_bias = self.matrix(3 * pool_conv.outputs, conv.outputs)
        norm = self.norm(conv.outputs)
        to_points = self.conv(conv.outputs, outputs)
        if self.version < 15:
            to_pass = self.matrix(3 * pool_conv.outputs, outputs)
            return PolicyHead(conv, pool_conv, pool_norm, pool_to_bias, norm, to_points, to_pass)
        to_pass = self.matrix(3 * pool_conv.outputs, conv.outputs)
        bias = self.bias(conv.outputs)
        activation = self.activation()
        out = self.matrix(conv.outputs, outputs)
        return PolicyHead(
            conv, pool_conv, pool_norm, pool_to_bias, norm, to_points, to_pass, bias, activation, out
        )

    def value(self, channels: int) -> ValueHead:
        self.words.word("the value head's name")
        if self.version >= 17:
            self.zeros(3, "value head")
        conv = self.conv(channels)
        norm = self.norm(conv.outputs)
        hidden = self.matrix(3 * conv.outputs)
        size = int(hidden.shape[1])
        hidden_bias = self.bias(size)
        activation = self.activation()
        value, value_bias = self.matrix(size, 3), self.bias(3)
        scores = 6 if self.version >= 9 else 4
        score, score_bias = self.matrix(size, scores), self.bias(scores)
        ownership = self.conv(conv.outputs, 1)
        return ValueHead(
            conv, norm, hidden, hidden_bias, activation, value, value_bias, score, score_bias, ownership
        )


def _fixed_turns(theta: float, heads: int, pairs: int) -> Array:
    """The first half of the pairs turns with the row, the rest with the column, each slower than the last."""
    turns = np.zeros((pairs, 2), np.float32)
    half = pairs // 2
    for pair in range(pairs):
        axis, step = (1, pair) if pair < half else (0, pair - half)
        turns[pair, axis] = math.pow(theta, -2 * step / pairs)
    return np.ascontiguousarray(np.broadcast_to(turns, (heads, pairs, 2)))
