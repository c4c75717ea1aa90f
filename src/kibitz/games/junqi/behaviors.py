"""Behaviour categories of moves.

>>> from kibitz.games import junqi
>>> classify_move(junqi.Position().view("S"), "S11-C31")
'balanced'
>>> category_named("试探")
'probing'
"""

from __future__ import annotations

from kibitz.errors import BadOption
from kibitz.games.junqi.position import View
from kibitz.games.junqi.scoring import _find_counterattack_targets, judged
from kibitz.games.junqi.weights import Weights

CATEGORIES = ("aggressive", "balanced", "defensive", "probing")
#: An attack on a piece that took one of ours lately. It is a behaviour beside the categories: such a move
#: also has one of them.
COUNTERATTACK = "counterattack"
#: The same by the names of the classic program's documentation.
CLASSIC_NAMES = {
    "进攻": "aggressive",
    "均衡": "balanced",
    "防守": "defensive",
    "试探": "probing",
    "反击": COUNTERATTACK,
}


def category_named(name: str | None) -> str | None:
    """A category, or `counterattack`, from either of its names; None stays None."""
    if name is None or name in CATEGORIES or name == COUNTERATTACK:
        return name
    if name not in CLASSIC_NAMES:
        known = ", ".join((*CATEGORIES, COUNTERATTACK, *CLASSIC_NAMES))
        raise BadOption(f"no category {name!r}, expected one of {known}")
    return CLASSIC_NAMES[name]


def classify_move(view: View, move: str, *, seed: int = 1) -> str:
    """The category of a legal move."""
    return judged(view, move, seed=seed).category


def behaviour_named(view: View, move: str, *, seed: int = 1) -> str:
    """What a move does, by the classic names: 反击 where it strikes back, else its category's name."""
    category = COUNTERATTACK if move[4:7] in find_counterattack_targets(view) else None
    category = category or classify_move(view, move, seed=seed)
    return next(name for name, value in CLASSIC_NAMES.items() if value == category)


def is_vital(view: View, move: str, *, seed: int = 1) -> bool:
    """May the move take a flag, or keep one's own from being taken? No style filters such a move out."""
    return judged(view, move, seed=seed).vital


def find_counterattack_targets(view: View, weights: Weights | None = None) -> tuple[str, ...]:
    """Nodes of enemy pieces that took one of ours lately and that we can attack now."""
    return _find_counterattack_targets(view, weights)
