"""New games, by what their players choose: sizes, rules, dealt set-ups."""

from __future__ import annotations

import random
from typing import Annotated, Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from kibitz.errors import BadRequest
from kibitz.games import chess, go, junqi, registry, uttt
from kibitz.games.base import Position
from kibitz.server.positions import open_record

__all__ = ["NewGame", "junqi_options", "new_position", "router"]

router = APIRouter(prefix="/api", tags=["positions"])


class NewGame(BaseModel):
    """A game and what can be chosen about it; a field that the game does not have is ignored."""

    model_config = ConfigDict(extra="forbid")

    game: Annotated[str, Field(max_length=20)]
    size: Annotated[int | None, Field(ge=2, le=19)] = None
    rules: Annotated[str | None, Field(max_length=100)] = None
    komi: Annotated[float | None, Field(ge=-400, le=400)] = None
    players: Literal[2, 4] = 4
    variant: Literal["chess", "chess960"] = "chess"
    #: The same number deals the same set-ups; by chance without one.
    seed: Annotated[int | None, Field(ge=0, lt=2**30)] = None


def junqi_options(wanted: NewGame) -> str:
    """Options of Junqi: QQ's rules are those of .jgs files, for four players."""
    if wanted.rules not in (None, "standard", "qq"):
        raise BadRequest(f"unknown rules {wanted.rules!r} of Junqi, expected standard or qq")
    return "qq" if wanted.rules == "qq" and wanted.players == 4 else ""


def new_position(wanted: NewGame) -> Position:
    """The first position of a new game."""
    seed = random.SystemRandom().randrange(2**30) if wanted.seed is None else wanted.seed
    if wanted.game == "go":
        return go.Position(wanted.size or 19, rules=wanted.rules or "chinese", komi=wanted.komi)
    if wanted.game == "uttt":
        return uttt.Position(rules=wanted.rules)
    if wanted.game == "junqi":
        return junqi.deal(seed, wanted.players, options=junqi_options(wanted))
    if wanted.game == "chess" and wanted.variant == "chess960":
        import chess as python_chess

        board = python_chess.Board.from_chess960_pos(seed % 960)
        return chess.Position.of_board(board)
    if wanted.game not in registry.names():
        raise BadRequest(f"unknown game {wanted.game!r}, expected one of {', '.join(registry.names())}")
    return registry.get(wanted.game).position()


@router.post("/new")
def new(wanted: NewGame) -> dict[str, Any]:
    """The record of a new game that is open to who asks for it. Games with secrets are played in rooms."""
    return open_record(new_position(wanted))
