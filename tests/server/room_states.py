"""Rooms as the tests compare and drive them."""

from __future__ import annotations

import json
from typing import Any

from kibitz.games.base import Position
from kibitz.games.table import BaseTable, _Clocks
from kibitz.server.rooms.record import Room, Seat
from kibitz.server.rooms.settings import OpenRoom, RoomSettings

__all__ = ["everything", "settings_of", "sitting"]


def everything(part: Any) -> Any:
    """All that a room holds, as plain data. The time at which its clocks are read is no part of it."""
    if isinstance(part, Room | Seat | BaseTable | _Clocks):
        fields = {name: value for name, value in vars(part).items() if name != "_now"}
        return {name: everything(value) for name, value in fields.items()}
    if isinstance(part, dict):
        return {name: everything(value) for name, value in part.items()}
    if isinstance(part, list | tuple):
        return [everything(value) for value in part]
    if isinstance(part, Position):
        return part.notation, part.moves
    return part


def settings_of(
    game: str, clock: dict[str, Any] | None = None, engines: dict[str, str] | None = None, **new: Any
) -> RoomSettings:
    wanted = {"new": {"game": game, "seed": 1, **new}, "clock": clock, "engines": engines or {}}
    return RoomSettings.of(OpenRoom.model_validate(wanted))


def sitting(name: str) -> str:
    """The text of the action that somebody sits down."""
    return json.dumps({"name": name, "token": f"token of {name}"})
