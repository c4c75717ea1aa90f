"""Opponents of many strengths.

The ladder is made of what the searches have: fewer simulations, and a choice among moves that are almost as
good. No move is taken at random: each has a chance by how much it loses, as for people, who overlook little
things often and big ones seldom. What is measured about human play belongs here, and nowhere else.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from fastapi import APIRouter
from fastapi import Request as HttpRequest
from pydantic import BaseModel, ConfigDict, Field

from kibitz.errors import BadRequest
from kibitz.games import registry
from kibitz.games.base import Position
from kibitz.pool import Pool
from kibitz.report import MoveInfo
from kibitz.request import Budget, Request
from kibitz.server.positions import Record, read_position

__all__ = ["LEVELS", "Level", "choose", "level_of", "play_move", "router"]

router = APIRouter(prefix="/api", tags=["play"])


@dataclass(frozen=True)
class Level:
    """How an opponent thinks: simulations, seconds at most, and the loss (a share of the winrate) that it
    overlooks now and then."""

    simulations: int
    seconds: float
    overlooks: float


#: From beginner to all that two seconds give.
LEVELS: tuple[Level, ...] = (
    Level(60, 1.0, 0.12),
    Level(120, 1.0, 0.08),
    Level(250, 1.0, 0.055),
    Level(500, 1.0, 0.035),
    Level(1_200, 1.5, 0.02),
    Level(3_000, 1.5, 0.012),
    Level(10_000, 1.5, 0.006),
    Level(50_000, 2.0, 0.0),
    Level(10_000_000, 2.0, 0.0),
)
#: A beginner does not solve endings.
_SOLVES_FROM = 6
#: Moves that lose more than so many times what is overlooked are seen.
_SEEN = 4.0


def level_of(number: int) -> Level:
    if not 1 <= number <= len(LEVELS):
        raise BadRequest(f"levels go from 1 to {len(LEVELS)}, got {number}")
    return LEVELS[number - 1]


def choose(moves: Sequence[MoveInfo], level: Level, chance: random.Random) -> str:
    """A move of a report: the best, or one that loses little enough to be overlooked."""
    best = moves[0]
    if level.overlooks <= 0 or best.proven == "win":
        return best.move
    top = max(info.value for info in moves)
    # What few visits say of a move is not much: the lower bound of what they say keeps wild guesses out.
    loss = {info.move: max(0.0, top - info.value) for info in moves if info.visits or info.proven}
    near = {move: lost for move, lost in loss.items() if lost <= _SEEN * level.overlooks}
    near.setdefault(best.move, 0.0)
    weights = [
        math.exp(-lost / level.overlooks) * (2.0 if move == best.move else 1.0) for move, lost in near.items()
    ]
    return chance.choices(list(near), weights)[0]


def request_for(position: Position, number: int) -> Request:
    """What a level asks of a search."""
    level = level_of(number)
    options: Mapping[str, Any] = {}
    if registry.get(position.game).solve is not None and number < _SOLVES_FROM:
        options = {"solve_root": 0, "solve_leaves": 0}
    if position.game == "junqi":  # simulations are nodes there
        return Request(position.seen(), budget=Budget(seconds=min(level.seconds, 0.1 * number)))
    return Request(position.seen(), budget=Budget(level.simulations, None, level.seconds), options=options)


async def play_move(pool: Pool, position: Position, number: int, client: object = None) -> str:
    """The move of an opponent."""
    request = replace(request_for(position, number), top=60, line_length=1)
    if len(position.legal_moves) == 1:
        return position.legal_moves[0]
    reports = [report async for report in pool.arun(request, client=client)]
    moves = reports[-1].moves
    return choose(moves, level_of(number), random.SystemRandom()) if moves else reports[-1].best


class Asked(BaseModel):
    """A position, and the level of the opponent that is to move there."""

    model_config = ConfigDict(extra="forbid")

    record: Record
    level: Annotated[int, Field(ge=1, le=len(LEVELS))]


class Played(BaseModel):
    """A move of the opponent."""

    move: str


@router.get("/levels")
def levels() -> int:
    """How many levels there are."""
    return len(LEVELS)


@router.post("/move")
async def move(asked: Asked, http: HttpRequest) -> Played:
    """The move of an opponent of some level."""
    position = read_position(asked.record.model_dump())
    if position.is_over or not position.legal_moves:
        raise BadRequest("the game is over")
    return Played(move=await play_move(http.app.state.pool, position, asked.level))
