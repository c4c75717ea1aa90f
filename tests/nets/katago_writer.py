"""Writes KataGo network files with random weights: every version, every kind of block, in a few kilobytes."""

from __future__ import annotations

import numpy as np

_ACTIVATION = "ACTIVATION_MISH"


class Writer:
    """Builds the bytes of a file; `text` writes the weights as numbers instead of `@BIN@` blocks."""

    def __init__(self, version: int, *, text: bool = False, seed: int = 1, sharp: float = 1.0) -> None:
        self.version = version
        #: Scale of the first layer and of the last one of the policy; at 1 it likes all points alike.
        self.sharp = sharp
        self.text = text
        self.random = np.random.default_rng(seed)
        self.data = b""

    def words(self, *words: object) -> None:
        self.data += " ".join(map(str, words)).encode() + b"\n"

    def floats(self, count: int, scale: float = 0.2, shift: float = 0.0) -> None:
        values = (self.random.standard_normal(count) * scale + shift).astype("<f4")
        if self.text:
            self.words(*(repr(float(value)) for value in values))
        else:
            self.data += b"@BIN@" + values.tobytes() + b"\n"

    def conv(self, size: int, inputs: int, outputs: int, scale: float = 1.0) -> None:
        self.words("conv", size, size, inputs, outputs, 1, 1)
        self.floats(size * size * inputs * outputs, scale * 0.5 / np.sqrt(size * size * inputs))

    def norm(self, channels: int) -> None:
        self.words("norm", channels, "0.001", 1, 1)
        self.floats(channels)
        self.floats(channels, 0.05, 1.0)
        self.floats(channels, 0.1, 1.0)
        self.floats(channels)
        self.activation()

    def activation(self) -> None:
        self.words("act", *([_ACTIVATION] if self.version >= 11 else []))

    def matrix(self, inputs: int, outputs: int) -> None:
        self.words("matmul", inputs, outputs)
        self.floats(inputs * outputs, 0.5 / np.sqrt(inputs))

    def bias(self, channels: int) -> None:
        self.words("bias", channels)
        self.floats(channels)

    def ordinary(self, channels: int) -> None:
        self.words("ordinary_block", "block")
        self.norm(channels)
        self.conv(3, channels, channels)
        self.norm(channels)
        self.conv(3, channels, channels)

    def pooling(self, channels: int, pooled: int) -> None:
        self.words("gpool_block", "block")
        self.norm(channels)
        self.conv(3, channels, channels)
        self.conv(3, channels, pooled)
        self.norm(pooled)
        self.matrix(3 * pooled, channels)
        self.norm(channels)
        self.conv(3, channels, channels)

    def nested(self, channels: int, inner: int) -> None:
        self.words("nested_bottleneck_block", "block", 2)
        self.norm(channels)
        self.conv(1, channels, inner)
        self.pooling(inner, 2)
        self.ordinary(inner)
        self.norm(inner)
        self.conv(1, inner, channels)

    def rms(self, channels: int) -> None:
        self.words("rms", channels, "0.00001")
        self.floats(channels, 0.1, 1.0)

    def attention(self, channels: int, *, learned: bool) -> None:
        self.words("transformer_attention_block", "block", 4, 2, 6, 3, 1, int(learned))
        self.rms(channels)
        self.matrix(channels, 24)
        self.matrix(channels, 12)
        self.matrix(channels, 6)
        self.matrix(12, channels)
        if learned:
            self.words("freqs", 2, 3, 2)
            self.floats(12)
        else:
            self.words("theta", "50.0")

    def feed_forward(self, channels: int) -> None:
        self.words("transformer_ffn_block", "block", channels, 20, 1)
        self.rms(channels)
        self.matrix(channels, 20)
        self.matrix(channels, 20)
        self.matrix(20, channels)

    def heads(self, channels: int) -> None:
        self.words("policyhead")
        outputs = 4 if self.version == 16 else 2 if self.version >= 12 else 1
        if self.version >= 17:
            self.words(outputs, 0, 0, 0)
        self.conv(1, channels, 4)
        self.conv(1, channels, 3)
        self.norm(3)
        self.matrix(9, 4)
        self.norm(4)
        self.conv(1, 4, outputs, self.sharp)
        if self.version >= 15:
            self.matrix(9, 4)
            self.bias(4)
            self.activation()
            self.matrix(4, outputs)
        else:
            self.matrix(9, outputs)
        self.words("valuehead")
        if self.version >= 17:
            self.words(0, 0, 0)
        self.conv(1, channels, 4)
        self.norm(4)
        self.matrix(12, 5)
        self.bias(5)
        self.activation()
        self.matrix(5, 3)
        self.bias(3)
        scores = 6 if self.version >= 9 else 4
        self.matrix(5, scores)
        self.bias(scores)
        self.conv(1, 4, 1)

    def metadata(self, channels: int) -> None:
        """The encoder of a human network."""
        self.words("meta", 192)
        self.matrix(192, 8)
        self.bias(8)
        self.activation()
        self.matrix(8, 5)
        self.bias(5)
        self.activation()
        self.matrix(5, channels)

    def header(self, blocks: int, channels: int, *, rms_tip: bool = False, human: bool = False) -> None:
        self.words("random-net", self.version, 22, 19)
        if self.version >= 13:
            self.words(20, 20, 20, 20, 40, 0.25, 150)
        if self.version >= 15:
            self.words(int(human), 0, 0, 0, 0, 0, 0, 0)
        self.words("trunk", blocks, channels, channels, channels, channels, 2)
        if self.version >= 15:
            self.words(int(rms_tip), 0, 0, 0, 0, 0)
        self.conv(3, 22, channels, self.sharp)
        self.matrix(19, channels)
        if human:
            self.metadata(channels)


def katago_file(
    version: int,
    *,
    text: bool = False,
    transformer: bool = False,
    seed: int = 1,
    human: bool = False,
    sharp: float = 1.0,
) -> bytes:
    """A whole network, unpacked."""
    channels = 6
    writer = Writer(version, text=text, seed=seed, sharp=sharp)
    blocks = 3 + 3 * transformer
    writer.header(blocks, channels, rms_tip=transformer, human=human)
    writer.ordinary(channels)
    writer.pooling(channels, 3)
    writer.nested(channels, 4)
    if transformer:
        writer.attention(channels, learned=True)
        writer.feed_forward(channels)
        writer.attention(channels, learned=False)
        writer.words("tip", channels, "0.00001", 1, 0)
        writer.floats(channels, 0.1, 1.0)
        writer.floats(channels)
        writer.activation()
    else:
        writer.norm(channels)
    writer.heads(channels)
    return writer.data
