"""Positions for the page: what a click or a key leads to, drawn, with what can be played there.

The pictures are those of notebooks and reports (`Position.svg`); the page draws only what changes over them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, ConfigDict, Field

from kibitz.errors import BadPosition, BadRequest
from kibitz.games import chess, go, junqi, othello, registry, uttt
from kibitz.games.base import Position
from kibitz.games.junqi.position import Spectator
from kibitz.steering import STYLE_LEVELS

__all__ = ["Board", "BoardQuery", "Record", "board_of", "read_position", "router"]

router = APIRouter(prefix="/api", tags=["positions"])

#: The most moves of a game that is looked at.
MOST_MOVES = 4000
#: A game of so many moves is drawn by the event loop itself: a change of threads takes longer.
_SHORT = 200

Names = Literal["english", "chinese"]


class Record(BaseModel):
    """A position as plain data: `Position.to_dict` (docs/report.md). In Junqi `start` may be a whole table,
    for games that are open to who looks at them."""

    model_config = ConfigDict(extra="forbid")

    game: Annotated[str, Field(max_length=20)]
    start: Annotated[str | None, Field(max_length=20_000)] = None
    moves: Annotated[list[Annotated[str, Field(max_length=64)]], Field(max_length=MOST_MOVES)] = []
    size: int | list[int] | None = None
    rules: Annotated[str | None, Field(max_length=400)] = None
    komi: float | None = None
    chess960: bool | None = None
    seat: Annotated[str | None, Field(max_length=1)] = None
    view: Annotated[str | None, Field(max_length=200_000)] = None


class BoardQuery(BaseModel):
    """A position to be shown, and how."""

    model_config = ConfigDict(extra="forbid")

    record: Record
    #: The side or seat that sits below.
    below: Annotated[str, Field(max_length=10)] = ""
    #: Junqi: show what this seat may know; empty for everything.
    seat: Literal["", "S", "E", "N", "W"] = ""
    #: Junqi: what is written on pieces.
    names: Names = "chinese"


class Places(BaseModel):
    """Where the picture has the places that moves name."""

    width: float
    height: float
    cell: float
    at: dict[str, tuple[float, float]]


class Board(BaseModel):
    """A position as the page shows it."""

    record: dict[str, Any]
    notation: str
    mover: str
    #: 0 when the first side is to move.
    toMove: int
    seats: list[str]
    over: bool
    #: The first side's result once the game is over.
    result: float | None
    legalMoves: list[str]
    #: Legal moves as people of the game write them, where that differs (SAN).
    moveNames: dict[str, str]
    #: The moves so far as people write them, and what everybody saw of the last one.
    line: list[str]
    told: str
    #: Facts of the game: discs, captures, the constraint.
    facts: dict[str, Any]
    svg: str
    places: Places


class GameRow(BaseModel):
    """A game as the page lists it."""

    name: str
    title: str
    sides: list[str]
    presets: list[str]
    styles: list[str]
    styleLevels: dict[str, float]
    #: Of an opponent, weakest first.
    levels: list[str]
    hides: bool
    solves: bool


def read_position(data: Mapping[str, Any]) -> Position:
    """The position of a record; a whole table of Junqi too."""
    plain = {key: value for key, value in data.items() if value is not None}
    if isinstance(plain.get("moves"), list) and len(plain["moves"]) > MOST_MOVES:
        raise BadRequest(f"a game has at most {MOST_MOVES} moves here")
    if not isinstance(plain.get("game"), str):
        raise BadPosition("a position is a table with game, start and moves; it has no game")
    info = registry.get(plain["game"])
    if "view" in plain and not plain.get("moves"):
        plain.pop("moves", None)
    if info.view is not None and "view" not in plain:
        return info.position.from_dict(plain)
    return registry.position_from_dict(plain)


def open_record(position: Position) -> dict[str, Any]:
    """The record of a position that who looks at it may know whole."""
    if isinstance(position, junqi.Position):
        return {"game": "junqi", "start": position.start.notation, "moves": list(position.moves)}
    return position.to_dict()


def board_of(position: Position, below: str = "", seat: str = "", names: Names = "chinese") -> Board:
    """A position as the page shows it."""
    shown: Position = position
    if seat and isinstance(position, junqi.Position):
        shown = position.view(seat)
    places = registry.get(position.game).places
    assert places is not None
    drawn = places(shown, below)
    if isinstance(shown, (junqi.Position, junqi.View, Spectator)):
        svg = shown.svg(below=below, names=names)
    else:
        svg = shown.svg(below=below)
    legal = list(position.legal_moves)
    return Board(
        record=open_record(position),
        notation=shown.notation,
        mover=position.mover,
        toMove=position.to_move,
        seats=list(position.seat_names),
        over=position.is_over,
        result=position.result,
        legalMoves=legal,
        moveNames=_move_names(position, legal),
        line=_line(position),
        told=position.told(),
        facts=_facts(position),
        svg=svg,
        places=Places(width=drawn.width, height=drawn.height, cell=drawn.cell, at=dict(drawn.at)),
    )


def _move_names(position: Position, legal: list[str]) -> dict[str, str]:
    return {move: position.san(move) for move in legal} if isinstance(position, chess.Position) else {}


def _line(position: Position) -> list[str]:
    if isinstance(position, chess.Position):
        return position.start.line_san(position.moves)
    return list(position.moves)


def _facts(position: Position) -> dict[str, Any]:
    if isinstance(position, othello.Position):
        black, white = position.discs
        return {"discs": [black, white], "empties": position.empties, "score": position.score}
    if isinstance(position, go.Position):
        return {
            "captures": list(position.captures),
            "size": list(position.size),
            "komi": position.komi,
            "rules": position.rules,
            "score": position.score if position.is_over else None,
            "owners": position.owners,
        }
    if isinstance(position, uttt.Position):
        return {
            "owners": position.owners,
            "constraint": position.constraint,
            "rules": position.rules,
            "empties": position.empties,
        }
    if isinstance(position, chess.Position):
        return {"check": position.in_check, "ending": position.ending}
    if isinstance(position, (junqi.Position, junqi.View, Spectator)):
        alive = [name for name in position.seat_names if position.alive(name)]
        return {"players": position.players, "quiet": position.quiet_plies, "alive": alive}
    return {}


@cache
def _rows() -> list[GameRow]:
    return [
        GameRow(
            name=name,
            title=info.title,
            sides=list(info.position.side_names),
            presets=list(info.presets),
            styles=[style for style in info.styles if style != info.file_style],
            styleLevels=dict(STYLE_LEVELS),
            levels=[level.name for level in info.levels],
            hides=info.position.hides,
            solves=info.solve is not None,
        )
        for name, info in ((name, registry.get(name)) for name in registry.names())
    ]


@router.get("/games")
async def games() -> list[GameRow]:
    """The games there are."""
    return _rows()


def _answer(query: BoardQuery) -> Response:
    board = board_of(read_position(query.record.model_dump()), query.below, query.seat, query.names)
    # Made of typed parts just now: nothing is gained by checking it again.
    return Response(board.model_dump_json(), media_type="application/json")


@router.post("/position", response_model=Board)
async def position(query: BoardQuery) -> Response:
    """A position, drawn, with its legal moves."""
    return _answer(query) if len(query.record.moves) <= _SHORT else await run_in_threadpool(_answer, query)
