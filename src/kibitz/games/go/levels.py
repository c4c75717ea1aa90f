"""Go's ladder of levels, weakest first, by simulations with the bundled network (docs/strength.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kibitz.games.level import Level

__all__ = ["LEVELS"]

#: Between choosing by the network's policy as it is and reading ahead: its likelier moves more often.
_LIKELIER = {"policy_temperature": 0.6}


def _level(
    name: str,
    description: str,
    simulations: int,
    spread: float,
    options: Mapping[str, Any] | None = None,
) -> Level:
    # Below `master` the time limit only guards against a slow machine; on 19x19 `master` may use all of it.
    budget = {"simulations": simulations, "seconds": 2.0}
    return Level(name, description, budget, options or {}, spread, 4 * spread)


LEVELS = (
    _level("beginner", "plays by the first look, without reading ahead", 1, 0.2),
    _level("novice", "plays by the first look, and errs less", 1, 0.15, _LIKELIER),
    _level("casual", "sees simple threats", 24, 0.1),
    _level("improver", "errs now and then", 64, 0.07),
    _level("club", "rarely gives much away", 160, 0.05),
    _level("strong", "errs only slightly", 400, 0.03),
    _level("expert", "errs very slightly", 1_000, 0.01),
    _level("master", "plays its best move", 3_000, 0.0),
    _level("full", "two seconds for its best move", 10_000_000, 0.0),
)
