"""Named engines that several games share: sets of search options (docs/options.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

PLAIN: Mapping[str, Mapping[str, Any]] = {
    # Textbook UCT: random playouts, c = sqrt 2, no proofs.
    "uct": {"rule": "ucb1", "c": 1.414, "proofs": False},
    # Flat UCB: the same search that does not expand; the move with the best mean is played.
    "flat": {"rule": "ucb1", "c": 1.414, "tree_depth": 1, "choice": "winrate", "proofs": False},
}

#: PUCT with a network.
PUCT: Mapping[str, Any] = {
    "rule": "puct",
    "evaluator": "network",
    "cpuct": 1.6,
    "cpuct_factor": 0.0,
    "fpu_reduction": 0.25,
    "fpu_reduction_root": 0.0,
    "cache_mb": 64,
}
