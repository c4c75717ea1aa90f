"""Ultimate tic-tac-toe's ladder of levels, weakest first, by simulations (docs/strength.md)."""

from __future__ import annotations

from kibitz.games.level import by_simulations

__all__ = ["LEVELS"]

#: The lower levels do without solvers: a beginner does not solve endings.
_UNSOLVED = {"solve_root": 0, "solve_leaves": 0}

LEVELS = (
    by_simulations("beginner", "looks at little and overlooks a lot", 40, 0.16, options=_UNSOLVED),
    by_simulations("novice", "looks at a little more", 100, 0.09, options=_UNSOLVED),
    by_simulations("casual", "sees simple threats", 250, 0.05, options=_UNSOLVED),
    by_simulations("improver", "errs now and then", 600, 0.03, options=_UNSOLVED),
    by_simulations("club", "rarely gives much away", 1_500, 0.018, options=_UNSOLVED),
    by_simulations("strong", "errs only slightly", 3_500, 0.01),
    by_simulations("expert", "errs very slightly", 12_000, 0.005),
    by_simulations("master", "plays its best move", 50_000, 0.0),
    by_simulations("full", "two seconds for its best move", 10_000_000, 0.0),
)
