"""A playing strength for people: how deep it looks, and how far from the best move it may stray.

>>> Level("casual", "sees two plies", {"seconds": 1.0}, {"depth": 2}, spread=0.1, most_loss=0.3).name
'casual'
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any


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
    #: Elo above the first level of the game, to the nearest 50, by its ladder (docs/lab/strength.md).
    rating: int | None = None


def by_simulations(
    name: str,
    description: str,
    simulations: int,
    spread: float,
    seconds: float = 2.0,
    options: Mapping[str, Any] | None = None,
) -> Level:
    """A level whose limit is simulations; the time only guards against a slow machine. A move that loses more
    than four times what is overlooked is seen."""
    budget = {"simulations": simulations, "seconds": seconds}
    return Level(name, description, budget, options or {}, spread, 4 * spread)


def rated(levels: Sequence[Level], ratings: Sequence[int]) -> tuple[Level, ...]:
    """The levels with what their ladder measured."""
    return tuple(replace(level, rating=rating) for level, rating in zip(levels, ratings, strict=True))


def ladder() -> tuple[Level, ...]:
    """Nine levels by what every search has."""
    return (
        by_simulations("beginner", "reads little and overlooks much", 60, 0.12, 1.0),
        by_simulations("novice", "reads a little more", 120, 0.08, 1.0),
        by_simulations("casual", "sees simple threats", 250, 0.055, 1.0),
        by_simulations("improver", "errs now and then", 500, 0.035, 1.0),
        by_simulations("club", "rarely gives much away", 1_200, 0.02, 1.5),
        by_simulations("strong", "errs only slightly", 3_000, 0.012, 1.5),
        by_simulations("expert", "errs very slightly", 10_000, 0.006, 1.5),
        by_simulations("master", "plays its best move", 50_000, 0.0),
        by_simulations("full", "two seconds for its best move", 10_000_000, 0.0),
    )
