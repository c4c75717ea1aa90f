"""Named engines and levels for chess: sets of search options (docs/options.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kibitz.games.level import Level, ladder, rated

#: Lc0's search: its constants, its count of visits under way, its repetitions.
LC0: Mapping[str, Any] = {
    "search": "tree",
    "rule": "puct",
    "cpuct": 1.745,
    "cpuct_base": 38739.0,
    "cpuct_factor": 3.894,
    "fpu_reduction": 0.33,
    "fpu_reduction_root": 0.33,
    "policy_temperature": 1.359,
    "two_fold_draws": True,
    "virtual_loss": False,
}

PRESETS: Mapping[str, Mapping[str, Any]] = {
    # The strongest that needs no file: the hand-written judgement under PUCT.
    "default": {**LC0, "search": "auto", "policy_temperature": 1.0, "evaluator": "hand"},
    # Plain UCT with random games; to see what knowledge is worth.
    "uct": {"search": "tree", "rule": "ucb1", "c": 1.414, "two_fold_draws": True},
    # Lc0's search with a network of its kind: Engine("chess", "lc0", network=...).
    "lc0": {**LC0, "evaluator": "network"},
    # The network that comes with Kibitz: alpha-beta, or Lc0's search for what only a tree has.
    "own": {**LC0, "search": "auto", "evaluator": "network"},
}

# Chess's ladder of levels, weakest first: the tree search, then alpha-beta (docs/lab/strength.md).

#: A limit of simulations would choose the tree search, which is weaker: `master` and `full` have none.
LEVELS = rated(
    (
        *ladder()[:-2],
        Level("master", "plays its best move", {"seconds": 2.0}, {"search": "alphabeta", "depth": 10}),
        Level("full", "two seconds for its best move", {"seconds": 2.0}, {"search": "alphabeta"}),
    ),
    (0, 200, 300, 500, 750, 1_000, 1_200, 1_550, 1_900),
)
