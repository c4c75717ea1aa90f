"""Layers that towers are made of. Boards smaller than the batch's come with a mask; what lies outside of a
board stays zero, as padding is in a graph that was built for the board alone."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import nn
from torch.nn import functional

Tensor = Any

#: What is added to variances.
NORM_EPSILON = 1e-3


def shared() -> bool:
    """Whether several processes train this network together (training/train/parallel.py)."""
    return bool(torch.distributed.is_available() and torch.distributed.is_initialized())


def over_all(value: Tensor) -> Tensor:
    """The sum of a number over the processes that train together; gradients go back to all of them."""
    return _Sum.apply(value) if shared() else value


class _Sum(torch.autograd.Function):
    """What each process adds is in every process's sum, so its gradient is the sum of theirs."""

    @staticmethod
    def forward(_: Any, value: Tensor) -> Tensor:
        total = value.detach().clone()
        torch.distributed.all_reduce(total)
        return total

    @staticmethod
    def backward(_: Any, gradient: Tensor) -> Tensor:
        total = gradient.clone()
        torch.distributed.all_reduce(total)
        return total


def masked(value: Tensor, mask: Tensor | None) -> Tensor:
    return value if mask is None else value * mask.to(value.dtype)


def activation(kind: str, value: Tensor) -> Tensor:
    return functional.relu(value) if kind == "relu" else functional.mish(value)


def he(layer: Any, factor: float = 1.0) -> Any:
    """He's initialization, scaled; 0 gives zeros. Biases begin at zero."""
    weight = layer.weight
    if factor:
        nn.init.normal_(weight, std=factor * math.sqrt(2.0 / (weight[0].numel())))
    else:
        nn.init.zeros_(weight)
    if layer.bias is not None:
        nn.init.zeros_(layer.bias)
    return layer


class Norm(nn.Module):
    """x * scale + bias for each channel, after a batch norm or without one.

    Without one ("fixed") a network is the same in training and at play whatever sizes of boards a batch has;
    it relies on residual branches that begin at zero (fixup). With one ("batch") the running means are used
    at play; they are taken over the points of the boards only.
    """

    def __init__(self, channels: int, kind: str) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(channels))
        self.bias = nn.Parameter(torch.zeros(channels))
        self.kind = kind
        self.epsilon = NORM_EPSILON
        self.momentum = 0.02
        if kind == "batch":
            self.register_buffer("mean", torch.zeros(channels))
            self.register_buffer("variance", torch.ones(channels))

    def forward(self, value: Tensor, mask: Tensor | None = None) -> Tensor:
        if self.kind != "batch":
            scale, bias = self.scale.to(value.dtype), self.bias.to(value.dtype)
            return masked(value * scale[:, None, None] + bias[:, None, None], mask)
        together = self.training and shared()
        if mask is None and not together:
            return functional.batch_norm(
                value,
                self.mean,
                self.variance,
                self.scale,
                self.bias,
                self.training,
                self.momentum,
                self.epsilon,
            )
        if self.training:
            points = value[:, :1] * 0.0 + 1.0 if mask is None else mask
            count = over_all(points.sum())
            mean = over_all((value * points).sum((0, 2, 3))) / count
            centred = (value - mean[:, None, None]) * points
            variance = over_all((centred * centred).sum((0, 2, 3))) / count
            with torch.no_grad():
                self.mean.lerp_(mean.float(), self.momentum)
                # As functional.batch_norm has it.
                unbiased = count / (count - 1) if mask is None else 1.0
                self.variance.lerp_((variance * unbiased).float(), self.momentum)
        else:
            mean, variance = self.mean, self.variance
        scale = self.scale / torch.sqrt(variance + self.epsilon)
        bias = self.bias - mean * scale
        return masked(value * scale[:, None, None] + bias[:, None, None], mask)

    def folded(self) -> tuple[Tensor, Tensor]:
        """Scale and bias at play."""
        if self.kind != "batch":
            return self.scale, self.bias
        scale = self.scale / torch.sqrt(self.variance + self.epsilon)
        return scale, self.bias - self.mean * scale


class BoardScale:
    """The number of points of each board, and KataGo's measure of its size."""

    def __init__(self, mask: Tensor | None, rows: int, columns: int) -> None:
        if mask is None:
            self.points: Any = float(rows * columns)
            self.width: Any = (math.sqrt(rows * columns) - 14.0) / 10.0
        else:
            self.points = mask.sum((1, 2, 3))[:, None]
            self.width = (torch.sqrt(self.points) - 14.0) / 10.0


class BoardPool(nn.Module):
    """Mean, mean * width and maximum of planes (trunk and policy), or with the square of the width in the
    place of the maximum (value)."""

    def __init__(self, square: bool = False) -> None:
        super().__init__()
        self.square = square

    def forward(self, planes: Tensor, mask: Tensor | None, scale: BoardScale) -> Tensor:
        mean = planes.float().sum((2, 3)) / scale.points
        parts = [mean, mean * scale.width]
        if self.square:
            parts.append(mean * (scale.width**2 - 0.1))
        else:
            # After a ReLU nothing is below the zero outside of a board; below it only a mish is.
            off = planes if mask is None else planes - 5.0 * (1.0 - mask).to(planes.dtype)
            parts.append(off.amax((2, 3)).float())
        return torch.cat(parts, 1)
