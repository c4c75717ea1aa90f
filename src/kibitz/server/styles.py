"""The style score S of a game of chess so far, and the report of two lots of games."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from kibitz.errors import BadRequest
from kibitz.games import chess
from kibitz.server.positions import Record, read_position
from kibitz.style.metrics import check_games, measure, measure_pgn
from kibitz.style.norm import load_norm
from kibitz.style.picture import comparison_picture
from kibitz.style.report import compare

__all__ = ["router"]

router = APIRouter(prefix="/api", tags=["style"])


#: Letters of a lot of games.
_MOST_PGN = 1_500_000


class StyleQuery(BaseModel):
    """A game of chess."""

    model_config = ConfigDict(extra="forbid")

    record: Record


class StyleScore(BaseModel):
    """S and the measures it is made of (docs/style.md)."""

    s: float
    plies: int
    co: float
    dcc: float
    fch: int
    pb_delay: int
    cl: float
    si: float


class StyleReportQuery(BaseModel):
    """Two lots of games as PGN; B is compared with A."""

    model_config = ConfigDict(extra="forbid")

    a: Annotated[str, Field(max_length=_MOST_PGN)]
    b: Annotated[str, Field(max_length=_MOST_PGN)]


class StyleReport(BaseModel):
    """What `kibitz style report` tells: the comparison, and its picture."""

    comparison: dict[str, Any]
    svg: str


@router.post("/style/report")
def style_report(query: StyleReportQuery) -> StyleReport:
    """The style of two lots of games side by side."""
    norm = load_norm()
    lots = {}
    for name, text in (("A", query.a), ("B", query.b)):
        lots[name] = check_games(measure_pgn(text.encode("utf-8", "replace")), name)
    return StyleReport(
        comparison=compare(lots["A"], lots["B"], norm).to_dict(), svg=comparison_picture(lots, norm)
    )


@router.post("/style")
def style(query: StyleQuery) -> StyleScore:
    """S of a game."""
    position = read_position(query.record.model_dump())
    if not isinstance(position, chess.Position):
        raise BadRequest("the style score is measured in chess")
    measures = asdict(measure(position))
    return StyleScore(s=float(load_norm().score(measures)), **measures)
