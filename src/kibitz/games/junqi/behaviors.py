"""Behaviour categories of moves: aggressive, balanced, defensive, probing.

>>> from kibitz.games import junqi
>>> classify_move(junqi.Position().view("S"), "S11-C31")
'balanced'
"""

from __future__ import annotations

from kibitz import _native
from kibitz.games.junqi.position import View
from kibitz.games.junqi.scoring import judged
from kibitz.games.junqi.weights import Weights

__all__ = ["CATEGORIES", "classify_move", "find_counterattack_targets", "is_vital"]

CATEGORIES = ("aggressive", "balanced", "defensive", "probing")


def classify_move(view: View, move: str, *, seed: int = 1) -> str:
    """The category of a legal move."""
    return judged(view, move, seed=seed).category


def is_vital(view: View, move: str, *, seed: int = 1) -> bool:
    """May the move take a flag, or keep one's own from being taken? No style filters such a move out."""
    return judged(view, move, seed=seed).vital


def find_counterattack_targets(view: View, weights: Weights | None = None) -> tuple[str, ...]:
    """Nodes of enemy pieces that took one of ours lately and that we can attack now."""
    chosen = weights or Weights()
    return tuple(_native.junqi_counterattack_targets(view.state, chosen.native))
