"""Rooms as a state machine: two servers on one database, people and engines who do anything at any time,
clocks, crashes, a database that fails before or after it has written. `Room.after` is what the server, replay
and this checker run.

`KIBITZ_ROOM_RUNS=2000 python -m pytest -s --timeout=0 tests/server/test_room_model.py` looks further.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
from collections import Counter
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

from hypothesis import settings as run_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from sqlalchemy.exc import OperationalError

from kibitz.errors import KibitzError
from kibitz.server.rooms.hub import Hub
from kibitz.server.rooms.live import LiveRoom
from kibitz.server.rooms.permissions import RIGHTS
from kibitz.server.rooms.record import Action, Room
from kibitz.server.store.database import Database
from tests.server.room_states import everything, settings_of, sitting

T = TypeVar("T")

RUNS = int(os.environ.get("KIBITZ_ROOM_RUNS", "60"))
CLOCK = {"seconds": 30, "increment": 2}
GAMES = {
    "uttt": settings_of("uttt"),
    "othello with clocks": settings_of("othello", {"seconds": 300, "increment": 2}),
    "uttt with clocks": settings_of("uttt", CLOCK),
    "go": settings_of("go", size=3, komi=0.5),
    "go with clocks": settings_of("go", CLOCK, size=3, rules="japanese", komi=0.5),
    "junqi for two": settings_of("junqi", players=2),
    "junqi for four with clocks": settings_of("junqi", {**CLOCK, "skip": True, "grace": 5}, players=4),
}
PEOPLE = [f"person {number}" for number in range(5)]
KINDS = sorted(RIGHTS)
server = st.integers(0, 1)
person = st.sampled_from(PEOPLE)
seat = st.integers(0, 3)


class Counts:
    """What was visited in all runs."""

    states: set[str] = set()  # noqa: RUF012
    transitions: Counter[tuple[str, bool]] = Counter()  # noqa: RUF012


class Rooms(RuleBasedStateMachine):
    """Each rule is a step; what is checked after each is at the end."""

    game = ""
    name = ""

    @initialize(start=st.sampled_from(["empty", "people", "engine"]))
    def begin(self, start: str) -> None:
        self.loop = asyncio.new_event_loop()
        self.now = 1000.0
        self.database = Database("sqlite://")
        self.database.migrate()
        self.hubs = [self._new_hub(), self._new_hub()]
        self.name = self._run(self.hubs[0].open(GAMES[self.game]))
        #: Who sits where, by what was acknowledged; and that itself.
        self.sitting: dict[str, str] = {}
        self.acknowledged: list[tuple[str, str, str]] = []
        if start != "empty":
            self.everybody_comes(0, start == "engine")

    def teardown(self) -> None:
        if self.name:
            for hub in self.hubs:
                self._run(hub.stop())
            self.database.close()
            self.loop.close()

    # -- help -----------------------------------------------------------------------------------------

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(work)

    def _new_hub(self) -> Hub:
        hub = Hub(self.database, None, lambda: self.now)  # type: ignore[arg-type]
        hub.look_after = lambda live: None  # type: ignore[method-assign]  # engines are rules here
        return hub

    def _live(self, which: int) -> LiveRoom:
        live = self._run(self.hubs[which].room(self.name))
        assert live is not None
        return live

    def _log(self) -> list[Action]:
        return self.hubs[0].log.since(self.name, 0)

    def _seat(self, number: int) -> str:
        seats = self._live(0).room.table.seats
        return seats[number % len(seats)]

    def _act(self, which: int, who: str | None, seat: str, kind: str, text: str) -> None:
        """Somebody, or the server for an engine, acts. A refused action leaves no trace."""
        live, before = self._live(which), len(self._log())
        token = None if who is None else f"token of {who}"
        try:
            self._run(self.hubs[which].act(live, seat, kind, text, token=token))
        except KibitzError:
            assert all(action.kind in ("tick", "away") for action in self._log()[before:])
            Counts.transitions[kind, False] += 1
            return
        Counts.transitions[kind, True] += 1
        last = self._log()[-1]
        if last.kind == "next":  # a rematch that all wanted: the server has opened the room at once
            last = self._log()[-2]
        assert (last.seat, last.kind, last.text) == (seat, kind, text)
        self._allowed(who, seat, kind)
        self.acknowledged.append((seat, kind, text))
        state = everything(self._live(which).room)
        for part in (state["table"]["_clocks"], state):
            for name in ("_left", "_since", "at", "name"):  # times and a random name
                part.pop(name, None)
        Counts.states.add(repr(state))

    def _allowed(self, who: str | None, seat: str, kind: str) -> None:
        """What was acknowledged was that person's to do; written without the table of the server."""
        here = self.sitting.get(seat)
        if kind == "propose":
            assert who is None
        elif who is None:
            assert here == "engine"
        elif kind == "sit":
            assert here is None
            assert who not in self.sitting.values()
            self.sitting[seat] = who
        elif kind in ("engine", "dismiss"):
            assert who in self.sitting.values()
            assert here == (None if kind == "engine" else "engine")
            if kind == "engine":
                self.sitting[seat] = "engine"
            else:
                del self.sitting[seat]
        else:
            assert here == who
            if kind == "leave":
                del self.sitting[seat]

    # -- steps ----------------------------------------------------------------------------------------

    @rule(which=server, who=person, number=seat)
    def sit(self, which: int, who: str, number: int) -> None:
        self._act(which, who, self._seat(number), "sit", sitting(who))

    @rule(which=server, who=person, number=seat, kind=st.sampled_from(KINDS))
    def anybody_does_anything(self, which: int, who: str, number: int, kind: str) -> None:
        texts = {"layout": "tide", "engine": "beginner", "sit": sitting(who), "away": "900.0", "move": "44"}
        texts |= {"mark": "A1", "agree": "count", "propose": "[]", "say": "hello", "next": "another"}
        self._act(which, who, self._seat(number), kind, texts.get(kind, ""))

    @rule(
        which=server,
        number=seat,
        kind=st.sampled_from(["leave", "resign", "engine", "dismiss", "say", "rematch"]),
    )
    def player_acts(self, which: int, number: int, kind: str) -> None:
        people = [(name, who) for name, who in self.sitting.items() if who != "engine"]
        if people:
            name, who = people[number % len(people)]
            at = self._seat(number) if kind in ("engine", "dismiss") else name
            if kind == "dismiss":
                self._act(which, who, at, "engine", "beginner")
            self._act(which, who, at, kind, {"engine": "beginner", "say": "hello"}.get(kind, ""))

    @rule(which=server, engine=st.booleans())
    def everybody_comes(self, which: int, engine: bool) -> None:
        """People take the empty seats, or the engine all but one of them, and set up."""
        for number, name in enumerate(self._live(which).room.table.seats):
            first = next(iter(self.sitting.values()), None)
            if engine and first not in (None, "engine"):
                self._act(which, first, name, "engine", "beginner")
            else:
                self._act(which, PEOPLE[number], name, "sit", sitting(PEOPLE[number]))
        for name, who in list(self.sitting.items()):
            for kind, text in (("layout", "lance"), ("ready", "")):
                self._act(which, None if who == "engine" else who, name, kind, text)

    @rule(seed=st.integers(0, 2**30), turns=st.integers(1, 20))
    def play(self, seed: int, turns: int) -> None:
        """Some turns at either server, which may be behind; now and then an offer, and answers to it."""
        chance = random.Random(seed)
        if self._live(0).room.table.phase == "set-up" and chance.random() < 0.8:
            self.everybody_comes(chance.randrange(2), chance.random() < 0.3)
        for _ in range(turns):
            which = chance.randrange(2)
            self.now += chance.uniform(0, 3)
            table = self._live(which).room.table
            if table.phase == "counting":
                self._count(which, table, chance)
                continue
            if table.offer is not None:
                answers = (
                    ["accept", "decline"] if table.offer.kind == "undo" else ["decline"] * 7 + ["accept"]
                )
                name, kind = chance.choice(table.seats), chance.choice(answers)
            else:
                name = table.mover if table.mover and chance.random() < 0.9 else chance.choice(table.seats)
                kind = chance.choice(["move"] * 10 + ["draw", "undo"])
            text = ""
            if kind == "move" and table.phase == "playing":
                text = chance.choice(table.thinking().legal_moves)
            who = self.sitting.get(name)
            if who is not None:
                self._act(which, None if who == "engine" else who, name, kind, text)

    @rule(seed=st.integers(0, 2**30), steps=st.integers(5, 15))
    def count(self, seed: int, steps: int) -> None:
        """Both sides pass, then count, disagree, play on."""
        chance = random.Random(seed)
        if self._live(0).room.settings.game != "go":
            return
        if self._live(0).room.table.phase == "set-up":
            self.everybody_comes(chance.randrange(2), chance.random() < 0.3)
        for _ in range(steps):
            which = chance.randrange(2)
            self.now += chance.uniform(0, 1)
            table = self._live(which).room.table
            who = self.sitting.get(table.mover or "")
            if table.phase == "counting":
                self._count(which, table, chance)
            elif who is not None:
                legal = table.thinking().legal_moves
                empty = not any(stone != "." for row in table.thinking().stones for stone in row)
                move = chance.choice(legal) if empty or chance.random() < 0.1 else "pass"
                self._act(which, None if who == "engine" else who, table.mover or "", "move", move)

    def _count(self, which: int, table: Any, chance: random.Random) -> None:
        """A step of counting by somebody at the table, or the server's proposal."""
        count = table.count()
        if count is None or chance.random() < 0.1:
            text = "" if count else json.dumps([])
            self._act(which, None, "", "propose", text)
            return
        board = table.shown()
        stones = [
            at for at, stone in zip(board.places().at, "".join(board.stones), strict=True) if stone != "."
        ]
        name = chance.choice(table.seats)
        kind = chance.choice(["agree"] * 4 + ["mark", "mark", "resume"])
        text = {"agree": count.move, "mark": chance.choice(stones or ["A1"])}.get(kind, "")
        if kind == "agree" and chance.random() < 0.1:
            text = "count:A1" if text == "count" else "count"
        who = self.sitting.get(name)
        if who is not None:
            self._act(which, None if who == "engine" else who, name, kind, text)

    @rule(which=server, all_want=st.booleans())
    def again(self, which: int, all_want: bool) -> None:
        """The game is given up, and some or all want another."""
        people = [(name, who) for name, who in self.sitting.items() if who != "engine"]
        for name, who in people[1:]:
            self._act(which, who, name, "resign", "")
        for name, who in people if all_want else people[:1]:
            self._act(1 - which, who, name, "say", "again?")
            self._act(which, who, name, "rematch", "")

    @rule(seconds=st.floats(0, 10))
    def time_passes(self, seconds: float) -> None:
        self.now += seconds

    @rule(which=server)
    def clocks_are_looked_at(self, which: int) -> None:
        self._run(self.hubs[which]._beat())
        self._run(self.hubs[which]._sweep())

    @rule(which=server)
    def news_of_the_other(self, which: int) -> None:
        self._run(self.hubs[which]._heard(self.name, 10**6))

    @rule(which=server)
    def room_is_forgotten(self, which: int) -> None:
        """Everybody has disconnected for long."""
        self.hubs[which]._rooms.clear()

    @rule(which=server, seconds=st.floats(0, 60))
    def crash(self, which: int, seconds: float) -> None:
        """A server is killed; another takes over."""
        self.now += seconds
        old, self.hubs[which] = self.hubs[which], self._new_hub()
        self._run(old.stop())
        self._run(self.hubs[which]._beat())

    @rule(which=server, number=seat, written=st.booleans())
    def database_fails(self, which: int, number: int, written: bool) -> None:
        """The connection is lost before an action is written, or before the server hears that it was."""
        hub, name = self.hubs[which], self._seat(number)
        append = hub.log.append

        def fail(entries: Sequence[tuple[Room, Action]], patience: float) -> list[bool]:
            if written:
                append(entries, patience)
            raise OperationalError("connection lost", None, OSError())

        who = self.sitting.get(name, PEOPLE[4])
        before = len(self._log())
        hub.log.append = fail  # type: ignore[method-assign]
        try:
            self._act(which, None if who == "engine" else who, name, "draw", "")
        except AssertionError:  # it was written, though refused: only that may be there
            assert [action.kind for action in self._log()[before:]] in (["draw"], ["tick", "draw"])
        finally:
            hub.log.append = append  # type: ignore[method-assign]

    # -- what always holds ------------------------------------------------------------------------------

    @invariant()
    def memory_equals_replay(self) -> None:
        """A server knows the first actions of the log, and nothing else."""
        if not self.name:
            return
        log = self._log()
        for which in (0, 1):
            room = self._live(which).room
            assert everything(room) == everything(Room(self.name, room.settings, log[: room.number]))

    @invariant()
    def nothing_acknowledged_is_lost(self) -> None:
        if self.name:
            written = iter([(action.seat, action.kind, action.text) for action in self._log()])
            assert all(one in written for one in self.acknowledged)  # in this order

    @invariant()
    def nobody_is_counted_out(self) -> None:
        """A game that was counted ended with marks that everybody agreed to since they were made."""
        if not self.name:
            return
        room = self._live(0).room
        table = room.table
        if table.phase == "counting":
            assert table.result is None
            assert set(table.agreed) < set(table.seats)
            assert table.mover is None
        moves = table.shown(None).moves if table.phase == "over" else ()
        if not moves or not moves[-1].startswith("count"):
            return
        agreed: set[str] = set()
        for action in self._log()[: room.number]:
            if action.kind in ("mark", "propose", "resume"):
                agreed = set()
            elif action.kind == "agree" and action.text == moves[-1]:
                agreed.add(action.seat)
        assert agreed == set(table.seats)
        assert table.result == table.shown(None).result

    @invariant()
    def next_room_has_the_same_people(self) -> None:
        """Nobody is in a rematch who did not want it, or at another's seat."""
        room = self._live(0).room if self.name else None
        if room is None or not room.next:
            return
        following = self.hubs[0].log.load(room.next)
        assert following is not None
        people = {seat.token: seat.name for seat in room.seats.values() if seat.token}
        if set(people) != {seat.token for seat in following.seats.values() if seat.token}:
            assert any(action.kind == "leave" for action in self._log())
        for name, seat in following.seats.items():
            assert seat.token not in people or people[seat.token] == seat.name
            assert len(room.seats) != 2 or not seat.token or room.seats[name].token != seat.token

    @invariant()
    def clocks_run_once(self) -> None:
        """All clocks together have used no more time than has passed since the game began."""
        if not self.name:
            return
        settings = self._live(0).room.settings
        if settings.clock is None or settings.clock.skip:
            return
        log = self._log()
        begun = next(
            (
                action.at
                for number, action in enumerate(log, 1)
                if Room(self.name, settings, log[:number]).table.phase == "playing"
            ),
            None,
        )
        if begun is None:
            return
        room = Room(self.name, settings, log)
        room.pass_time(self.now)
        moves = sum(action.kind == "move" for action in log)
        given = settings.clock.seconds * len(room.seats) + settings.clock.increment * moves
        used = given - sum(room.table.clocks().values())
        assert used <= self.now - begun + 1e-6


