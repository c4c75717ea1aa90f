"""The residual layout: Lc0's tower with squeeze-excitation, for chess."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from kibitz.nets.lc0_moves import conv_policy_places
from kibitz.nets.own.architecture import CHESS_POLICY_PLANES, Architecture
from kibitz.training.model.layers import BoardScale, Norm, activation, he
from kibitz.training.model.pooling import _AuxHead

Tensor = Any


class _Conv(nn.Module):
    """A convolution, its norm and perhaps an activation."""

    def __init__(self, inputs: int, outputs: int, size: int, norm: str, kind: str = "") -> None:
        super().__init__()
        self.conv = he(nn.Conv2d(inputs, outputs, size, padding=size // 2, bias=False))
        self.norm = Norm(outputs, norm)
        self.kind = kind

    def forward(self, value: Tensor) -> Tensor:
        value = self.norm(self.conv(value))
        return activation(self.kind, value) if self.kind else value


class _Block(nn.Module):
    def __init__(self, arch: Architecture, norm: str) -> None:
        super().__init__()
        width = arch.filters
        self.kind = arch.activation
        self.conv1 = _Conv(width, width, 3, norm, self.kind)
        self.conv2 = _Conv(width, width, 3, norm)
        nn.init.constant_(self.conv2.norm.scale, 0.0 if norm == "fixed" else 0.5)
        self.squeeze = he(nn.Linear(width, arch.squeezed))
        self.excite = he(nn.Linear(arch.squeezed, 2 * width), 0.3)
        self.width = width

    def forward(self, trunk: Tensor) -> Tensor:
        inner = self.conv2(self.conv1(trunk))
        pooled = inner.float().mean((2, 3))
        excited = self.excite(activation(self.kind, self.squeeze(pooled)))
        gate, offset = excited[:, : self.width].sigmoid(), excited[:, self.width :]
        inner = inner * gate[:, :, None, None].to(inner.dtype) + offset[:, :, None, None].to(inner.dtype)
        return activation(self.kind, inner + trunk)


class ResidualNet(nn.Module):
    """Gives a dictionary: `policy` logits, `outcome` logits (win, draw, loss), `moves_left` and `style`
    before their activations, where it has them."""

    def __init__(self, arch: Architecture, norm: str = "batch") -> None:
        super().__init__()
        self.arch = arch
        width, kind = arch.filters, arch.activation
        self.first = _Conv(arch.planes, width, 3, norm, kind)
        self.blocks = nn.ModuleList(_Block(arch, norm) for _ in range(arch.blocks))
        self.policy_first = _Conv(width, arch.policy_filters, 3, norm, kind)
        self.policy_conv = he(nn.Conv2d(arch.policy_filters, CHESS_POLICY_PLANES, 3, padding=1), 0.3)
        self.value_conv = _Conv(width, arch.value_filters, 1, norm, kind)
        self.value_hidden = he(nn.Linear(64 * arch.value_filters, arch.value_hidden))
        self.value_out = he(nn.Linear(arch.value_hidden, 3), 0.3)
        if arch.moves_left:
            self.left_conv = _Conv(width, 8, 1, norm, kind)
            self.left_hidden = he(nn.Linear(64 * 8, 64))
            self.left_out = he(nn.Linear(64, 1), 0.3)
        self.style = _AuxHead(arch, arch.style_outputs) if arch.style else None
        places = torch.from_numpy(conv_policy_places().copy())
        self.register_buffer("places", places, persistent=False)

    def forward(self, planes: Tensor, numbers: Tensor, mask: Tensor | None = None) -> dict[str, Tensor]:
        kind = self.arch.activation
        trunk = self.first(planes)
        for block in self.blocks:
            trunk = block(trunk)
        # Flattening goes by planes, as files have it, whatever the memory's order.
        policy = self.policy_conv(self.policy_first(trunk)).float().flatten(1)[:, self.places]
        hidden = activation(kind, self.value_hidden(self.value_conv(trunk).flatten(1)))
        outputs = {"policy": policy, "outcome": self.value_out(hidden).float()}
        if self.arch.moves_left:
            left = activation(kind, self.left_hidden(self.left_conv(trunk).flatten(1)))
            outputs["moves_left"] = self.left_out(left)[:, 0].float()
        if self.style is not None:
            outputs["style"] = self.style(trunk, BoardScale(None, 8, 8))
        return outputs
