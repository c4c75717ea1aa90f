"""The games there are. A game registers itself by being listed here; everything else asks.

>>> from kibitz.games import registry
>>> registry.get("othello").title
'Othello'
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from importlib import import_module

from kibitz.errors import BadRequest
from kibitz.games.base import GameInfo

__all__ = ["all_names", "get", "names"]

#: One package a game, each with an `info()`; imported when first asked for.
_GAMES = {
    "othello": "kibitz.games.othello",
    "chess": "kibitz.games.chess",
    "go": "kibitz.games.go",
    "uttt": "kibitz.games.uttt",
}


#: Games of hidden information: searched from a view, not by the tree search.
_HIDDEN = {"junqi": "kibitz.games.junqi"}


def names() -> tuple[str, ...]:
    """The games of the tree search."""
    return tuple(_GAMES)


def all_names() -> tuple[str, ...]:
    """Every game."""
    return tuple({**_GAMES, **_HIDDEN})


@cache
def get(name: str) -> GameInfo:
    games = {**_GAMES, **_HIDDEN}
    if name not in games:
        near = get_close_matches(name, games, 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise BadRequest(f"unknown game {name!r}, expected one of {', '.join(games)}{hint}")
    info: GameInfo = import_module(games[name]).info()
    return info
