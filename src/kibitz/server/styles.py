"""The style score S of a game of chess so far."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict

from kibitz.errors import BadRequest
from kibitz.games import chess
from kibitz.server.positions import Record, read_position
from kibitz.style.metrics import measure
from kibitz.style.norm import load_norm

__all__ = ["router"]

router = APIRouter(prefix="/api", tags=["style"])


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


@router.post("/style")
def style(query: StyleQuery) -> StyleScore:
    """S of a game."""
    position = read_position(query.record.model_dump())
    if not isinstance(position, chess.Position):
        raise BadRequest("the style score is measured in chess")
    measures = asdict(measure(position))
    return StyleScore(s=float(load_norm().score(measures)), **measures)
