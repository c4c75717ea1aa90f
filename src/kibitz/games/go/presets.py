"""Named engines for Go: sets of search options (docs/options.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["KATAGO", "NETWORK_PRESETS", "PRESETS"]

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
    # Plain UCT with the textbook constant.
    "uct": {"rule": "ucb1", "c": 1.414, "proofs": False},
    # Flat UCB: the same search that does not expand; the move with the best mean is played.
    "flat": {"rule": "ucb1", "c": 1.414, "tree_depth": 1, "choice": "winrate", "proofs": False},
}

#: What KataGo's users know; taken by itself when an engine is given a network.
NETWORK_PRESETS: Mapping[str, Mapping[str, Any]] = {"katago": KATAGO}
