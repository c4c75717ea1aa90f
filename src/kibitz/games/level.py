"""A playing strength for people: how deep it looks, and how far from the best move it may stray.

>>> Level("casual", "sees two plies", {"seconds": 1.0}, {"depth": 2}, spread=0.1, most_loss=0.3).name
'casual'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Level", "ladder"]


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


#: Name, what to expect, simulations and seconds at most, spread.
_RUNGS = (
    ("beginner", "looks at little and overlooks a lot", 60, 1.0, 0.12),
    ("novice", "looks at a little more", 120, 1.0, 0.08),
    ("casual", "sees simple threats", 250, 1.0, 0.055),
    ("improver", "errs now and then", 500, 1.0, 0.035),
    ("club", "rarely gives much away", 1_200, 1.5, 0.02),
    ("strong", "errs only slightly", 3_000, 1.5, 0.012),
    ("expert", "errs very slightly", 10_000, 1.5, 0.006),
    ("master", "plays its best move", 50_000, 2.0, 0.0),
    ("full", "two seconds for its best move", 10_000_000, 2.0, 0.0),
)
#: Rungs that do without solvers: a beginner does not solve endings.
_WEAK = 5


def ladder(weak_options: Mapping[str, Any] | None = None) -> tuple[Level, ...]:
    """Nine levels by what every search has. `weak_options` are for the lower ones."""
    levels = []
    for number, (name, description, simulations, longest, spread) in enumerate(_RUNGS, 1):
        options = dict(weak_options or {}) if number <= _WEAK else {}
        budget = {"simulations": simulations, "seconds": longest}
        # A move that loses more than four times what is overlooked is seen.
        levels.append(Level(name, description, budget, options, spread, 4 * spread))
    return tuple(levels)
