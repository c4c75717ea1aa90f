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

__all__ = ["get", "names"]

#: One package a game, each with an `info()`; imported when first asked for.
_GAMES = {
    "othello": "kibitz.games.othello",
    "chess": "kibitz.games.chess",
    "go": "kibitz.games.go",
    "uttt": "kibitz.games.uttt",
}


def names() -> tuple[str, ...]:
    return tuple(_GAMES)


@cache
def get(name: str) -> GameInfo:
    if name not in _GAMES:
        near = get_close_matches(name, _GAMES, 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise BadRequest(f"unknown game {name!r}, expected one of {', '.join(_GAMES)}{hint}")
    info: GameInfo = import_module(_GAMES[name]).info()
    return info
