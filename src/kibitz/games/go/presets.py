"""Named engines for Go: sets of search options (docs/options.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["PRESETS"]

PRESETS: Mapping[str, Mapping[str, Any]] = {
    # Without a network: playouts that fill no eyes of their own, all of the board's points as moves.
    "default": {"rule": "ucb1", "c": 0.5, "batch": 1},
    # Plain UCT with the textbook constant.
    "uct": {"rule": "ucb1", "c": 1.414, "proofs": False},
    # Flat UCB: the same search that does not expand; the move with the best mean is played.
    "flat": {"rule": "ucb1", "c": 1.414, "tree_depth": 1, "choice": "winrate", "proofs": False},
}
