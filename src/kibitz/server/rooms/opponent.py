"""The engine in a seat: its set-up, its answers to offers, its moves. It is handed what its seat may know."""

from __future__ import annotations

import secrets
from dataclasses import replace

from kibitz.games.junqi import layouts
from kibitz.games.junqi.table import Table as JunqiTable
from kibitz.games.level import Level
from kibitz.levels import get_level
from kibitz.pool import Pool
from kibitz.server.levels import think
from kibitz.server.rooms.record import Room

__all__ = ["Opponent"]

#: The part of the time left that a move may take, and the least there is.
_SHARE = 1 / 20
_LEAST_SECONDS = 0.05


class Opponent:
    """The engines of one room; what they last thought of their games."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._values: dict[str, float] = {}

    async def decide(self, room: Room, seat: str) -> tuple[str, str]:
        """The action of the engine at a seat that has something to do: its kind and text. The room is read
        before the first wait only."""
        table = room.table
        if table.phase == "set-up":
            if isinstance(table, JunqiTable) and table.layout(seat) is None:
                return "layout", layouts.deal_secretly(secrets.randbits(60), len(table.seats))[0]
            return "ready", ""
        if table.offer is not None and seat not in table.offer.agreed:
            # A draw is welcome to who stands no better.
            welcome = table.offer.kind == "undo" or self._values.get(seat, 1.0) <= 0.5
            return ("accept" if welcome else "decline"), ""
        level = _hurried(get_level(room.settings.game, room.seats[seat].level), room, seat)
        move, value = await think(self._pool, table.thinking(), level, (room.name, seat))
        if value is not None:
            self._values[seat] = value
        return "move", move


def _hurried(level: Level, room: Room, seat: str) -> Level:
    """A level that keeps to the clock."""
    left = room.table.clocks().get(seat)
    if left is None:
        return level
    clock = room.table.clock
    seconds = max(_LEAST_SECONDS, _SHARE * left + 0.5 * (clock.increment if clock else 0.0))
    wanted = level.budget.get("seconds")
    return replace(level, budget={**level.budget, "seconds": min(seconds, wanted or seconds)})
