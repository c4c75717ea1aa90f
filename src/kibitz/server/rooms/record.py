"""What happened in a room, and what follows from it.

A room is the sum of its actions: the same actions give the same room, clocks included, in any process and
after any crash. `Room.apply` is the only way it changes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from kibitz.errors import BadRequest, IllegalMove
from kibitz.games.junqi.table import Table as JunqiTable
from kibitz.server.rooms.settings import AnyTable, RoomSettings, table_of

__all__ = ["MOST_ACTIONS", "Action", "Room", "Seat"]

#: Actions of a room; of these at a seat: draws and take-backs, and comings, goings and set-ups.
MOST_ACTIONS = 12_000
_MOST_OFFERS = 100
_MOST_CHANGES = 300


@dataclass(frozen=True)
class Action:
    """One thing that happened: which it was in the room, when (seconds since 1970), at which seat, what."""

    number: int
    at: float
    seat: str
    kind: str
    text: str = ""


@dataclass
class Seat:
    """Who sits there: a person by name and the hash of a secret, or the engine at a level."""

    name: str = ""
    token: str = ""
    level: str = ""
    offers: int = 0
    changes: int = 0

    @property
    def is_taken(self) -> bool:
        return bool(self.token or self.level)


class Room:
    """A room after its actions so far. An action that is not allowed raises and changes nothing."""

    def __init__(self, name: str, settings: RoomSettings, actions: Iterable[Action] = ()) -> None:
        self.name, self.settings = name, settings
        #: The time of the last action; what the clocks take for now.
        self.at = 0.0
        self.number = 0
        self.table: AnyTable = table_of(settings, lambda: self.at)
        self.seats = {seat: Seat() for seat in self.table.seats}
        for action in actions:
            self.apply(action)

    # -- what follows -----------------------------------------------------------------------------

    def seat_of(self, token: str) -> str | None:
        """The seat of who has a secret, by its hash."""
        return next((name for name, seat in self.seats.items() if token and seat.token == token), None)

    def engines_turn(self) -> str | None:
        """The seat of the engine that has something to do, if one has."""
        table = self.table
        if table.phase == "set-up":
            waiting = [seat for seat in table.seats if seat not in table.is_ready]
        elif table.offer is not None:
            waiting = [seat for seat in table.seats if table.in_game(seat) and seat not in table.offer.agreed]
        else:
            waiting = []
        if table.mover is not None:
            waiting.append(table.mover)
        return next((seat for seat in waiting if self.seats[seat].level), None)

    def has_people(self) -> bool:
        return any(seat.token for seat in self.seats.values())

    def due(self, patience: float) -> float | None:
        """When somebody must look after the room: an engine's step is to be made within `patience`; a clock
        runs out. Engines among themselves play only while somebody watches."""
        if self.engines_turn() is not None and self.has_people():
            return self.at + patience
        mover = self.table.mover
        clocks = self.table.clocks()
        return self.at + clocks[mover] if mover is not None and clocks else None

    def time_is_up(self, now: float) -> bool:
        """Has the seat to move used up its clock?"""
        mover = self.table.mover
        if mover is None or self.table.clock is None:
            return False
        self.pass_time(now)
        return self.table.clocks()[mover] <= 0

    def pass_time(self, now: float) -> None:
        """Clocks stand as they do now."""
        self.at = max(self.at, now)

    # -- changes ----------------------------------------------------------------------------------

    def apply(self, action: Action) -> None:
        """Lets an action happen."""
        if action.number != self.number + 1:
            raise BadRequest(f"action {action.number} follows {self.number}")
        if action.number > MOST_ACTIONS:
            raise BadRequest("too much has happened in this room")
        if action.kind in _CHANGES:
            seat = self._seat(action.seat)
            if seat.changes >= _MOST_CHANGES:
                raise IllegalMove(f"{action.seat} cannot do that now")
            seat.changes += 1
        self.pass_time(action.at)
        _DEEDS[action.kind](self, action)
        self.number = action.number

    def _sit(self, action: Action) -> None:
        seat, who = self._seat(action.seat), json.loads(action.text)
        if seat.is_taken or self.table.phase == "over":
            raise IllegalMove(f"{action.seat} is taken")
        if self.seat_of(who["token"]) is not None:
            raise IllegalMove("you sit already")
        seat.name, seat.token = who["name"], who["token"]
        self._take(action.seat)

    def _seat_engine(self, action: Action) -> None:
        seat = self._seat(action.seat)
        if seat.is_taken or self.table.phase == "over":
            raise IllegalMove(f"{action.seat} is taken")
        seat.level = action.text
        self._take(action.seat)

    def _take(self, name: str) -> None:
        """Where there is nothing to set up, who sits is ready."""
        if self.table.phase == "set-up" and not self.table.sets_up:
            self.table.ready(name)

    def _leave(self, action: Action) -> None:
        """Somebody goes, or an engine is sent away: that only before the game."""
        seat = self._seat(action.seat)
        if not seat.is_taken or (seat.level and self.table.phase != "set-up"):
            raise IllegalMove(f"{action.seat} cannot do that now")
        seat.name = seat.token = seat.level = ""
        if self.table.phase == "set-up":
            self.table.unready(action.seat)

    def _set_up(self, action: Action) -> None:
        if not isinstance(self.table, JunqiTable):
            raise IllegalMove(f"{action.seat} cannot do that now")
        self.table.set_up(action.seat, action.text)

    def _offer(self, action: Action) -> None:
        seat = self._seat(action.seat)
        if seat.offers >= _MOST_OFFERS:
            raise IllegalMove(f"{action.seat} cannot do that now")
        if action.kind == "draw":
            self.table.offer_draw(action.seat)
        else:
            self.table.ask_undo(action.seat)
        seat.offers += 1

    def _seat(self, name: str) -> Seat:
        if name not in self.seats:
            raise BadRequest(f"there is no seat {name[:10]!r}, expected {', '.join(self.seats)}")
        return self.seats[name]


_CHANGES = frozenset({"sit", "engine", "leave", "layout", "ready"})
#: What each kind of action does.
_DEEDS: Mapping[str, Callable[[Room, Action], object]] = {
    "sit": Room._sit,
    "engine": Room._seat_engine,
    "leave": Room._leave,
    "layout": Room._set_up,
    "ready": lambda room, action: room.table.ready(action.seat),
    "move": lambda room, action: room.table.play(action.seat, action.text),
    "resign": lambda room, action: room.table.resign(action.seat),
    "draw": Room._offer,
    "undo": Room._offer,
    "accept": lambda room, action: room.table.answer(action.seat, True),
    "decline": lambda room, action: room.table.answer(action.seat, False),
    # Time is up; the server was away since the time in the text.
    "tick": lambda room, action: room.table.tick(),
    "away": lambda room, action: room.table.forgive(float(action.text)),
}
