"""Named engines and levels for Othello: sets of search options (docs/options.md).

`uct` and `flat` are the textbook forms; `classic` adds the rules of the program this engine grew from, so
that each can be compared with what replaced it: `kibitz match othello uct classic`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kibitz.games.level import Level, rated
from kibitz.games.presets import PLAIN

PRESETS: Mapping[str, Mapping[str, Any]] = {
    # Alpha-beta with the pattern evaluation for who gives it time; for who asks for simulations, the tree.
    # That has what was measured to help playouts: careful moves, square priors, exact endings.
    "default": {
        "search": "auto",
        "rule": "ucb1",
        "c": 0.7,
        "bias": 4.0,
        "playout": "policy",
        "batch": 8,
        "solve_leaves": 10,
        "solve_root": 20,
    },
    # Plain searches with random playouts.
    **{name: {"search": "tree", **values} for name, values in PLAIN.items()},
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


# Othello's ladder of levels, weakest first, by plies of alpha-beta (docs/lab/strength.md).
def _level(name: str, description: str, depth: int, spread: float, most_loss: float) -> Level:
    # The time limit only guards against a stalled machine: these depths take a fraction of it.
    options = {"search": "alphabeta", "depth": depth, "multi_pv": 64}
    return Level(name, description, {"seconds": 2.0}, options, spread, most_loss)


LEVELS = rated(
    (
        _level("beginner", "takes what looks good at once, and often something else", 1, 0.35, 0.75),
        _level("novice", "takes what looks good at once, and now and then something else", 1, 0.14, 0.4),
        _level("casual", "sees the reply, and errs now and then", 2, 0.12, 0.35),
        _level("improver", "sees the reply, and errs less", 2, 0.07, 0.2),
        _level("club", "knows corners and mobility, sees three plies", 3, 0.07, 0.2),
        _level("strong", "sees five plies, rarely gives much away", 5, 0.04, 0.12),
        _level("expert", "sees seven plies, errs only slightly", 7, 0.02, 0.06),
        Level("master", "sees twelve plies", {"seconds": 2.0}, {"search": "alphabeta", "depth": 12}),
        Level("full", "two seconds for its best move", {"seconds": 2.0}, {"search": "alphabeta"}),
    ),
    (0, 150, 250, 300, 400, 650, 900, 1_200, 1_550),
)
