"""Named engines for ultimate tic-tac-toe: sets of search options (docs/options.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["NETWORK_PRESETS", "PRESETS"]

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
    # Playouts where the game is open, proofs where it is not: the default before there was an evaluation.
    "playouts": {"rule": "ucb1", "c": 0.7, "solve_leaves": 12, "solve_root": 24},
    # Plain UCT: random playouts, c = sqrt 2, proofs only of what the tree has seen.
    "uct": {"rule": "ucb1", "c": 1.414, "proofs": False},
    # Flat UCB: the same search that does not expand; the move with the best mean is played.
    "flat": {"rule": "ucb1", "c": 1.414, "tree_depth": 1, "choice": "winrate", "proofs": False},
}

NETWORK_PRESETS: Mapping[str, Mapping[str, Any]] = {
    # PUCT with a network; the solver takes the root as in the default.
    "puct": {
        "rule": "puct",
        "evaluator": "network",
        "cpuct": 1.6,
        "cpuct_factor": 0.0,
        "fpu_reduction": 0.25,
        "fpu_reduction_root": 0.0,
        "cache_mb": 64,
        "solve_root": 24,
    },
}