def test_rooms_by_random_steps() -> None:
    """Prints what was visited; how much that is depends on the examples, so nothing is asserted of it."""
    Counts.states.clear()
    Counts.transitions.clear()
    for game in GAMES:
        rooms = type(Rooms.__name__, (Rooms,), {"game": game})
        limits = run_settings(max_examples=max(1, RUNS // len(GAMES)), stateful_step_count=50)
        run_state_machine_as_test(rooms, settings=limits)
    accepted = sum(count for (_, yes), count in Counts.transitions.items() if yes)
    refused = sum(Counts.transitions.values()) - accepted
    print(f"{RUNS} runs: {len(Counts.states)} states, {accepted} actions accepted, {refused} refused")
    for kind in sorted({kind for kind, _ in Counts.transitions}):
        print(
            f"  {kind}: {Counts.transitions[kind, True]} accepted, {Counts.transitions[kind, False]} refused"
        )
    assert not any(Counts.transitions[kind, True] for kind in ("tick", "away"))  # the server's own


CHECKS = (
    Rooms.memory_equals_replay,
    Rooms.nothing_acknowledged_is_lost,
    Rooms.nobody_is_counted_out,
    Rooms.next_room_has_the_same_people,
    Rooms.clocks_run_once,
)


def test_steps_reach_every_kind_of_action() -> None:
    """The same steps in a fixed order reach moves, counting, offers and rematches in every game."""
    Counts.states.clear()
    Counts.transitions.clear()
    for game in GAMES:
        for seed in range(3):
            rooms = type(Rooms.__name__, (Rooms,), {"game": game})()
            rooms.begin("people")
            steps = (
                lambda rooms=rooms, seed=seed: rooms.play(seed, 20),
                lambda rooms=rooms, seed=seed: rooms.count(seed, 15),
                lambda rooms=rooms: rooms.anybody_does_anything(0, PEOPLE[4], 0, "move"),
                lambda rooms=rooms: rooms.anybody_does_anything(1, PEOPLE[0], 0, "tick"),
                lambda rooms=rooms: rooms.crash(0, 1.0),
                lambda rooms=rooms: rooms.again(0, True),
            )
            for step in steps:
                step()
                for check in CHECKS:
                    check(rooms)
            rooms.teardown()
    for kind in (
        "sit",
        "move",
        "layout",
        "draw",
        "undo",
        "propose",
        "mark",
        "agree",
        "resume",
        "say",
        "rematch",
    ):
        assert Counts.transitions[kind, True], kind
    assert all(Counts.transitions["move", yes] > len(GAMES) for yes in (False, True))
    assert not any(Counts.transitions[kind, True] for kind in ("tick", "away"))
