"""The games there are. A game registers itself by being listed here; everything else asks.

>>> from kibitz.games import registry
>>> registry.get("othello").title
'Othello'
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from typing import Any

from kibitz.errors import BadPosition, BadRequest
from kibitz.games.base import GameInfo, Position

__all__ = ["get", "names", "position_from_dict"]

#: One package a game, each with an `info()`; imported when first asked for.
_GAMES = {
    "othello": "kibitz.games.othello",
    "chess": "kibitz.games.chess",
    "go": "kibitz.games.go",
    "uttt": "kibitz.games.uttt",
    "junqi": "kibitz.games.junqi",
}


def names() -> tuple[str, ...]:
    """Every game. What one of them lacks, its `GameInfo.lacks` says."""
    return tuple(_GAMES)


@cache
def get(name: str) -> GameInfo:
    if name not in _GAMES:
        near = get_close_matches(name, _GAMES, 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise BadRequest(f"unknown game {name!r}, expected one of {', '.join(_GAMES)}{hint}")
    info: GameInfo = import_module(_GAMES[name]).info()
    return info


def position_from_dict(data: Mapping[str, Any]) -> Position:
    """The position that `Position.to_dict` described, of whichever game.

    >>> position_from_dict({"game": "othello", "moves": ["d3"]}).mover
    'white'
    """
    game = data.get("game") if isinstance(data, Mapping) else None
    if not isinstance(game, str):
        raise BadPosition("a position is a table with game, start and moves; it has no game")
    info = get(game)
    return (info.view or info.position).from_dict(data)
