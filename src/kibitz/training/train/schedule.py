"""The learning rate at a step."""

from __future__ import annotations

import math

from kibitz.training.train.config import OptimizerConfig


def rate_at(config: OptimizerConfig, step: int, steps: int) -> float:
    """Up in a line during the warm-up, then down to `final` times the rate.

    >>> rate_at(OptimizerConfig(rate=1.0, warmup=10, final=0.1), 0, 100)
    0.1
    """
    if step < config.warmup:
        return config.rate * (step + 1) / config.warmup
    if config.schedule == "constant":
        return config.rate
    done = (step - config.warmup) / max(1, steps - config.warmup)
    done = min(1.0, done)
    down = (1 + math.cos(math.pi * done)) / 2 if config.schedule == "cosine" else 1 - done
    return config.rate * (config.final + (1 - config.final) * down)
