"""Named engines and levels for ultimate tic-tac-toe: sets of search options (docs/options.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kibitz.games.level import by_simulations, rated
from kibitz.games.presets import PLAIN, PUCT

PRESETS: Mapping[str, Mapping[str, Any]] = {
    # The pattern evaluation (docs/uttt-evaluation.md) gives values and priors, the solver takes what it can
    # prove in its share of the time, at leaves and at the root.
    "default": {
        "rule": "puct",
        "evaluator": "hand",
        "cpuct": 1.0,
        "fpu_reduction": 0.0,
        "fpu_reduction_root": 0.0,
        "solve_leaves": 14,
        "solve_root": 24,
    },
    **PLAIN,
}

NETWORK_PRESETS: Mapping[str, Mapping[str, Any]] = {
    # PUCT with a network; the solver takes the root as in the default.
    "puct": {**PUCT, "solve_root": 24},
}

# Ultimate tic-tac-toe's ladder of levels, weakest first, by simulations (docs/lab/strength.md).

#: The lower levels do without solvers: a beginner does not solve endings.
_UNSOLVED = {"solve_root": 0, "solve_leaves": 0}

LEVELS = rated(
    (
        by_simulations("beginner", "reads little and overlooks much", 40, 0.16, options=_UNSOLVED),
        by_simulations("novice", "reads a little more", 100, 0.09, options=_UNSOLVED),
        by_simulations("casual", "sees simple threats", 250, 0.05, options=_UNSOLVED),
        by_simulations("improver", "errs now and then", 600, 0.03, options=_UNSOLVED),
        by_simulations("club", "rarely gives much away", 1_500, 0.018, options=_UNSOLVED),
        by_simulations("strong", "errs only slightly", 3_500, 0.01),
        by_simulations("expert", "errs very slightly", 12_000, 0.005),
        by_simulations("master", "plays its best move", 50_000, 0.0),
        by_simulations("full", "two seconds for its best move", 10_000_000, 0.0),
    ),
    (0, 200, 250, 350, 550, 650, 900, 1_100, 1_350),
)
