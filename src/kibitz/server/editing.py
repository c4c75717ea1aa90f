"""Positions set up by hand: the pieces there are, and a position made of them."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from kibitz.errors import BadRequest
from kibitz.games import registry
from kibitz.games.page_facts import Look, Placed
from kibitz.sentences import Sentence
from kibitz.server.positions import Names, PieceSet, Record, read_position

router = APIRouter(prefix="/api", tags=["positions"])

#: More than any board has places.
_MOST_PIECES = 400


class PieceRow(BaseModel):
    """A piece that can be put on the board: its kind, its side, and its picture around (0, 0)."""

    kind: str
    side: str
    svg: str


class PlacedPiece(BaseModel):
    """A piece on a place. Its number is the one of the board's picture, in games whose pieces have one."""

    model_config = ConfigDict(extra="forbid")

    place: Annotated[str, Field(max_length=8)]
    kind: Annotated[str, Field(max_length=2)]
    side: Annotated[str, Field(max_length=10)]
    number: Annotated[str, Field(max_length=4)] = ""


class Edited(BaseModel):
    """A position as it was, all pieces as they stand now, and who is to move."""

    model_config = ConfigDict(extra="forbid")

    record: Record
    pieces: Annotated[list[PlacedPiece], Field(max_length=_MOST_PIECES)]
    mover: Annotated[str, Field(max_length=10)]


@router.get("/palette")
async def palette(game: str, names: Names = "chinese", pieces: PieceSet = "") -> list[PieceRow]:
    """The pieces that can be put on the board; none where those that stand can only be moved or removed."""
    look = Look("", names, pieces)
    rows = registry.page_of(game).palette(look)
    return [PieceRow(kind=kind, side=side, svg=svg) for kind, side, svg in rows]


@router.post("/edit")
async def edit(edited: Edited) -> dict[str, Any]:
    """The record of a new game that starts with these pieces; 422 says why there is no such position."""
    page = registry.page_of(edited.record.game)
    if page.edit is None:
        raise BadRequest(Sentence("error.noEdit", {"game": edited.record.game}))
    position = read_position(edited.record.model_dump())
    pieces = [Placed(one.place, one.kind, one.side, one.number) for one in edited.pieces]
    return page.edit(position, pieces, edited.mover).open_dict()
