"""What other processes that share a PostgreSQL database do in rooms: LISTEN on a connection of its own."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from kibitz.server.rooms.log import CHANNEL
from kibitz.server.store import Database

__all__ = ["Traffic"]

_AGAIN = 1.0

_log = logging.getLogger(__name__)


class Traffic:
    """Calls `heard(room, number)` for every action that any process wrote, and `heard("", 0)` when some may
    have been missed."""

    def __init__(self, database: Database, heard: Callable[[str, int], Awaitable[None]]) -> None:
        url = database.engine.url.set(drivername="postgresql")
        self._address = url.render_as_string(hide_password=False)
        self._heard = heard

    async def run(self) -> None:
        """Listens until it is cancelled."""
        import psycopg  # the extra `postgres`

        while True:
            try:
                async with await psycopg.AsyncConnection.connect(
                    self._address, autocommit=True
                ) as connection:
                    await connection.execute(f"LISTEN {CHANNEL}")
                    await self._heard("", 0)
                    async for notice in connection.notifies():
                        room, _, number = notice.payload.partition(" ")
                        await self._heard(room, int(number))
            except psycopg.OperationalError as error:
                _log.warning("no traffic of other servers: %s", error)
            await asyncio.sleep(_AGAIN)
