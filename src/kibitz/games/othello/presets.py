"""Named engines for Othello: sets of search options (docs/options.md).

`uct` and `flat` are the textbook forms; `classic` adds the rules of the program this engine grew from, so
that each can be compared with what replaced it: `kibitz match othello uct classic`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["NETWORK_PRESETS", "PRESETS"]

_TREE: Mapping[str, Any] = {
    "rule": "ucb1",
    "c": 0.7,
    "bias": 4.0,
    "playout": "policy",
    "batch": 8,
    "solve_leaves": 10,
    "solve_root": 20,
}

PRESETS: Mapping[str, Mapping[str, Any]] = {
    # Alpha-beta with the pattern evaluation for who gives it time; for who asks for simulations, the tree.
    "default": {"search": "auto", **_TREE},
    # The tree search with everything that was measured to help playouts: careful moves, square priors, exact
    # endings.
    "tree": {"search": "tree", **_TREE},
    # The tree search with the pattern evaluation instead of playouts.
    "patterns": {
        "search": "tree",
        "rule": "puct",
        "cpuct": 1.0,
        "evaluator": "hand",
        "solve_leaves": 10,
        "solve_root": 20,
    },
    # Plain UCT: random playouts, c = sqrt 2, proofs only of what the tree has seen.
    "uct": {"search": "tree", "rule": "ucb1", "c": 1.414, "proofs": False},
    # Flat UCB: the same search that does not expand; the move with the best mean is played.
    "flat": {
        "search": "tree",
        "rule": "ucb1",
        "c": 1.414,
        "tree_depth": 1,
        "choice": "winrate",
        "proofs": False,
    },
    # The classic program: the opponent takes the minimum of mean plus exploration.
    "classic": {"search": "tree", "rule": "classic", "c": 1.414, "choice": "winrate", "proofs": False},
    # The same with its pruning every 1,000 iterations and its double weight of corners.
    "classic-pruned": {
        "search": "tree",
        "rule": "classic",
        "c": 1.414,
        "choice": "winrate",
        "proofs": False,
        "prune": "progressive",
        "prune_period": 1000,
        "corner_weight": 2.0,
    },
}

NETWORK_PRESETS: Mapping[str, Mapping[str, Any]] = {
    # PUCT with a network, and exact endings as in the default.
    "puct": {
        "search": "tree",
        "rule": "puct",
        "evaluator": "network",
        "cpuct": 1.6,
        "cpuct_factor": 0.0,
        "fpu_reduction": 0.25,
        "fpu_reduction_root": 0.0,
        "cache_mb": 64,
        "solve_leaves": 6,
        "solve_root": 16,
    },
}
