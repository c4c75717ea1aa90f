"""Othello's ladder of levels, weakest first, by plies of alpha-beta (docs/strength.md)."""

from __future__ import annotations

from kibitz.games.level import Level

__all__ = ["LEVELS"]


def _level(name: str, description: str, depth: int, spread: float, most_loss: float) -> Level:
    # The time limit only guards against a stalled machine: these depths take a fraction of it.
    options = {"search": "alphabeta", "depth": depth, "multi_pv": 64}
    return Level(name, description, {"seconds": 2.0}, options, spread, most_loss)


LEVELS = (
    _level("beginner", "takes what looks good at once, and often something else", 1, 0.35, 0.75),
    _level("casual", "sees the reply, and errs now and then", 2, 0.12, 0.35),
    _level("club", "knows corners and mobility, sees three plies", 3, 0.07, 0.2),
    _level("strong", "sees five plies, rarely gives much away", 5, 0.04, 0.12),
    _level("expert", "sees seven plies, errs only slightly", 7, 0.02, 0.06),
    Level("master", "sees twelve plies", {"seconds": 2.0}, {"search": "alphabeta", "depth": 12}),
    Level("full", "two seconds for its best move", {"seconds": 2.0}, {"search": "alphabeta"}),
)
