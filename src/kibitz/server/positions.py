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
from kibitz.games import registry
from kibitz.games.base import Position
from kibitz.games.page_facts import Look
from kibitz.games.plain_form import MOST_MOVE_LETTERS
from kibitz.steering import STYLE_LEVELS

router = APIRouter(prefix="/api", tags=["positions"])

#: The most moves of a game that is looked at.
MOST_MOVES = 4000
#: A game of so many moves is drawn by the event loop itself: a change of threads takes longer.
_SHORT = 200

Names = Literal["english", "chinese", "traditional", "korean"]
PieceSet = Annotated[str, Field(max_length=16)]


class Record(BaseModel):
    """A position as plain data: `Position.to_dict` (docs/report.md), or `Position.open_dict` with what the
    game hides, for games that are open to who looks at them."""

    model_config = ConfigDict(extra="forbid")

    game: Annotated[str, Field(max_length=20)]
    start: Annotated[str | None, Field(max_length=20_000)] = None
    moves: Annotated[
        list[Annotated[str, Field(max_length=MOST_MOVE_LETTERS)]], Field(max_length=MOST_MOVES)
    ] = []
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
    #: In games that hide something: show what this seat may know; empty for everything.
    seat: Annotated[str, Field(max_length=10)] = ""
    #: What is written on pieces, where words are.
    names: Names = "chinese"
    #: How pieces are drawn: one of the game's sets.
    pieces: PieceSet = ""


class Places(BaseModel):
    """Where the picture has the places that moves name."""

    width: float
    height: float
    cell: float
    #: In the order of an ownership, where there is one.
    at: dict[str, tuple[float, float]]
    #: A regular expression whose groups are the places that a move names: one, or where from and where to.
    move: str


class Board(BaseModel):
    """A position as the page shows it."""

    record: dict[str, Any]
    notation: str
    mover: str
    #: 0 when the first side is to move.
    toMove: int
    seats: list[str]
    #: The first side and the second.
    sides: list[str]
    over: bool
    #: Play has stopped and the players are to agree on the score (POST /api/count).
    counting: bool
    #: The first side's result once the game is over.
    result: float | None
    #: Why the game is over, in its own words: sentences as codes with values.
    ending: list[dict[str, Any]]
    legalMoves: list[str]
    #: Legal moves as people of the game write them, where that differs (SAN).
    moveNames: dict[str, str]
    #: The moves so far as people write them, and what everybody saw of the last one.
    line: list[str]
    public_event: str
    #: What stands beside the board: sentences as codes with values (`kibitz.sentences`).
    notes: list[dict[str, Any]]
    #: Figures of the game: discs, captures, the constraint.
    facts: dict[str, Any]
    #: Who owns each of `places.at` as the board stands, where that can be said.
    owners: list[float]
    #: Whether exact tables may have the position (POST /api/tables).
    tables: bool
    #: Places that need a look: `check` or `mate`.
    warned: dict[str, str]
    #: The name of the opening, where it has one.
    opening: str
    #: The last moves in words, where the moves alone say little: sentences of each, oldest first.
    log: list[list[dict[str, Any]]]
    #: What is off the board, by the side that had it.
    captured: dict[str, list[str]]
    #: Kinds of file that the game can be saved as (POST /api/save).
    saves: list[str]
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
    #: Elo of a level above the first, where its ladder was played.
    ratings: dict[str, int]
    hides: bool
    solves: bool
    #: How the game is shown and played (`kibitz.games.page_facts.Descriptor`).
    page: dict[str, Any]


def read_position(data: Mapping[str, Any]) -> Position:
    """The position of a record; also of one with everything that the game hides."""
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


def board_of(
    position: Position, below: str = "", seat: str = "", names: Names = "chinese", pieces: str = ""
) -> Board:
    """A position as the page shows it."""
    page = registry.page_of(position.game)
    shown = page.shown(position, seat)
    drawn = shown.places(below)
    over = position.is_over and not position.is_counting
    legal = [] if position.is_counting else list(position.legal_moves)
    written = {move: position.line_text([move])[0] for move in legal}
    seats = list(position.seat_names)
    return Board(
        record=position.open_dict(),
        notation=shown.notation,
        mover=position.mover,
        toMove=position.to_move,
        seats=seats,
        sides=seats if len(seats) == 2 else list(position.side_names),
        over=over,
        counting=position.is_counting,
        result=position.result if over else None,
        ending=[said.to_dict() for said in page.ending(position)] if over else [],
        legalMoves=legal,
        moveNames={move: name for move, name in written.items() if name != move},
        line=position.start.line_text(position.moves),
        public_event=position.public_event(),
        notes=[note.to_dict() for note in page.notes(position)],
        facts=dict(page.facts(position)),
        owners=list(page.owners(position)) if page.owners else [],
        tables=page.in_tables(position),
        saves=list(page.saves(position)),
        warned=dict(page.warned(shown)),
        opening=page.opening(shown),
        log=[[said.to_dict() for said in event] for event in page.log(shown)],
        captured={side: list(kinds) for side, kinds in page.captured(shown).items()},
        svg=page.svg(shown, Look(below, names, pieces if pieces in page.descriptor.piece_sets else "")),
        places=Places(
            width=drawn.width,
            height=drawn.height,
            cell=drawn.cell,
            at=dict(drawn.at),
            move=page.move_places,
        ),
    )


@cache
def _rows() -> list[GameRow]:
    return [
        GameRow(
            name=name,
            title=info.title,
            sides=list(info.position.side_names),
            presets=list(info.presets),
            styles=[name for name in info.styles if name != getattr(info.style_files, "style", None)],
            styleLevels=dict(STYLE_LEVELS),
            levels=[level.name for level in info.levels],
            ratings={level.name: level.rating for level in info.levels if level.rating is not None},
            hides=info.position.hides,
            solves=info.solve is not None,
            page=registry.page_of(name).descriptor.to_dict(),
        )
        for name, info in ((name, registry.get(name)) for name in registry.names())
    ]


@router.get("/games")
async def games() -> list[GameRow]:
    """The games there are."""
    return _rows()


def _answer(query: BoardQuery) -> Response:
    position = read_position(query.record.model_dump())
    board = board_of(position, query.below, query.seat, query.names, query.pieces)
    # Made of typed parts just now: nothing is gained by checking it again.
    return Response(board.model_dump_json(), media_type="application/json")


@router.post("/position", response_model=Board)
async def position(query: BoardQuery) -> Response:
    """A position, drawn, with its legal moves."""
    return _answer(query) if len(query.record.moves) <= _SHORT else await run_in_threadpool(_answer, query)
