"""The names of openings.

>>> from kibitz.games.chess.position import Position
>>> opening_of(Position().play("Nf3", "d5", "d4"))
"Queen's Pawn Game, Zukertort Variation"
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from kibitz.games.chess.position import Position

FILE = Path(__file__).with_name("openings.txt")


def named_lines() -> list[tuple[str, tuple[str, ...]]]:
    """Every name with its moves."""
    rows = (line.rsplit(":", 1) for line in FILE.read_text(encoding="utf-8").splitlines() if line[:1] != "#")
    return [(name, tuple(moves.split())) for name, moves in rows]


@cache
def _names() -> dict[int, str]:
    start = Position()
    return {start.play(*moves).hash: name for name, moves in named_lines()}


@cache
def _longest() -> int:
    return max(len(moves) for _, moves in named_lines())


def name_of(position: Position) -> str:
    """The name of a position of a game from the usual start; empty where it has none."""
    if len(position.moves) > _longest() or position.start.hash != Position().hash:
        return ""
    return _names().get(position.hash, "")


def opening_of(position: Position) -> str:
    """The name of the last position of the game that has one; empty for none, and for games that start
    elsewhere."""
    found, at = "", position.start
    if at.hash != Position().hash:
        return found
    for move in position.moves[: _longest()]:
        at = at.play_on(move)
        found = _names().get(at.hash, found)
    return found
