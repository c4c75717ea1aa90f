"""Which search family carries out a request: the tree search, or alpha-beta in games that have it.

>>> import kibitz
>>> from kibitz.games import registry
>>> from kibitz.request import make_request
>>> start = kibitz.othello.Position()
>>> family(registry.get("othello"), make_request(start, seconds=1.0), "auto")
'alphabeta'
>>> family(registry.get("othello"), make_request(start, simulations=1000), "auto")
'tree'
"""

from __future__ import annotations

from collections.abc import Iterable

from kibitz.games.base import GameInfo
from kibitz.request import Request

__all__ = ["SHARED_OPTIONS", "family"]

#: Options that both families know; to set another one of the tree search is to ask for a tree.
SHARED_OPTIONS = frozenset(
    {"depth", "memory_mb", "multi_pv", "reuse", "search", "seed", "solve_all", "solve_root", "threads"}
)

#: Budgets of so many visits are no budgets.
_NO_LIMIT = 2**50


def family(
    info: GameInfo,
    request: Request,
    wanted: str,
    named: Iterable[str] = (),
    has_network: bool = False,
    style_acts: bool = True,
) -> str:
    """`tree` or `alphabeta`. `wanted` is the option `search`; `named` are the options that somebody set, as
    opposed to a preset. With `auto` a request that asks for what only a tree has gets one: simulations,
    visits, weights, a style that acts at the position (`style_acts`), pruning, ownership, a human model's
    moves, or a network that is too slow to judge every position (`has_network`)."""
    if info.alpha_beta is None:
        return "tree"
    if wanted != "auto":
        return wanted
    budget, steering = request.budget, request.steering
    counted = any(limit is not None and limit < _NO_LIMIT for limit in (budget.simulations, budget.visits))
    styled = steering.style is not None and steering.style.strength > 0 and style_acts
    visits_asked = any(minimum > 1 for minimum in steering.include.values())
    tree_only = (
        counted
        or has_network
        or request.move_ownership
        or bool(steering.weights or steering.prune or steering.plausible)
        or styled
        or visits_asked
        or not SHARED_OPTIONS.issuperset(named)
    )
    return "tree" if tree_only else "alphabeta"
