"""Ultimate tic-tac-toe for the web page, with the small tables of its endings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kibitz.errors import BadPosition, NotInTable
from kibitz.games.page_facts import (
    Choice,
    Descriptor,
    Field,
    GameChoices,
    GamePage,
    Lesson,
    Look,
    Placed,
    TableMove,
    TableRows,
)
from kibitz.games.uttt.page_records import RECORD_KINDS
from kibitz.games.uttt.position import RULES, Position, symbol_svg
from kibitz.sentences import Sentence
from kibitz.tablebase import Tablebase

#: The small tables hold positions with so few playable empty cells, or with one open sub-board.
_FEW_CELLS = 9


_THREAT = "........./....O..../........./........./.X.....X./........./........./....O..../......... x 4"


def _facts(position: Position) -> dict[str, Any]:
    return {
        "owners": position.owners,
        "constraint": position.constraint,
        "rules": position.rules,
        "empties": position.empties,
    }


def _in_tables(position: Position) -> bool:
    return not position.is_over and position.empties <= _FEW_CELLS and position.rules == "standard"


class _Tables:
    """The tables, opened when they are first asked for."""

    def __init__(self) -> None:
        self._tables: Tablebase | None = None

    def look_up(self, position: Position) -> TableRows | None:
        if not _in_tables(position):
            return None
        if self._tables is None:
            self._tables = Tablebase(rules="standard")
        try:
            moves = self._tables.probe_moves(position)
        except NotInTable:
            return None
        return TableRows("Kibitz", tuple(TableMove(*row) for row in moves))

    def close(self) -> None:
        self._tables = None


def _new(wanted: GameChoices) -> Position:
    return Position(rules=wanted.text("rules", "standard", RULES))


_ROWS = ("012", "345", "678", "036", "147", "258", "048", "246")


def _ending(position: Position) -> tuple[Sentence, ...]:
    boards = position.owners.lower()
    if any(
        len({boards[int(one)] for one in row} & set("xo")) == len({boards[int(one)] for one in row}) == 1
        for row in _ROWS
    ):
        return (Sentence("uttt.row", {"side": position.side_names[position.result == 0.0]}),)
    more, less = sorted((boards.count("x"), boards.count("o")), reverse=True)
    if position.result == 0.5:
        return (Sentence("uttt.noRow", {"more": more, "less": less}),)
    return (
        Sentence(
            "uttt.moreBoards",
            {"side": position.side_names[position.result == 0.0], "more": more, "less": less},
        ),
    )


def _palette(look: Look) -> list[tuple[str, str, str]]:
    return [("X", "x", symbol_svg("X")), ("O", "o", symbol_svg("O"))]


def _edit(position: Position, pieces: Sequence[Placed], mover: str) -> Position:
    """Who is to move follows from the symbols; where, is any sub-board, else the first that can be."""
    cells = {one.place: one.kind for one in pieces}
    boards = ("".join(cells.get(f"{board}{cell}", ".") for cell in range(9)) for board in range(9))
    kinds = list(cells.values())
    mover = "o" if kinds.count("X") > kinds.count("O") else "x"
    cells_text = "/".join(boards)
    refused: BadPosition | None = None
    for constraint in ("-", *range(9)):
        try:
            return Position(f"{cells_text} {mover} {constraint}", rules=position.rules)
        except BadPosition as error:
            refused = refused or error
    assert refused is not None
    raise refused


PAGE = GamePage(
    Descriptor(
        rank=4,
        new=(Field("rules", "new.rules", "standard", choices=tuple(Choice(n, f"rules.{n}") for n in RULES)),),
        pieces={"X": "piece.mark", "O": "piece.mark"},
        place_form="^(.)(.)$",
        place_text="place.nested",
        lessons=(
            Lesson("lesson.uttt.1", Position().notation),
            Lesson("lesson.uttt.2", _THREAT, ("44",)),
        ),
    ),
    new=_new,
    palette=_palette,
    edit=_edit,
    facts=_facts,
    ending=_ending,
    tables=lambda folder: _Tables(),
    in_tables=_in_tables,
    records=RECORD_KINDS,
)
