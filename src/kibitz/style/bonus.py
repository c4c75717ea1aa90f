"""The bonus B(m) of a move, as the search's bias has it: what a hypermodern player likes in it.

>>> import kibitz
>>> bonus(kibitz.chess.Position().play("g3", "e5"), "Bg2")
1.0

The parts and their weights are options of chess (`style_fianchetto` and so on, docs/options.md); those that
are not given are the hypermodern style's.
"""

from __future__ import annotations

from typing import Any

from kibitz import _native
from kibitz.games.chess.position import Position
from kibitz.games.chess.styles import HYPERMODERN
from kibitz.options import fill


def _style_options(values: dict[str, Any]) -> _native.StyleOptions:
    rows = {row.name: row for row in _native.style_option_table()}
    return fill(_native.StyleOptions(), rows, {**HYPERMODERN, **values})


def bonus(position: Position, move: str, **options: Any) -> float:
    """B of a legal move, in [-1, 1]; options change the weights: `bonus(position, "a4", style_flank=0.5)`.

    >>> -1 <= bonus(kibitz.chess.Position(), "g1f3") <= 1
    True
    """
    return _native.style_bonus(position.state, position.parse_move(move), _style_options(options))


def bonuses(position: Position, **options: Any) -> dict[str, float]:
    """B of every legal move."""
    state, chosen = position.state, _style_options(options)
    return {state.move_text(move): _native.style_bonus(state, move, chosen) for move in state.legal_moves()}


def makes_contact(position: Position, move: str) -> bool:
    """Does a c, d or e pawn step, without taking, to where it and another side's pawn attack each other?"""
    return _native.style_makes_contact(position.state, position.parse_move(move))
