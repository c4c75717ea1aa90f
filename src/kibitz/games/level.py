"""A playing strength for people: how deep it looks, and how far from the best move it may stray.

>>> Level("casual", "sees two plies", {"seconds": 1.0}, {"depth": 2}, spread=0.1, most_loss=0.3).name
'casual'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Level"]


@dataclass(frozen=True)
class Level:
    """One rung of a game's ladder. A weaker level searches less and chooses among plausible moves: those that
    lose at most `most_loss` of a win by its own search, e times less likely for every `spread` they lose."""

    name: str
    #: What to expect, for who chooses one.
    description: str
    #: The budget of a move: `seconds`, `simulations` or `visits`.
    budget: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    #: In parts of a win; 0 always plays the best move it sees.
    spread: float = 0.0
    most_loss: float = 0.0
