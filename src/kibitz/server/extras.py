"""What some games add to their boards: beliefs about hidden pieces, measures of style, files.

Each is a hook of the game's `GamePage`; a game without it refuses.
"""

from __future__ import annotations

import base64
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from kibitz.errors import BadRecord, BadRequest
from kibitz.games import registry
from kibitz.games.record_kinds import GameTree, TreeRow
from kibitz.server.positions import Record, read_position

router = APIRouter(prefix="/api", tags=["positions"])

#: Letters of a set of games.
_MOST_GAMES = 1_500_000

H = TypeVar("H")


def _hook(hook: H | None, game: str, what: str) -> H:
    if hook is None:
        raise BadRequest(f"{game} has no {what}")
    return hook


class BeliefQuery(BaseModel):
    """A position, and the seat whose beliefs are asked for; the one to move by default."""

    model_config = ConfigDict(extra="forbid")

    record: Record
    seat: Annotated[str | None, Field(max_length=10)] = None


@router.post("/beliefs")
def beliefs(query: BeliefQuery) -> dict[str, dict[str, float]]:
    """Chances of kinds by place, as far as the seat may know."""
    position = read_position(query.record.model_dump())
    hook = _hook(registry.page_of(position.game).beliefs, position.game, "hidden pieces")
    return {place: dict(chances) for place, chances in hook(position, query.seat or "").items()}


class StyleQuery(BaseModel):
    """A game."""

    model_config = ConfigDict(extra="forbid")

    record: Record


@router.post("/style", tags=["style"])
def style(query: StyleQuery) -> dict[str, float]:
    """The score `s` of a game's style, and the measures it is made of (docs/style-measures.md)."""
    position = read_position(query.record.model_dump())
    hook = _hook(registry.page_of(position.game).style_score, position.game, "style score")
    return dict(hook(position))


class StyleReportQuery(BaseModel):
    """Two sets of games as text; B is compared with A."""

    model_config = ConfigDict(extra="forbid")

    #: The first game that can be compared, by default.
    game: Annotated[str, Field(max_length=20)] = ""
    a: Annotated[str, Field(max_length=_MOST_GAMES)]
    b: Annotated[str, Field(max_length=_MOST_GAMES)]


class StyleReport(BaseModel):
    """The comparison, and its picture."""

    comparison: dict[str, Any]
    svg: str


@router.post("/style/report", tags=["style"])
def style_report(query: StyleReportQuery) -> StyleReport:
    """The style of two sets of games side by side."""
    game = query.game or next(name for name in registry.names() if registry.page_of(name).style_report)
    comparison, svg = _hook(registry.page_of(game).style_report, game, "style report")(query.a, query.b)
    return StyleReport(comparison=dict(comparison), svg=svg)


class SaveQuery(BaseModel):
    """A game that is to be kept as a file of a kind that its board offers (`saves`), and who played it."""

    model_config = ConfigDict(extra="forbid")

    record: Record
    kind: Annotated[str, Field(max_length=10)]
    #: By PGN's tag names, players by side or seat.
    headers: Annotated[
        dict[Annotated[str, Field(max_length=100)], Annotated[str, Field(max_length=4000)]],
        Field(max_length=200),
    ] = {}
    #: Its variations, the start first; without them the moves of the record.
    tree: Annotated[list[TreeRow], Field(max_length=6000)] = []


class SavedFile(BaseModel):
    """A file in base64."""

    data: str


@router.post("/save", tags=["records"])
def save(query: SaveQuery) -> SavedFile:
    """The file of a game."""
    position = read_position(query.record.model_dump())
    page = registry.page_of(position.game)
    if page.save is None or query.kind not in page.saves(position):
        raise BadRecord(f"this game cannot be saved as .{query.kind}")
    tree = GameTree(position.start, query.tree, query.headers)
    whole = tree if query.tree else GameTree.of(position, query.headers)
    return SavedFile(data=base64.b64encode(page.save(whole, query.kind)).decode())
