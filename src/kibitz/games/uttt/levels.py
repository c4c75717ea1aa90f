"""Ultimate tic-tac-toe's ladder of levels, weakest first, by simulations (docs/strength.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kibitz.games.level import Level

__all__ = ["LEVELS"]

#: The lower levels do without solvers: a beginner does not solve endings.
_UNSOLVED = {"solve_root": 0, "solve_leaves": 0}


def _level(
    name: str, description: str, simulations: int, spread: float, options: Mapping[str, Any] | None = None
) -> Level:
    # Below `full` the time limit only guards against a stalled machine.
    budget = {"simulations": simulations, "seconds": 2.0}
    return Level(name, description, budget, options or {}, spread, 4 * spread)


LEVELS = (
    _level("beginner", "looks at little and overlooks a lot", 40, 0.16, _UNSOLVED),
    _level("novice", "looks at a little more", 100, 0.09, _UNSOLVED),
    _level("casual", "sees simple threats", 250, 0.05, _UNSOLVED),
    _level("improver", "errs now and then", 600, 0.03, _UNSOLVED),
    _level("club", "rarely gives much away", 1_500, 0.018, _UNSOLVED),
    _level("strong", "errs only slightly", 3_500, 0.01),
    _level("expert", "errs very slightly", 12_000, 0.005),
    _level("master", "plays its best move", 50_000, 0.0),
    _level("full", "two seconds for its best move", 10_000_000, 0.0),
)
