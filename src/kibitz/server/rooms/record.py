"""What happened in a room, and what follows from it.

A room is the sum of its actions: the same actions give the same room, clocks included, in any process and
after any crash. `Room.after` is the only transition, for new actions and for replay alike; it makes a new
room and leaves the old one as it is, so a refused action has no effect.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from kibitz.errors import BadRequest, IllegalMove
from kibitz.games import registry
from kibitz.games.table import Table
from kibitz.sentences import Sentence
from kibitz.server.rooms.settings import AnyTable, RoomSettings, table_of

#: Actions of a room; of these at a seat: draws and take-backs, people and engines that sit down, set-ups of
#: each of them, steps of counting, and what is said.
MOST_ACTIONS = 12_000
_MOST_OFFERS = 100
_MOST_SITTERS = 300
_MOST_SETUPS = 300
_MOST_MARKS = 400
_MOST_SAID = 500
#: Of what was said, so much is sent.
_MOST_TALK = 50


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
    sitters: int = 0
    setups: int = 0
    marks: int = 0
    said: int = 0

    @property
    def is_taken(self) -> bool:
        return bool(self.token or self.level)


class Room:
    """A room after its actions so far."""

    def __init__(self, name: str, settings: RoomSettings, actions: Iterable[Action] = ()) -> None:
        self.name, self.settings = name, settings
        #: The time of the last action, and the time at which clocks are read.
        self.at = self._now = 0.0
        self.number = 0
        #: The number of the last action that changed more than the talk.
        self.step = 0
        #: What was last said: the seat, its name then, and the words.
        self.talk: tuple[tuple[str, str, str], ...] = ()
        #: After the game: the seats that want another, and the room it is played in.
        self.rematch: frozenset[str] = frozenset()
        self.next = ""
        self.table: AnyTable = table_of(settings, lambda: self._now)
        self.seats = {seat: Seat() for seat in self.table.seats}
        for action in actions:
            self._apply(action)  # nobody has seen this room yet

    # -- what follows -----------------------------------------------------------------------------

    def seat_of(self, token: str) -> str | None:
        """The seat of who has a secret, by its hash."""
        return next((name for name, seat in self.seats.items() if token and seat.token == token), None)

    @property
    def hides(self) -> bool:
        """Do seats know less than the whole game?"""
        return registry.get(self.settings.game).position.hides

    def engines_turn(self) -> str | None:
        """The seat of the engine that has something to do, if one has; "" when the server itself is to
        propose dead stones."""
        table = self.table
        if table.phase == "counting":
            assert isinstance(table, Table)
            if table.count() is None:
                return ""
            waiting = [seat for seat in table.seats if seat not in table.agreed]
            return next((seat for seat in waiting if self.seats[seat].level), None)
        if table.phase == "set-up":
            waiting = [seat for seat in table.seats if seat not in table.is_ready]
        elif table.offer is not None:
            waiting = [seat for seat in table.seats if table.in_game(seat) and seat not in table.offer.agreed]
        else:
            waiting = []
        if table.mover is not None:
            waiting.append(table.mover)
        return next((seat for seat in waiting if self.seats[seat].level), None)

    def wants_rematch(self) -> bool:
        """Do all people at the seats want another game, which has not begun yet?"""
        people = {name for name, seat in self.seats.items() if seat.token}
        return bool(people) and not self.next and people <= self.rematch

    def is_open(self) -> bool:
        """Do people wait here for somebody to sit down?"""
        waiting = self.table.phase == "set-up" and any(not seat.is_taken for seat in self.seats.values())
        return waiting and self.has_people()

    def has_people(self) -> bool:
        return any(seat.token for seat in self.seats.values())

    def due(self, patience: float) -> float | None:
        """When somebody must look after the room: an engine's step is to be made within `patience`; a clock
        runs out. Engines among themselves play only while somebody watches."""
        if self.engines_turn() is not None and self.has_people():
            return self._now + patience
        mover = self.table.mover
        clocks = self.table.clocks()
        return self._now + clocks[mover] if mover is not None and clocks else None

    def time_is_up(self, now: float) -> bool:
        """Has the seat to move used up its clock?"""
        mover = self.table.mover
        if mover is None or self.table.clock is None:
            return False
        self.pass_time(now)
        return self.table.clocks()[mover] <= 0

    def pass_time(self, now: float) -> None:
        """Reads the clocks as they stand now."""
        self._now = max(self.at, now)

    # -- changes ----------------------------------------------------------------------------------

    def after(self, action: Action) -> Room:
        """The room after an action; this one does not change. KibitzError when the action is not allowed."""
        following = copy.copy(self)
        following.seats = {name: replace(seat) for name, seat in self.seats.items()}
        following.table = self.table.copy(lambda: following._now)
        following._apply(action)
        return following

    def _apply(self, action: Action) -> None:
        """Changes this room; one whose action is refused must be discarded."""
        if action.number != self.number + 1:
            raise BadRequest(f"action {action.number} follows {self.number}")
        if action.number > MOST_ACTIONS:
            raise BadRequest(Sentence("error.roomFull"))
        self.at = self._now = max(self.at, action.at)
        _EFFECTS[action.kind](self, action)
        self.number = action.number
        if action.kind != "say":
            self.step = action.number

    def _sit(self, action: Action) -> None:
        seat, who = self._seat(action.seat), json.loads(action.text)
        if seat.is_taken or self.table.phase == "over":
            raise IllegalMove(Sentence("error.taken", {"seat": action.seat}))
        if self.seat_of(who["token"]) is not None:
            raise IllegalMove(Sentence("error.sitAlready"))
        seat.name, seat.token = who["name"], who["token"]
        self._take(seat, action.seat)

    def _seat_engine(self, action: Action) -> None:
        seat = self._seat(action.seat)
        if seat.is_taken or self.table.phase == "over":
            raise IllegalMove(Sentence("error.taken", {"seat": action.seat}))
        seat.level = action.text
        self._take(seat, action.seat)

    def _take(self, seat: Seat, name: str) -> None:
        """Where there is nothing to set up, who sits is ready."""
        _limit(seat.sitters, _MOST_SITTERS, name)
        seat.sitters, seat.setups = seat.sitters + 1, 0
        if self.table.phase == "set-up" and not self.table.sets_up:
            self.table.ready(name)

    def _dismiss(self, action: Action) -> None:
        """An engine is sent away."""
        if not self._seat(action.seat).level:
            raise IllegalMove(Sentence("error.noEngineThere"))
        self._leave(action)

    def _leave(self, action: Action) -> None:
        """Somebody goes. Records of earlier versions say this of engines too, before the game only."""
        seat = self._seat(action.seat)
        if not seat.is_taken or (seat.level and self.table.phase != "set-up"):
            raise IllegalMove(Sentence("error.notNow", {"seat": action.seat}))
        seat.name = seat.token = seat.level = ""
        if self.table.phase == "set-up":
            self.table.unready(action.seat)

    def _set_up(self, action: Action) -> None:
        if not self.table.sets_up:
            raise IllegalMove(Sentence("error.notNow", {"seat": action.seat}))
        self._count_setup(action.seat)
        self.table.set_up(action.seat, action.text)

    def _ready(self, action: Action) -> None:
        self._count_setup(action.seat)
        self.table.ready(action.seat)

    def _count_setup(self, name: str) -> None:
        seat = self._seat(name)
        _limit(seat.setups, _MOST_SETUPS, name)
        seat.setups += 1

    def _offer(self, action: Action) -> None:
        seat = self._seat(action.seat)
        _limit(seat.offers, _MOST_OFFERS, action.seat)
        seat.offers += 1
        if action.kind == "draw":
            self.table.offer_draw(action.seat)
        else:
            self.table.ask_undo(action.seat)

    def _counted(self, name: str) -> Table:
        """The table, for a step of a seat that counts."""
        seat = self._seat(name)
        _limit(seat.marks, _MOST_MARKS, name)
        seat.marks += 1
        if not isinstance(self.table, Table):
            raise IllegalMove(Sentence("error.notNow", {"seat": name}))
        return self.table

    def _say(self, action: Action) -> None:
        seat = self._seat(action.seat)
        _limit(seat.said, _MOST_SAID, action.seat)
        seat.said += 1
        self.talk = (*self.talk, (action.seat, seat.name, action.text))[-_MOST_TALK:]

    def _rematch(self, action: Action) -> None:
        """A seat wants another game. Asked again, it is looked at again: the server may have been away."""
        seat = self._seat(action.seat)
        _limit(seat.offers, _MOST_OFFERS, action.seat)
        seat.offers += 1
        if self.table.phase != "over" or self.next:
            raise IllegalMove(Sentence("error.notNow", {"seat": action.seat}))
        self.rematch |= {action.seat}

    def _follow_on(self, action: Action) -> None:
        """The server has opened the room of the next game."""
        if not self.wants_rematch():
            raise IllegalMove(Sentence("error.notNow", {"seat": action.seat}))
        self.next = action.text

    def _propose(self, action: Action) -> None:
        """The server marks dead stones: the first time its own, later, for an engine, the same again."""
        if not isinstance(self.table, Table):
            raise IllegalMove(Sentence("error.notNow", {"seat": action.seat}))
        try:
            places = json.loads(action.text) if action.text else None
        except ValueError:
            raise IllegalMove(Sentence("error.notNow", {"seat": action.seat})) from None
        self.table.propose(places)

    def _seat(self, name: str) -> Seat:
        if name not in self.seats:
            raise BadRequest(f"there is no seat {name[:10]!r}, expected {', '.join(self.seats)}")
        return self.seats[name]


def _limit(used: int, most: int, seat: str) -> None:
    if used >= most:
        raise IllegalMove(Sentence("error.notNow", {"seat": seat}))


#: What each kind of action does.
_EFFECTS: Mapping[str, Callable[[Room, Action], object]] = {
    "sit": Room._sit,
    "engine": Room._seat_engine,
    "dismiss": Room._dismiss,
    "leave": Room._leave,
    "layout": Room._set_up,
    "ready": Room._ready,
    "move": lambda room, action: room.table.play(action.seat, action.text),
    "resign": lambda room, action: room.table.resign(action.seat),
    "draw": Room._offer,
    "undo": Room._offer,
    "accept": lambda room, action: room.table.answer(action.seat, True),
    "decline": lambda room, action: room.table.answer(action.seat, False),
    "propose": Room._propose,
    "mark": lambda room, action: room._counted(action.seat).mark(action.seat, action.text),
    "agree": lambda room, action: room._counted(action.seat).agree(action.seat, action.text),
    "say": Room._say,
    "rematch": Room._rematch,
    "next": Room._follow_on,
    "resume": lambda room, action: room._counted(action.seat).resume(action.seat),
    # Time is up; the server was away since the time in the text.
    "tick": lambda room, action: room.table.tick(),
    "away": lambda room, action: room.table.forgive(float(action.text)),
}
