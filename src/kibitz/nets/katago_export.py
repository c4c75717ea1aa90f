"""Writes a `KataGoModel` as KataGo's `.bin.gz`, version 8 to 10: trunks of ordinary and pooling blocks.

Norms are written with mean 0 and a variance that makes their divisor 1, so that scale and bias are what the
model has.
"""

from __future__ import annotations

import gzip

import numpy as np
import numpy.typing as npt

from kibitz.nets.files import BadNetwork
from kibitz.nets.katago import Block, Conv, KataGoModel, Norm, Ordinary, Pooling

Array = npt.NDArray[np.float32]

_EPSILON = "0.001"


def katago_bytes(model: KataGoModel) -> bytes:
    """The bytes of a `.bin.gz` file. The same model gives the same bytes."""
    if not 8 <= model.version <= 10:
        raise BadNetwork(f"KataGo model version {model.version} is not written; 8 to 10 are")
    writer = _Writer()
    writer.model(model)
    return gzip.compress(bytes(writer.data), mtime=0)


class _Writer:
    def __init__(self) -> None:
        self.data = bytearray()

    def words(self, *words: object) -> None:
        self.data += ("\n".join(map(str, words)) + "\n").encode("ascii")

    def floats(self, values: Array) -> None:
        self.data += b"@BIN@" + np.ascontiguousarray(values, "<f4").tobytes() + b"\n"

    def conv(self, name: str, conv: Conv) -> None:
        height, width = conv.weights.shape[2:]
        self.words(name, height, width, conv.inputs, conv.outputs, *conv.dilation)
        self.floats(conv.weights.transpose(2, 3, 1, 0))

    def norm(self, name: str, norm: Norm) -> None:
        channels = len(norm.scale)
        if norm.activation != "relu":
            raise BadNetwork("KataGo files of these versions have ReLUs only")
        self.words(name, channels, _EPSILON, 1, 1)
        self.floats(np.zeros(channels, np.float32))
        self.floats(np.full(channels, 1 - float(_EPSILON), np.float32))
        self.floats(norm.scale)
        self.floats(norm.bias)
        self.words(name + "/relu")

    def matrix(self, name: str, weights: Array) -> None:
        self.words(name, *weights.shape)
        self.floats(weights)

    def bias(self, name: str, values: Array) -> None:
        self.words(name, len(values))
        self.floats(values)

    def model(self, model: KataGoModel) -> None:
        trunk = model.trunk
        self.words(model.name, model.version, trunk.first.inputs, len(trunk.from_globals))
        pooled = [block for block in trunk.blocks if isinstance(block, Pooling)]
        regular, pool = (
            (pooled[0].conv1.outputs, pooled[0].pool_conv.outputs)
            if pooled
            else (trunk.channels, trunk.channels)
        )
        self.words("trunk", len(trunk.blocks), trunk.channels, trunk.channels, regular, regular, pool)
        self.conv("conv1", trunk.first)
        self.matrix("ginputw", trunk.from_globals)
        for number, block in enumerate(trunk.blocks):
            self.block(f"block{number}", block)
        assert isinstance(trunk.tip, Norm)
        self.norm("trunk/norm", trunk.tip)
        self.policy(model)
        self.value(model)

    def block(self, name: str, block: Block) -> None:
        if isinstance(block, Ordinary):
            self.words("ordinary_block", name)
            self.norm(f"{name}/norm1", block.before)
            self.conv(f"{name}/w1", block.conv1)
            self.norm(f"{name}/norm2", block.middle)
            self.conv(f"{name}/w2", block.conv2)
        elif isinstance(block, Pooling):
            self.words("gpool_block", name)
            self.norm(f"{name}/norm1", block.before)
            self.conv(f"{name}/w1a", block.conv1)
            self.conv(f"{name}/w1b", block.pool_conv)
            self.norm(f"{name}/norm1b", block.pool_norm)
            self.matrix(f"{name}/w1r", block.pool_to_bias)
            self.norm(f"{name}/norm2", block.middle)
            self.conv(f"{name}/w2", block.conv2)
        else:
            raise BadNetwork(f"a block of the kind {type(block).__name__.lower()} is not written")

    def policy(self, model: KataGoModel) -> None:
        head = model.policy
        self.words("policyhead")
        self.conv("p1/w", head.conv)
        self.conv("g1/w", head.pool_conv)
        self.norm("g1/norm", head.pool_norm)
        self.matrix("matmulg2w", head.pool_to_bias)
        self.norm("p1/norm", head.norm)
        self.conv("p2/w", head.to_points)
        self.matrix("matmulpass", head.to_pass)

    def value(self, model: KataGoModel) -> None:
        head = model.value
        self.words("valuehead")
        self.conv("v1/w", head.conv)
        self.norm("v1/norm", head.norm)
        self.matrix("v2/w", head.hidden)
        self.bias("v2/b", head.hidden_bias)
        self.words("v2/relu")
        self.matrix("v3/w", head.value)
        self.bias("v3/b", head.value_bias)
        self.matrix("sv3/w", head.score)
        self.bias("sv3/b", head.score_bias)
        self.conv("vownership/w", head.ownership)
