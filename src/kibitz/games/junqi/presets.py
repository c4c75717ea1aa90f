"""Named engines and levels for Junqi: sets of options (docs/junqi.md)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from kibitz import _native
from kibitz.games.junqi.weights import FORMER
from kibitz.games.level import Level, by_simulations, rated
from kibitz.options import fill

PRESETS: Mapping[str, Mapping[str, Any]] = {
    # Sampled worlds, beam alpha-beta, iterative deepening, quiescence.
    "default": {},
    # The search this one grew from, kept for comparison: one world, depth 3, beam 8.
    "classic": {"mode": "classic", "depth": 3, "beam_width": 8, "samples": 96, "weights": str(FORMER)},
    # The best immediate score, without search.
    "one-ply": {"mode": "one-ply"},
    # The attack with the best expected gain in pieces, else any move.
    "greedy": {"mode": "greedy"},
    # Any legal move.
    "random": {"mode": "random"},
}


@cache
def table() -> dict[str, _native.OptionInfo]:
    """Every option by name."""
    return {row.name: row for row in _native.junqi_option_table()}


def options(values: Mapping[str, Any]) -> _native.JunqiOptions:
    """Checked values for the native search; an unknown name or a wrong value raises BadOption."""
    return fill(_native.JunqiOptions(), table(), values)


# Junqi's ladder of levels, weakest first, by nodes and by points given away (docs/lab/strength.md).

#: A point in parts of a win where the sides are equal: a commander, 100 points, is an eighth.
_POINT = 1 / 800


def _level(name: str, description: str, nodes: int, points: float, seconds: float = 1.5) -> Level:
    # Four times as many nodes score about 64%, so that the levels differ in both.
    return by_simulations(name, description, nodes, points * _POINT, seconds)


LEVELS = rated(
    (
        _level("beginner", "judges moves one by one, and errs by whole pieces", 1, 24.0),
        _level("novice", "judges moves one by one, and often errs", 1, 12.0),
        _level("casual", "sees simple threats", 300, 12.0),
        _level("improver", "sees replies, errs now and then", 800, 10.0),
        _level("club", "rarely gives a piece away", 2_000, 8.0),
        _level("strong", "errs only slightly", 6_000, 5.0),
        _level("expert", "errs very slightly", 32_000, 1.0),
        _level("master", "plays its best move", 128_000, 0.0, 2.0),
        _level("full", "two seconds for its best move", 100_000_000, 0.0, 2.0),
    ),
    (0, 250, 350, 750, 900, 1_100, 1_350, 1_650, 1_900),
)
