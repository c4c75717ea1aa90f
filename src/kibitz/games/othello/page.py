"""Othello for the web page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kibitz.games.othello.page_records import RECORD_KINDS, save
from kibitz.games.othello.position import Position, disc_svg
from kibitz.games.page_facts import Descriptor, GamePage, Lesson, Look, Placed
from kibitz.sentences import Sentence

_START = Position().notation
_CORNER = "---------O--------X--------OX------XO--------------------------- X"


def _facts(position: Position) -> dict[str, Any]:
    return {"discs": list(position.discs), "empties": position.empties, "score": position.score}


def _notes(position: Position) -> tuple[Sentence, ...]:
    black, white = position.discs
    return (Sentence("othello.discs", {"black": black, "white": white}),)


def _ending(position: Position) -> tuple[Sentence, ...]:
    black, white = position.discs
    if black == white:
        return (Sentence("othello.equal", {"discs": black}),)
    side = position.side_names[black < white]
    return (Sentence("othello.wins", {"side": side, "more": max(black, white), "less": min(black, white)}),)


def _palette(look: Look) -> list[tuple[str, str, str]]:
    return [("X", "black", disc_svg("X")), ("O", "white", disc_svg("O"))]


def _edit(position: Position, pieces: Sequence[Placed], mover: str) -> Position:
    squares = {one.place: one.kind for one in pieces}
    board = "".join(squares.get(name, "-") for name in position.places().at)
    return Position(f"{board} {'O' if mover == 'white' else 'X'}")


PAGE = GamePage(
    Descriptor(
        rank=3,
        pieces={"X": "piece.disc", "O": "piece.disc"},
        mark_legal=True,
        lessons=(
            Lesson("lesson.othello.1", _START),
            Lesson("lesson.othello.2", _CORNER, ("a1",)),
        ),
    ),
    palette=_palette,
    edit=_edit,
    facts=_facts,
    notes=_notes,
    ending=_ending,
    records=RECORD_KINDS,
    saves=lambda position: ("ggf",),
    save=save,
)
