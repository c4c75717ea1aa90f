"""Exact tables: ultimate tic-tac-toe's small ones, and Syzygy's where the server was told of a folder."""

from __future__ import annotations

import threading
from typing import Literal

from fastapi import APIRouter
from fastapi import Request as HttpRequest
from pydantic import BaseModel, ConfigDict

from kibitz.errors import NotInTable
from kibitz.games import chess, uttt
from kibitz.protocols.uci.syzygy import Tables as Syzygy
from kibitz.server.positions import Record, read_position
from kibitz.tablebase import Tablebase

__all__ = ["Tables", "router"]

router = APIRouter(prefix="/api", tags=["tables"])

Word = Literal["win", "draw", "loss"]

#: The small tables hold positions with so few playable empty cells, or with one open sub-board.
_FEW_CELLS = 9


class TableQuery(BaseModel):
    """A position to look up."""

    model_config = ConfigDict(extra="forbid")

    record: Record


class TableMove(BaseModel):
    """A move and what it leads to, for who plays it."""

    move: str
    result: Word
    #: Plies to the end, in Syzygy tables to the next move that cannot be taken back; 0 where it is not known.
    distance: int


class TableAnswer(BaseModel):
    """What the tables say; `known` is false where none has the position."""

    known: bool
    source: str = ""
    result: Word | None = None
    moves: list[TableMove] = []


class Tables:
    """The tables of a server, opened when they are first asked for.

    Threads: may be used by any.
    """

    def __init__(self, syzygy: str) -> None:
        #: A wrong folder is told when the server starts.
        self._syzygy = Syzygy(syzygy) if syzygy else None
        self._uttt: dict[str, Tablebase] = {}
        self._lock = threading.Lock()

    def close(self) -> None:
        if self._syzygy is not None:
            self._syzygy.close()

    def look_up(self, position: object) -> TableAnswer:
        with self._lock:  # the readers of python-chess are for one thread
            if isinstance(position, uttt.Position) and not position.is_over:
                return self._of_uttt(position)
            if isinstance(position, chess.Position) and not position.is_over and self._syzygy is not None:
                return _of_chess(self._syzygy, position)
        return TableAnswer(known=False)

    def _of_uttt(self, position: uttt.Position) -> TableAnswer:
        if position.empties > _FEW_CELLS or position.rules != "standard":
            return TableAnswer(known=False)
        tables = self._uttt.get(position.rules)
        if tables is None:
            tables = self._uttt[position.rules] = Tablebase(rules=position.rules)
        try:
            moves = tables.probe_moves(position)
        except NotInTable:
            return TableAnswer(known=False)
        rows = [TableMove(move=move, result=_word(value), distance=plies) for move, value, plies in moves]
        return TableAnswer(known=True, source="Kibitz", result=rows[0].result, moves=rows)


def _of_chess(tables: Syzygy, position: chess.Position) -> TableAnswer:
    ranked = tables.ranked(position)
    if not ranked:
        return TableAnswer(known=False)
    # Of two that win the nearer first, of two that lose the farther.
    ordered = sorted(
        ranked.items(), key=lambda item: (-item[1][0], item[1][1] * (1 if item[1][0] > 0 else -1))
    )
    rows = [
        TableMove(move=move, result=_word(value if abs(value) >= 2 else 0), distance=distance)
        for move, (value, distance) in ordered
    ]
    return TableAnswer(known=True, source="Syzygy", result=rows[0].result, moves=rows)


def _word(value: int) -> Word:
    return "win" if value > 0 else "loss" if value < 0 else "draw"


@router.post("/tables")
def tables(query: TableQuery, http: HttpRequest) -> TableAnswer:
    """The exact result of a position and of each move, where a table has it."""
    loaded: Tables = http.app.state.tables
    return loaded.look_up(read_position(query.record.model_dump()))
