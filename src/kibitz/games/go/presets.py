"""Named engines and levels for Go: sets of search options (docs/options.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kibitz.games.level import by_simulations, rated
from kibitz.games.presets import PLAIN

#: PUCT with KataGo's constants, for its networks.
KATAGO: Mapping[str, Any] = {
    "evaluator": "network",
    "rule": "katago",
    "cpuct": 1.0,
    "cpuct_base": 500,
    "cpuct_factor": 0.45,
    "fpu_reduction": 0.2,
    "fpu_reduction_root": 0.1,
    "backup": "weighted",
    "value_bias": 0.45,
    "uncertainty": True,
    "score_static": 0.1,
    "score_dynamic": 0.3,
    "choice": "katago",
    "lcb_z": 5.0,
    "root_symmetry": True,
    "proofs": False,
    "cache_mb": 64,
}

PRESETS: Mapping[str, Mapping[str, Any]] = {
    # Without a network: playouts that fill no eyes of their own, all of the board's points as moves.
    "default": {"rule": "ucb1", "c": 0.5, "batch": 1},
    **PLAIN,
}

#: What KataGo's users know; taken by itself when an engine is given a network.
NETWORK_PRESETS: Mapping[str, Mapping[str, Any]] = {"katago": KATAGO}

# Go's ladder of levels, weakest first, by simulations with the bundled network (docs/lab/strength.md).

#: Between choosing by the network's policy as it is and reading ahead: its likelier moves more often.
_LIKELIER = {"policy_temperature": 0.6}

#: On 19x19 `master` may use all of its time.
LEVELS = rated(
    (
        by_simulations("beginner", "plays by the first look, without reading ahead", 1, 0.2),
        by_simulations("novice", "plays by the first look, and errs less", 1, 0.15, options=_LIKELIER),
        by_simulations("casual", "sees simple threats", 24, 0.1),
        by_simulations("improver", "errs now and then", 64, 0.07),
        by_simulations("club", "rarely gives much away", 160, 0.05),
        by_simulations("strong", "errs only slightly", 400, 0.03),
        by_simulations("expert", "errs very slightly", 1_000, 0.01),
        by_simulations("master", "plays its best move", 3_000, 0.0),
        by_simulations("full", "two seconds for its best move", 10_000_000, 0.0),
    ),
    (0, 150, 400, 600, 750, 900, 1_100, 1_550, 1_800),
)
