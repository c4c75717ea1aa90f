"""What is chosen when a room is opened, and the table that follows from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from kibitz.errors import BadRequest
from kibitz.games import registry
from kibitz.games.table import BaseTable, Table, TimeControl
from kibitz.levels import get_level
from kibitz.server.positions import Record, read_position
from kibitz.server.starts import NewGame, new_position

AnyTable = BaseTable[Any]
SeatName = Annotated[str, Field(max_length=10)]
LevelName = Annotated[str, Field(max_length=40)]


class Clock(BaseModel):
    """Seconds for the game, and for each move."""

    model_config = ConfigDict(extra="forbid")

    seconds: Annotated[float, Field(ge=1, le=86400)]
    increment: Annotated[float, Field(ge=0, le=3600)] = 0.0
    #: Who runs out of time loses the turn and has `grace` seconds for the next, in games that have turns to
    #: lose.
    skip: bool = False
    grace: Annotated[float, Field(ge=1, le=3600)] = 30.0


class Setting(BaseModel):
    """A game, its clock, and where the engine sits from the start."""

    model_config = ConfigDict(extra="forbid")

    clock: Clock | None = None
    #: Level by seat.
    engines: Annotated[dict[SeatName, LevelName], Field(max_length=4)] = {}
    #: Whether the room is listed (GET /api/rooms) while it waits for players.
    listed: bool = False


class OpenRoom(Setting):
    """A room as somebody asks for it."""

    new: NewGame


class RoomSettings(Setting):
    """A room as it is kept."""

    game: str
    #: The start of a game that hides nothing.
    start: Record | None = None
    players: int = 2
    #: Of a game that is dealt: options of its rules.
    options: str = ""

    @classmethod
    def of(cls, wanted: OpenRoom) -> RoomSettings:
        """Checked; KibitzError says what is wrong."""
        start, players, options = None, 2, ""
        secret = registry.page_of(wanted.new.game).secret
        if secret is not None:
            players, options = secret.rules(wanted.new.choices())
        else:
            start = Record(**new_position(wanted.new).open_dict())
        settings = cls(
            clock=wanted.clock,
            engines=wanted.engines,
            listed=wanted.listed,
            game=wanted.new.game,
            start=start,
            players=players,
            options=options,
        )
        seats = table_of(settings, lambda: 0.0).seats
        for seat, level in wanted.engines.items():
            if seat not in seats:
                raise BadRequest(f"there is no seat {seat!r}, expected {', '.join(seats)}")
            get_level(settings.game, level)
        return settings


def table_of(settings: RoomSettings, now: Callable[[], float]) -> AnyTable:
    """The table of a room, nobody at it."""
    clock = TimeControl(**settings.clock.model_dump()) if settings.clock else None
    secret = registry.page_of(settings.game).secret
    if secret is not None:
        made: AnyTable = secret.table(settings.players, options=settings.options, clock=clock, now=now)
        return made
    assert settings.start is not None, "only secret set-ups have no start"
    return Table(read_position(settings.start.model_dump()), clock=clock, now=now)
