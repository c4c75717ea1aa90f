"""The record of a room: a refused action changes nothing, and memory equals replay."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import settings as run_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from kibitz.errors import IllegalMove, KibitzError
from kibitz.pool import Pool
from kibitz.server.rooms.hub import Hub
from kibitz.server.rooms.permissions import RIGHTS
from kibitz.server.rooms.record import Action, Room
from kibitz.server.store.database import Database
from tests.server.room_states import everything, settings_of, sitting

CLOCK = {"seconds": 20, "increment": 1}
GAMES = {
    "othello": settings_of("othello"),
    "uttt with clocks": settings_of("uttt", CLOCK),
    "junqi for two": settings_of("junqi", players=2),
    "junqi for four": settings_of("junqi", {**CLOCK, "skip": True, "grace": 5}, players=4),
}
KINDS = sorted(RIGHTS)


def test_refused_actions_do_not_use_up_a_seat() -> None:
    async def run() -> None:
        database = Database("sqlite://")
        database.migrate()
        hub = Hub(database, Pool(cores=1))
        live = await hub.room(await hub.open(settings_of("junqi", players=2)))
        assert live is not None
        await hub.act(live, "S", "sit", sitting("player"))
        for number in range(300):
            with pytest.raises(IllegalMove):
                await hub.act(live, "S", "sit", sitting(f"stranger {number}"))
        await hub.act(live, "S", "layout", "lance")
        await hub.act(live, "S", "ready")
        assert live.room.table.is_ready == {"S"}
        await hub.stop()
        database.close()

    asyncio.run(run())


@pytest.mark.parametrize("come", [("sit", "leave"), ("engine", "leave")])
def test_who_came_before_does_not_use_up_a_seat(come: tuple[str, str]) -> None:
    room = Room("r", settings_of("junqi", players=2))
    for number in range(149):
        texts = {"sit": sitting(str(number)), "engine": "beginner", "leave": ""}
        for kind in come:
            room = room.after(Action(room.number + 1, 0.0, "S", kind, texts[kind]))
    for kind, text in (("sit", sitting("player")), ("layout", "lance"), ("ready", "")):
        room = room.after(Action(room.number + 1, 0.0, "S", kind, text))
    assert room.table.is_ready == {"S"}


class Rooms(RuleBasedStateMachine):
    """Random actions, most of them refused, at random times."""

    room: Room
    now = 1000.0

    @initialize(game=st.sampled_from(sorted(GAMES)))
    def opened(self, game: str) -> None:
        self.room = Room("r", GAMES[game])
        self.actions: list[Action] = []

    def _try(self, seat: str, kind: str, text: str) -> None:
        before = everything(self.room)
        action = Action(self.room.number + 1, self.now, seat, kind, text)
        try:
            following = self.room.after(action)
        except KibitzError:
            following = self.room
        else:
            self.actions.append(action)
        assert everything(self.room) == before, "a room that was acted on is as it was"
        self.room = following

    def _seat(self, number: int) -> str:
        return self.room.table.seats[number % len(self.room.table.seats)]

    @rule(seconds=st.floats(0, 15))
    def time_passes(self, seconds: float) -> None:
        self.now += seconds
        self.room.time_is_up(self.now)

    @rule(seat=st.integers(0, 3), who=st.integers(0, 4))
    def sit(self, seat: int, who: int) -> None:
        self._try(self._seat(seat), "sit", sitting(str(who)))

    @rule(seat=st.integers(0, 3), kind=st.sampled_from(KINDS))
    def act(self, seat: int, kind: str) -> None:
        texts = {"sit": sitting("x"), "engine": "beginner", "layout": "tide", "away": repr(self.now - 3)}
        self._try(self._seat(seat), kind, texts.get(kind, ""))

    @rule(kind=st.sampled_from(KINDS), text=st.sampled_from(["", "lance", "d3", "x" * 60]))
    def act_at_no_seat(self, kind: str, text: str) -> None:
        if kind not in ("sit", "tick", "away"):
            self._try("nowhere", kind, text)

    @rule()
    def begin(self) -> None:
        """Everybody sits down and is ready, as far as they may."""
        for number, seat in enumerate(self.room.table.seats):
            self._try(seat, "sit", sitting(str(number)))
            self._try(seat, "layout", "lance")
            self._try(seat, "ready", "")

    @rule(number=st.integers(0, 200), early=st.booleans())
    def move(self, number: int, early: bool) -> None:
        table = self.room.table
        if table.phase == "playing" and table.mover is not None:
            legal = table.thinking().legal_moves
            others = [seat for seat in table.seats if seat != table.mover]
            self._try(others[0] if early else table.mover, "move", legal[number % len(legal)])

    @invariant()
    def memory_equals_replay(self) -> None:
        if hasattr(self, "actions"):
            replayed = Room("r", self.room.settings, self.actions)
            assert everything(replayed) == everything(self.room)
            for room in (replayed, self.room):
                room.pass_time(self.now)
            assert replayed.table.clocks() == self.room.table.clocks()
            assert replayed.due(5) == self.room.due(5)


TestRooms = Rooms.TestCase
TestRooms.settings = run_settings(max_examples=60, stateful_step_count=40)
