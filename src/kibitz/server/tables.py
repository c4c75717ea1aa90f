"""Exact tables of the games that have some (`GamePage.tables`)."""

from __future__ import annotations

import threading
from typing import Literal

from fastapi import APIRouter
from fastapi import Request as HttpRequest
from pydantic import BaseModel, ConfigDict

from kibitz.games import registry
from kibitz.games.base import Position
from kibitz.games.page_facts import TableSource
from kibitz.server.positions import Record, read_position

router = APIRouter(prefix="/api", tags=["tables"])

Word = Literal["win", "draw", "loss"]
_WORDS: dict[int, Word] = {1: "win", 0: "draw", -1: "loss"}


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
    """The tables of a server, by game. `folder` holds those that are read from files; an error about it comes
    when the server starts.

    Threads: may be used by any.
    """

    def __init__(self, folder: str) -> None:
        openers = {name: registry.page_of(name).tables for name in registry.names()}
        opened = {name: opener(folder) for name, opener in openers.items() if opener}
        self._tables: dict[str, TableSource] = {name: one for name, one in opened.items() if one is not None}
        self._lock = threading.Lock()

    def close(self) -> None:
        for table in self._tables.values():
            table.close()

    def look_up(self, position: Position) -> TableAnswer:
        table = self._tables.get(position.game)
        with self._lock:
            found = table.look_up(position) if table else None
        if found is None:
            return TableAnswer(known=False)
        rows = [
            TableMove(move=row.move, result=_WORDS[row.result], distance=row.distance) for row in found.moves
        ]
        return TableAnswer(known=True, source=found.source, result=rows[0].result, moves=rows)


@router.post("/tables")
def tables(query: TableQuery, http: HttpRequest) -> TableAnswer:
    """The exact result of a position and of each move, where a table has it."""
    loaded: Tables = http.app.state.tables
    return loaded.look_up(read_position(query.record.model_dump()))
