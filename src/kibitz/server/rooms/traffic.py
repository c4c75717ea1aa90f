"""What other processes that share a PostgreSQL database do in rooms: LISTEN on a connection of its own."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from kibitz.server.rooms.log import CHANNEL
from kibitz.server.store.database import Database

_AGAIN = 1.0
#: Seconds without news after which the connection is tried: one that was cut off may say nothing.
_QUIET = 10.0

_log = logging.getLogger(__name__)


class Traffic:
    """Calls `heard(room, number)` for every action that any process wrote, and `heard("", 0)` when some may
    have been missed."""

    def __init__(self, database: Database, heard: Callable[[str, int], Awaitable[None]]) -> None:
        url = database.engine.url.set(drivername="postgresql")
        self._address = url.render_as_string(hide_password=False)
        self._patience = database.patience
        self._heard = heard
        #: Why nothing is heard at the moment; "" while all is well.
        self.problem = "not connected yet"

    async def run(self) -> None:
        """Listens until it is cancelled, whatever goes wrong."""
        while True:
            try:
                await self._listen()
            except Exception as error:  # without this task the server would be deaf for good
                problem = f"no traffic of other servers: {str(error).strip() or type(error).__name__}"
                if problem != self.problem:
                    _log.warning(problem)
                self.problem = problem
            await asyncio.sleep(_AGAIN)

    async def _listen(self) -> None:
        import psycopg  # the extra `postgres`

        connecting = psycopg.AsyncConnection.connect(self._address, autocommit=True, **self._patience)
        async with await connecting as connection:
            await connection.execute(f"LISTEN {CHANNEL}")
            await self._heard("", 0)
            self.problem = ""
            while True:
                async for notice in connection.notifies(timeout=_QUIET):
                    room, _, number = notice.payload.partition(" ")
                    await self._heard(room, int(number))
                await connection.execute(f"LISTEN {CHANNEL}")
