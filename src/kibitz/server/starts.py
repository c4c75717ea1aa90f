"""New games, by what their players choose: sizes, rules, dealt set-ups."""

from __future__ import annotations

import random
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from kibitz.errors import BadRequest
from kibitz.games import registry
from kibitz.games.base import Position
from kibitz.games.page_facts import GameChoices

router = APIRouter(prefix="/api", tags=["positions"])

_Chosen = Annotated[str, Field(max_length=100)] | int | float | bool


class NewGame(BaseModel):
    """A game, and what is chosen of its `new` fields (GET /api/games), each a field here."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, _Chosen]

    game: Annotated[str, Field(max_length=20)]
    #: The same number deals the same set-ups; by chance without one.
    seed: Annotated[int | None, Field(ge=0, lt=2**30)] = None

    def choices(self) -> GameChoices:
        """What was chosen; BadRequest where the game has no such field."""
        fields = [field.name for field in registry.page_of(self.game).descriptor.new]
        for name in self.__pydantic_extra__:
            if name not in fields:
                expected = f"expected {', '.join(fields)}" if fields else "there is nothing to choose"
                raise BadRequest(f"{self.game} has no choice {name[:40]!r}; {expected}")
        seed = random.SystemRandom().randrange(2**30) if self.seed is None else self.seed
        return GameChoices(seed, dict(self.__pydantic_extra__))


def new_position(wanted: NewGame) -> Position:
    """The first position of a new game."""
    page, choices = registry.page_of(wanted.game), wanted.choices()
    return page.new(choices) if page.new else registry.get(wanted.game).position()


@router.post("/new")
def new(wanted: NewGame) -> dict[str, Any]:
    """The record of a new game that is open to who asks for it. Games with secrets are played in rooms."""
    return new_position(wanted).open_dict()
