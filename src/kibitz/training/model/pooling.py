"""The pooling layout: KataGo's blocks and heads, for boards of any size."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from kibitz.nets.own.architecture import SCORES, Architecture
from kibitz.training.model.layers import BoardPool, BoardScale, Norm, activation, he, masked

Tensor = Any


def _conv(inputs: int, outputs: int, size: int, factor: float = 1.0) -> Any:
    return he(nn.Conv2d(inputs, outputs, size, padding=size // 2, bias=False), factor)


def _matrix(inputs: int, outputs: int, bias: bool = False, factor: float = 0.7) -> Any:
    return he(nn.Linear(inputs, outputs, bias=bias), factor)


class _Block(nn.Module):
    def __init__(self, arch: Architecture, pools: bool, norm: str) -> None:
        super().__init__()
        width, inner = arch.filters, arch.filters - (arch.pool_filters if pools else 0)
        # Fixup: without norms, branches must not add up at the beginning.
        first = 1.0 if norm == "batch" else arch.blocks**-0.5
        self.kind = arch.activation
        self.before = Norm(width, norm)
        self.conv1 = _conv(width, inner, 3, first)
        self.middle = Norm(inner, norm)
        self.conv2 = _conv(inner, width, 3, 1.0 if norm == "batch" else 0.0)
        self.pools = pools
        if pools:
            self.pool = _conv(width, arch.pool_filters, 3, first)
            self.pool_norm = Norm(arch.pool_filters, norm)
            self.to_bias = _matrix(3 * arch.pool_filters, inner, factor=0.3)
            self.board = BoardPool()

    def forward(self, trunk: Tensor, mask: Tensor | None, scale: BoardScale) -> Tensor:
        value = activation(self.kind, self.before(trunk, mask))
        inner = self.conv1(value)
        if self.pools:
            pooled = activation(self.kind, self.pool_norm(self.pool(value), mask))
            bias = self.to_bias(self.board(pooled, mask, scale))
            inner = inner + bias[:, :, None, None].to(inner.dtype)
        inner = activation(self.kind, self.middle(inner, mask))
        return trunk + self.conv2(inner)


class _PolicyHead(nn.Module):
    def __init__(self, arch: Architecture, norm: str) -> None:
        super().__init__()
        channels = arch.policy_filters
        self.kind = arch.activation
        self.conv = _conv(arch.filters, channels, 1)
        self.pool = _conv(arch.filters, channels, 1)
        self.pool_norm = Norm(channels, norm)
        self.to_bias = _matrix(3 * channels, channels, factor=0.3)
        self.norm = Norm(channels, norm)
        self.points = _conv(channels, arch.policy_planes, 1, 0.3)
        self.passing = _matrix(3 * channels, 1, factor=0.3) if arch.has_pass else None
        self.board = BoardPool()

    def forward(self, trunk: Tensor, mask: Tensor | None, scale: BoardScale) -> Tensor:
        pooled = self.board(activation(self.kind, self.pool_norm(self.pool(trunk), mask)), mask, scale)
        value = self.conv(trunk) + self.to_bias(pooled)[:, :, None, None].to(trunk.dtype)
        points = self.points(activation(self.kind, self.norm(value, mask))).float()
        if mask is not None:
            points = points - (1.0 - mask) * 1e4
        logits = points.flatten(1)
        return logits if self.passing is None else torch.cat([logits, self.passing(pooled).float()], 1)


class _ValueHead(nn.Module):
    def __init__(self, arch: Architecture, norm: str) -> None:
        super().__init__()
        channels, hidden = arch.value_filters, arch.value_hidden
        self.kind = arch.activation
        self.conv = _conv(arch.filters, channels, 1)
        self.norm = Norm(channels, norm)
        self.hidden = _matrix(3 * channels, hidden, bias=True, factor=1.0)
        self.outcome = _matrix(hidden, 3, bias=True)
        self.score = _matrix(hidden, SCORES, bias=True, factor=0.3)
        self.ownership = _conv(channels, 1, 1, 0.3) if arch.has_ownership else None
        self.board = BoardPool(square=True)

    def forward(self, trunk: Tensor, mask: Tensor | None, scale: BoardScale) -> dict[str, Tensor]:
        planes = activation(self.kind, self.norm(self.conv(trunk), mask))
        hidden = activation(self.kind, self.hidden(self.board(planes, mask, scale)))
        outputs = {"outcome": self.outcome(hidden).float(), "score": self.score(hidden).float()}
        if self.ownership is not None:
            outputs["ownership"] = masked(self.ownership(planes).float(), mask).squeeze(1)
        return outputs


class _AuxHead(nn.Module):
    """One number, or a few, from the mean of the trunk, through a hidden layer with SiLU."""

    def __init__(self, arch: Architecture, outputs: int = 1) -> None:
        super().__init__()
        self.hidden = _matrix(arch.filters, arch.aux_hidden, bias=True, factor=1.0)
        self.out = _matrix(arch.aux_hidden, outputs, bias=True, factor=0.3)

    def forward(self, trunk: Tensor, scale: BoardScale) -> Tensor:
        mean = trunk.float().sum((2, 3)) / scale.points
        output = self.out(nn.functional.silu(self.hidden(mean))).float()
        return output[:, 0] if output.shape[1] == 1 else output


class PoolingNet(nn.Module):
    """Gives a dictionary: `policy` logits, `outcome` logits (win, loss, draw), `score` (raw outputs),
    `ownership` before its tanh, `moves_left` and `style` before their activations, where it has them."""

    def __init__(self, arch: Architecture, norm: str = "fixed") -> None:
        super().__init__()
        self.arch = arch
        self.first = _conv(arch.planes, arch.filters, 3)
        self.from_globals = _matrix(arch.globals, arch.filters) if arch.globals else None
        self.blocks = nn.ModuleList(_Block(arch, pools, norm) for pools in arch.pooled_blocks)
        self.tip = Norm(arch.filters, norm)
        self.policy = _PolicyHead(arch, norm)
        self.value = _ValueHead(arch, norm)
        self.moves_left = _AuxHead(arch) if arch.moves_left else None
        self.style = _AuxHead(arch, arch.style_outputs) if arch.style else None

    def forward(self, planes: Tensor, numbers: Tensor, mask: Tensor | None = None) -> dict[str, Tensor]:
        scale = BoardScale(mask, *planes.shape[2:])
        trunk = self.first(planes)
        if self.from_globals is not None:
            trunk = trunk + self.from_globals(numbers)[:, :, None, None].to(trunk.dtype)
        for block in self.blocks:
            trunk = block(trunk, mask, scale)
        trunk = activation(self.arch.activation, self.tip(trunk, mask))
        outputs = {"policy": self.policy(trunk, mask, scale), **self.value(trunk, mask, scale)}
        if self.moves_left is not None:
            outputs["moves_left"] = self.moves_left(trunk, scale)
        if self.style is not None:
            outputs["style"] = self.style(trunk, scale)
        return outputs
