"""The score of a finished game with its dead stones taken off, by the rules of the game.

>>> from kibitz.games.go import Position
>>> board = Position(5, komi=0.5, rules="chinese", black=["C1", "C2", "C3", "C4", "C5"], white=["A3"])
>>> score_without(board, ["A3"])
24.5
"""

from __future__ import annotations

from collections.abc import Iterable

from kibitz.games.go import rules as rule_sets
from kibitz.games.go.position import COLUMNS, Position

__all__ = ["score_without", "stones_of"]


def stones_of(position: Position, without: Iterable[str] = ()) -> dict[str, list[str]]:
    """The stones as `Position(size, black=..., white=...)` takes them."""
    rows, gone = position.size[1], set(without)
    dead: dict[str, list[str]] = {"black": [], "white": []}
    for y, row in enumerate(position.stones):
        for x, stone in enumerate(row):
            name = f"{COLUMNS[x]}{rows - y}"
            if stone != "." and name not in gone:
                dead["black" if stone == "X" else "white"].append(name)
    return dead


def score_without(position: Position, dead: Iterable[str]) -> float:
    """Black's lead once the dead stones are off the board; under territory rules they are prisoners too."""
    dead = list(dead)
    as_it_is, cleared = _bare(position, ()), _bare(position, dead)
    # What a board does not show: handicap bonuses, and under territory rules the prisoners of the game.
    beside = (
        position.resumed().score - as_it_is.score if position.is_over else position.score - as_it_is.score
    )
    prisoners = 0
    if rule_sets.to_fields(position.rules)["scoring"] == "TERRITORY":
        black = set(stones_of(position)["black"])
        prisoners = sum(-1 if vertex in black else 1 for vertex in dead)
    return cleared.score + beside + prisoners


def _bare(position: Position, without: Iterable[str]) -> Position:
    """The stones alone; that White's are gone must not make the others a handicap."""
    return Position(
        position.size,
        rules=rule_sets.with_field(position.rules, "whiteHandicapBonus", "0"),
        komi=position.komi,
        to_move="bw"[position.to_move],
        **stones_of(position, without),
    )
