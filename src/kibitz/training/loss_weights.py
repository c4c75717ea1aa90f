"""The weights of a loss (`training/model/loss.py`), apart from it: a configuration needs no torch."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LossWeights:
    """The weight of each term."""

    policy: float = 1.0
    value: float = 1.0
    score: float = 0.02
    ownership: float = 0.15
    moves_left: float = 0.02
    style: float = 0.2
    #: How much of the value's target is the search's value, where there is one.
    q_ratio: float = 0.0
