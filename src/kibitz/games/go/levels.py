"""Go's ladder of levels, weakest first, by simulations with the bundled network (docs/strength.md)."""

from __future__ import annotations

from kibitz.games.level import by_simulations

__all__ = ["LEVELS"]

#: Between choosing by the network's policy as it is and reading ahead: its likelier moves more often.
_LIKELIER = {"policy_temperature": 0.6}

#: On 19x19 `master` may use all of its time.
LEVELS = (
    by_simulations("beginner", "plays by the first look, without reading ahead", 1, 0.2),
    by_simulations("novice", "plays by the first look, and errs less", 1, 0.15, options=_LIKELIER),
    by_simulations("casual", "sees simple threats", 24, 0.1),
    by_simulations("improver", "errs now and then", 64, 0.07),
    by_simulations("club", "rarely gives much away", 160, 0.05),
    by_simulations("strong", "errs only slightly", 400, 0.03),
    by_simulations("expert", "errs very slightly", 1_000, 0.01),
    by_simulations("master", "plays its best move", 3_000, 0.0),
    by_simulations("full", "two seconds for its best move", 10_000_000, 0.0),
)
