"""The engine in a seat: its set-up, its answers to offers, its moves. It is handed what its seat may know."""

from __future__ import annotations

import json
import secrets
from dataclasses import replace

from kibitz.games.level import Level
from kibitz.games.table import Table
from kibitz.levels import get_level
from kibitz.pool import Pool, Priority
from kibitz.server.counting import proposed
from kibitz.server.levels import think
from kibitz.server.rooms.record import Room

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
            if table.sets_up and table.layout(seat) is None:
                return "layout", table.engine_layout(secrets.randbits(60))
            return "ready", ""
        if isinstance(table, Table) and table.phase == "counting":
            return await self._count(table, room.name, seat)
        if table.offer is not None and seat not in table.offer.agreed:
            # A draw is welcome to who stands no better.
            welcome = table.offer.kind == "undo" or self._values.get(seat, 1.0) <= 0.5
            return ("accept" if welcome else "decline"), ""
        level = get_level(room.settings.game, room.seats[seat].level)
        level = _hurried(level, room, seat, self._pool.crowding)
        priority: Priority = "normal" if table.clock is None else "clock"
        client = room.name, seat
        move, value = await think(self._pool, table.thinking(), level, client, room.name, priority)
        if value is not None:
            self._values[seat] = value
        return "move", move

    async def _count(self, table: Table, room: str, seat: str) -> tuple[str, str]:
        """A step of counting: the proposal, or an engine's answer to what is marked."""
        count = table.count()
        if count is None:
            made = await proposed(self._pool, table.thinking(), room)
            return "propose", json.dumps(made.dead)
        return ("agree", count.move) if table.accepts_count(seat) else ("propose", "")


def _hurried(level: Level, room: Room, seat: str, crowding: float) -> Level:
    """A level that keeps to the clock. Where more engines are to move than can think at once, each thinks so
    much shorter: the time in which a move is made stays what it was."""
    left = room.table.clocks().get(seat)
    if left is None:
        return level
    clock = room.table.clock
    seconds = _SHARE * left + 0.5 * (clock.increment if clock else 0.0)
    wanted = level.budget.get("seconds")
    seconds = max(_LEAST_SECONDS, min(seconds, wanted or seconds) / max(1.0, crowding))
    return replace(level, budget={**level.budget, "seconds": seconds})
