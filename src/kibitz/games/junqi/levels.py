"""Junqi's ladder of levels, weakest first, by nodes and by points given away (docs/strength.md)."""

from __future__ import annotations

from kibitz.games.level import Level, by_simulations

__all__ = ["LEVELS"]

#: A point in parts of a win where the sides are equal: a commander, 100 points, is an eighth.
_POINT = 1 / 800


def _level(name: str, description: str, nodes: int, points: float, seconds: float = 1.5) -> Level:
    # Four times as many nodes score about 64%, so that the levels differ in both.
    return by_simulations(name, description, nodes, points * _POINT, seconds)


LEVELS = (
    _level("beginner", "judges moves one by one, and errs by whole pieces", 1, 24.0),
    _level("novice", "judges moves one by one, and often errs", 1, 12.0),
    _level("casual", "sees simple threats", 300, 12.0),
    _level("improver", "sees replies, errs now and then", 800, 10.0),
    _level("club", "rarely gives a piece away", 2_000, 8.0),
    _level("strong", "errs only slightly", 6_000, 5.0),
    _level("expert", "errs very slightly", 32_000, 1.0),
    _level("master", "plays its best move", 128_000, 0.0, 2.0),
    _level("full", "two seconds for its best move", 100_000_000, 0.0, 2.0),
)
