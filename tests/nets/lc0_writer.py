"""Writes small Lc0 network files with random weights: the wire format by hand, every supported form."""

from __future__ import annotations

import struct

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float32]

LINEAR16, FLOAT16, BFLOAT16, FLOAT32 = 1, 2, 3, 4


def varint(number: int) -> bytes:
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def integer(field: int, number: int) -> bytes:
    return varint(field << 3) + varint(number)


def real(field: int, number: float) -> bytes:
    return varint(field << 3 | 5) + struct.pack("<f", number)


def message(field: int, body: bytes) -> bytes:
    return varint(field << 3 | 2) + varint(len(body)) + body


class Lc0Writer:
    """Keeps what it wrote, so that a plain evaluation can be made of the same numbers."""

    def __init__(
        self,
        *,
        channels: int = 4,
        blocks: int = 2,
        se: bool = True,
        conv_policy: bool = True,
        wdl: bool = True,
        moves_left: bool = False,
        mish: bool = False,
        batch_norm: bool = False,
        encoding: int = FLOAT32,
        seed: int = 1,
    ) -> None:
        self.channels, self.blocks, self.se = channels, blocks, se
        self.conv_policy, self.wdl, self.moves_left, self.mish = conv_policy, wdl, moves_left, mish
        self.batch_norm = batch_norm
        self.encoding = encoding
        self.random = np.random.default_rng(seed)

    def layer(self, field: int, count: int, scale: float = 0.2, shift: float = 0.0) -> bytes:
        values = (self.random.standard_normal(count) * scale + shift).astype(np.float32)
        if self.encoding == LINEAR16:
            low, high = float(values.min()), float(values.max())
            steps = np.rint((values - low) / ((high - low) or 1.0) * 0xFFFF).astype("<u2")
            return message(field, real(1, low) + real(2, high) + message(3, steps.tobytes()))
        if self.encoding == FLOAT16:
            raw = values.astype("<f2").tobytes()
        elif self.encoding == BFLOAT16:
            raw = (values.view(np.uint32) >> 16).astype("<u2").tobytes()
        else:
            raw = values.astype("<f4").tobytes()
        return message(field, message(3, raw) + integer(4, self.encoding))

    def conv(self, field: int, size: int, inputs: int, outputs: int) -> bytes:
        body = self.layer(1, size * size * inputs * outputs, 0.5 / np.sqrt(size * size * inputs))
        if self.batch_norm:
            body += self.layer(3, outputs) + self.layer(4, outputs, 0.05, 1.0)
            body += self.layer(5, outputs, 0.1, 1.0) + self.layer(6, outputs)
        else:
            body += self.layer(2, outputs)
        return message(field, body)

    def dense(self, weights: int, bias: int, inputs: int, outputs: int) -> bytes:
        return self.layer(weights, inputs * outputs, 0.5 / np.sqrt(inputs)) + self.layer(bias, outputs)

    def weights(self) -> bytes:
        n = self.channels
        body = self.conv(1, 3, 112, n)
        for _ in range(self.blocks):
            block = self.conv(1, 3, n, n) + self.conv(2, 3, n, n)
            if self.se:
                block += message(3, self.dense(1, 2, n, 2) + self.dense(3, 4, 2, 2 * n))
            body += message(2, block)
        if self.conv_policy:
            body += self.conv(11, 3, n, n) + self.conv(3, 3, n, 80)
        else:
            body += self.conv(3, 1, n, 2) + self.dense(4, 5, 128, 1858)
        body += self.conv(6, 1, n, 2) + self.dense(7, 8, 128, 6) + self.dense(9, 10, 6, 3 if self.wdl else 1)
        if self.moves_left:
            body += self.conv(12, 1, n, 2) + self.dense(13, 14, 128, 3) + self.dense(15, 16, 3, 1)
        return body

    def format(self) -> bytes:
        network = integer(1, 1) + integer(2, 2 if self.wdl else 1) + integer(3, 4 if self.se else 3)
        network += integer(4, 2 if self.conv_policy else 1) + integer(5, 2 if self.wdl else 1)
        network += integer(6, int(self.moves_left)) + integer(7, int(self.mish))
        return integer(1, 1) + message(2, network)

    def file(self, form: bytes | None = None) -> bytes:
        """The whole file, unpacked; `form` replaces the description of the network."""
        head = b"\x0d" + struct.pack("<I", 0x1C0) + message(2, b"a licence")
        head += message(4, self.format() if form is None else form) + message(5, integer(1, 1234))
        return head + message(10, self.weights())
