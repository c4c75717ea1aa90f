"""The score of a game that ends by agreement (`kibitz.games.counting`): proposed, and as people mark it."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter
from fastapi import Request as HttpRequest
from pydantic import BaseModel, ConfigDict, Field

from kibitz.errors import BadRequest
from kibitz.games.base import Position
from kibitz.games.counting import JUDGING_VISITS, Count, Counting, accepts
from kibitz.pool import Pool
from kibitz.request import Budget, Request
from kibitz.sentences import Sentence
from kibitz.server.positions import Record, read_position

router = APIRouter(prefix="/api", tags=["play"])

Place = Annotated[str, Field(max_length=10)]


def counting_of(position: Position) -> Counting:
    """How the position is counted; BadRequest where there is nothing to count."""
    if position.counting is None:
        raise BadRequest(f"{position.game} is not counted")
    return position.counting


async def proposed(pool: Pool, position: Position, party: object = None) -> Count:
    """The count with the stones dead that a network, or else playouts, take for dead."""
    counting = counting_of(position)
    request = Request(
        counting.to_judge(position), budget=Budget(visits=JUDGING_VISITS), options={"ownership": True}
    )
    reports = [report async for report in pool.arun(request, party=party)]
    return counting.count(position, counting.propose(position, reports[-1].root.ownership))


class CountQuery(BaseModel):
    """A position where play has stopped, and the stones that are marked as dead; without them some are
    proposed."""

    model_config = ConfigDict(extra="forbid")

    record: Record
    dead: Annotated[list[Place], Field(max_length=400)] | None = None
    #: A stone that was clicked: it and what is connected to it are marked, or not any more.
    toggle: Place = ""
    #: The side of an engine, which is asked whether it agrees.
    engine: Annotated[str, Field(max_length=10)] = ""


class Counted(BaseModel):
    """The count of a position."""

    dead: list[str]
    #: Who owns each place: 1 the first side, -1 the second.
    owners: list[float]
    #: The first side's lead in points.
    score: float
    #: What the points of each side are made of, and who wins: sentences as codes with values.
    lines: list[dict[str, Any]]
    #: The move that ends the game with this count.
    move: str
    #: Whether the engine agrees; it does not to a count that costs it points.
    agrees: bool


@router.post("/count")
async def count(query: CountQuery, http: HttpRequest) -> Counted:
    """Counts a game that two passes stopped, with the dead stones that are marked or proposed."""
    position = read_position(query.record.model_dump())
    if not position.is_counting:
        raise BadRequest(Sentence("error.notStopped"))
    counting = counting_of(position)
    party = http.client.host if http.client else ""
    dead = query.dead
    own = await proposed(http.app.state.pool, position, party) if dead is None or query.engine else None
    if dead is None:
        assert own is not None
        dead = list(own.dead)
    if query.toggle:
        dead = list(counting.toggled(position, dead, query.toggle))
    counted = counting.count(position, dead)
    agrees = True
    if query.engine:
        if query.engine not in position.side_names:
            raise BadRequest(f"there is no side {query.engine!r}")
        assert own is not None
        agrees = accepts(counted, own, position.side_names.index(query.engine))
    return Counted(**counted.to_dict(), agrees=agrees)
