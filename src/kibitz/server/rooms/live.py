"""A room in use: its connections, and what they are sent when something happens."""

from __future__ import annotations

import asyncio
from typing import Any, Protocol

from kibitz.games import registry
from kibitz.server.rooms.messages import Look
from kibitz.server.rooms.opponent import Opponent
from kibitz.server.rooms.record import Room
from kibitz.server.rooms.views import Views


class RoomListener(Protocol):
    """A connection that gets changes."""

    #: The hash of a seat's secret; "" for who only watches.
    token: str

    def changed(self) -> None: ...
    def end(self) -> None: ...


class LiveRoom:
    """`room` is always what is on the disk. The lock is held from the moment an action is checked until it is
    written."""

    def __init__(self, room: Room, opponent: Opponent, now: float) -> None:
        self.room, self.opponent = room, opponent
        self.lock = asyncio.Lock()
        self.clients: set[RoomListener] = set()
        self.driver: asyncio.Task[Any] | None = None
        #: When somebody was last connected.
        self.used = now
        self._views = Views()

    @property
    def is_driven(self) -> bool:
        """Is an engine at work here?"""
        return self.driver is not None and not self.driver.done()

    def present(self) -> set[str]:
        """The seats whose people are connected here."""
        seats = (self.room.seat_of(client.token) for client in self.clients)
        return {seat for seat in seats if seat is not None}

    def tell(self, now: float) -> None:
        """Something has happened."""
        self.used = now
        for client in list(self.clients):
            client.changed()

    def close(self) -> None:
        """Lets everybody go; they may come again."""
        for client in list(self.clients):
            client.end()

    def message(self, token: str, look: Look, now: float, alone: bool) -> str:
        """What the owner of a token gets of the room. The seat is looked up together with what is
        sent. `alone`: no other process has people of this room."""
        self.room.pass_time(now)
        # Another side than those there are would be drawn, and kept, for itself.
        below = look.below if look.below in self.room.seats else ""
        known = look.pieces in registry.page_of(self.room.settings.game).descriptor.piece_sets
        watcher = self.room.seat_of(token), below, look.names, look.pieces if known else ""
        here = self.present()
        online = {seat: seat in here or (False if alone else None) for seat in self.room.seats}
        return self._views.message(self.room, watcher, online)
