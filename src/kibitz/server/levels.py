"""Opponents at the levels of a game (`kibitz.levels`)."""

from __future__ import annotations

import random
from typing import Annotated

from fastapi import APIRouter
from fastapi import Request as HttpRequest
from pydantic import BaseModel, ConfigDict, Field

from kibitz.errors import BadRequest
from kibitz.games.base import Position
from kibitz.games.level import Level
from kibitz.levels import choose, get_level, request_at
from kibitz.pool import Pool, Priority
from kibitz.request import Budget, Request
from kibitz.sentences import Sentence
from kibitz.server.counting import proposed
from kibitz.server.positions import Record, read_position

router = APIRouter(prefix="/api", tags=["play"])


#: The look at a position in which the other side has passed: visits, how surely the points must be owned on
#: average, and how surely by an opponent that is certain to win.
_LOOK, _OWNED, _OWNED_BY_WINNER, _CERTAIN = 40, 0.95, 0.75, 0.95


async def think(
    pool: Pool,
    position: Position,
    level: Level,
    client: object = None,
    party: object = None,
    priority: Priority = "normal",
) -> tuple[str, float | None]:
    """The move of an opponent, and what it takes its chances for when it had to think."""
    if len(position.legal_moves) == 1:
        return position.legal_moves[0], None
    if await _is_settled(pool, position, party):
        return "pass", None
    request = request_at(position, level)
    stream = pool.arun(request, client=client, party=party, priority=priority)
    reports = [report async for report in stream]
    return choose(reports[-1], level, random.SystemRandom()), reports[-1].root.value


async def _is_settled(pool: Pool, position: Position, party: object) -> bool:
    """Whether a pass is answered by a pass: all points have their owners, or the opponent wins anyway. Who
    disagrees plays on."""
    if position.counting is None or not position.moves or position.moves[-1] != "pass":
        return False
    if "pass" not in position.legal_moves or not (stopped := position.play("pass")).is_counting:
        return False
    request = Request(position, budget=Budget(visits=_LOOK), options={"ownership": True})
    root = [report async for report in pool.arun(request, party=party)][-1].root
    owned = sum(map(abs, root.ownership)) / max(1, len(root.ownership))
    if owned >= _OWNED or owned < _OWNED_BY_WINNER or root.value < _CERTAIN:
        return owned >= _OWNED
    score = (await proposed(pool, stopped, party)).score
    return (score if position.mover == position.side_names[0] else -score) > 0


class Asked(BaseModel):
    """A position, and the level of the opponent that is to move there."""

    model_config = ConfigDict(extra="forbid")

    record: Record
    level: Annotated[str, Field(max_length=40)]


class Played(BaseModel):
    """A move of the opponent."""

    move: str


@router.post("/move")
async def move(asked: Asked, http: HttpRequest) -> Played:
    """The move of an opponent of some level."""
    position = read_position(asked.record.model_dump())
    if position.is_over or not position.legal_moves:
        raise BadRequest(Sentence("error.over"))
    level = get_level(position.game, asked.level)
    party = http.client.host if http.client else ""
    played, _ = await think(http.app.state.pool, position, level, party=party)
    return Played(move=played)
