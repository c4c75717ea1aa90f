"""Chess's ladder of levels, weakest first: the tree search, then alpha-beta (docs/strength.md)."""

from __future__ import annotations

from kibitz.games.level import Level, ladder

__all__ = ["LEVELS"]

#: A limit of simulations would choose the tree search, which is weaker: `master` and `full` have none.
LEVELS = (
    *ladder()[:-2],
    Level("master", "plays its best move", {"seconds": 2.0}, {"search": "alphabeta", "depth": 10}),
    Level("full", "two seconds for its best move", {"seconds": 2.0}, {"search": "alphabeta"}),
)
