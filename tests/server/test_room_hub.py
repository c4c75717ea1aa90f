"""The hub of rooms: actions reach the disk before anybody is told, and games go on in another process."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from kibitz.errors import BadRequest, IllegalMove, KibitzError
from kibitz.pool import Pool
from kibitz.server.rooms.client import Client
from kibitz.server.rooms.hub import Hub
from kibitz.server.rooms.live import LiveRoom
from kibitz.server.rooms.messages import Engine
from kibitz.server.rooms.settings import OpenRoom, RoomSettings
from kibitz.server.settings import Limits
from kibitz.server.store.database import Database
from tests.server.room_states import settings_of, sitting


class Time:
    """A clock that a test moves."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


class Listener:
    """Somebody who notes what is on the disk when told."""

    def __init__(self, hub: Hub, name: str) -> None:
        self.hub, self.name = hub, name
        self.numbers: list[int] = []

    def changed(self) -> None:
        written = self.hub.log.since(self.name, 0)
        self.numbers.append(len(written))

    def end(self) -> None:
        self.numbers.append(-1)


async def opened(hub: Hub, game: str = "othello", **more: Any) -> LiveRoom:
    name = await hub.open(RoomSettings.of(OpenRoom(new={"game": game}, **more)))  # type: ignore[arg-type]
    live = await hub.room(name)
    assert live is not None
    for seat in live.room.seats:
        if not live.room.seats[seat].level:
            await hub.act(live, seat, "sit", json.dumps({"name": seat, "token": seat}))
    return live


def database_at(folder: Path) -> Database:
    database = Database(f"sqlite:///{folder / 'rooms.db'}")
    database.migrate()
    return database


def test_action_is_on_the_disk_before_it_is_told(tmp_path: Path) -> None:
    async def run() -> None:
        hub = Hub(database_at(tmp_path), Pool(cores=1))
        live = await opened(hub)
        listener = Listener(hub, live.room.name)
        live.clients.add(listener)
        for seat, move in (("black", "d3"), ("white", "c3"), ("black", "c4")):
            await hub.act(live, seat, "move", move)
        assert listener.numbers == [3, 4, 5]
        with pytest.raises(IllegalMove):
            await hub.act(live, "black", "move", "c5")
        assert len(hub.log.since(live.room.name, 0)) == 5
        live.clients.clear()
        await hub.stop()

    asyncio.run(run())


def test_what_cannot_be_written_did_not_happen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        hub = Hub(database_at(tmp_path), Pool(cores=1))
        live = await opened(hub)

        def fail(*_: object) -> bool:
            raise OperationalError("no room on the disk", None, OSError())

        with monkeypatch.context() as patch:
            patch.setattr(hub.log, "append", fail)
            with pytest.raises(BadRequest, match="could not be kept"):
                await hub.act(live, "black", "move", "d3")
        assert live.room.number == 2
        await hub.act(live, "black", "move", "c4")
        assert live.room.table.thinking().moves == ("c4",)
        await hub.stop()

    asyncio.run(run())


def test_two_hubs_one_is_first(tmp_path: Path) -> None:
    async def run() -> None:
        one, two = Hub(database_at(tmp_path), Pool(cores=1)), Hub(database_at(tmp_path), Pool(cores=1))
        here = await opened(one)
        there = await two.room(here.room.name)
        assert there is not None
        await one.act(here, "black", "move", "d3")
        with pytest.raises(IllegalMove):  # it learns what has happened
            await two.act(there, "black", "move", "c4")
        assert there.room.number == here.room.number == 3
        await two.act(there, "white", "move", "c3")
        await one._heard(here.room.name, 4)
        assert here.room.table.thinking().moves == ("d3", "c3")
        for hub in (one, two):
            await hub.stop()

    asyncio.run(run())


def test_clocks_go_on_after_a_crash_without_the_time_between(tmp_path: Path) -> None:
    async def run() -> None:
        time = Time()
        hub = Hub(database_at(tmp_path), Pool(cores=1), time)
        live = await opened(hub, clock={"seconds": 100, "increment": 1})
        time.now += 5
        await hub._beat()
        time.now += 5
        await hub.act(live, "black", "move", "d3")
        for _ in range(4):
            time.now += 5
            await hub._beat()
        time.now += 3  # and then it is killed

        time.now += 5000
        again = Hub(database_at(tmp_path), Pool(cores=1), time)
        await again.start()
        reopened = await again.room(live.room.name)
        assert reopened is not None
        reopened.room.pass_time(time.now)
        assert reopened.room.table.clocks() == {"black": 91, "white": 80}
        await again.act(reopened, "white", "move", "c3")
        time.now += 4
        assert not reopened.room.time_is_up(time.now)
        assert reopened.room.table.clocks() == {"black": 87, "white": 81}
        time.now += 1
        await again._beat()  # a beat in time forgives nothing
        reopened.room.pass_time(time.now)
        assert reopened.room.table.clocks()["black"] == 86
        for _ in range(18):
            time.now += 5
            await again._beat()
        # Nobody is connected: the room may have been forgotten, the database knows when it is due.
        await again._sweep_further()
        await again._sweep()
        reopened = await again.room(live.room.name)
        assert reopened is not None
        assert (reopened.room.table.phase, reopened.room.table.ending) == ("over", "time")
        for one in (hub, again):
            await one.stop()

    asyncio.run(run())


def test_engine_moves_after_a_crash_without_anybody_connected(tmp_path: Path) -> None:
    async def run() -> None:
        hub = Hub(database_at(tmp_path), Pool(cores=1))
        live = await opened(hub, "uttt", engines={"o": "beginner"})
        hub.look_after = lambda live: None  # type: ignore[method-assign]  # killed before its engine moves
        await hub.act(live, "x", "move", "44")
        with Pool(cores=1) as pool:
            again = Hub(database_at(tmp_path), pool)
            await again.start()
            while len(again.log.since(live.room.name, 0)) < 4:
                await asyncio.sleep(0.02)
            reopened = await again.room(live.room.name)
            assert reopened is not None
            while reopened.room.number < 4:  # it is on the disk first
                await asyncio.sleep(0.02)
            assert reopened.room.table.mover == "x"
            await again.stop()
        await hub.stop()

    asyncio.run(asyncio.wait_for(run(), 60))


def test_rooms_are_forgotten_and_found_again(tmp_path: Path) -> None:
    async def run() -> None:
        time = Time()
        hub = Hub(database_at(tmp_path), Pool(cores=1), time)
        live = await opened(hub)
        time.now += 30
        await hub._sweep()
        assert await hub.room(live.room.name) is live
        time.now += 61
        await hub._sweep()
        reopened = await hub.room(live.room.name)
        assert reopened is not None
        assert reopened is not live
        assert reopened.room.number == live.room.number
        await hub.stop()

    asyncio.run(run())


def test_oldest_empty_rooms_give_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        time = Time()
        monkeypatch.setattr("kibitz.server.rooms.log.MOST_ROOMS", 4)
        hub = Hub(database_at(tmp_path), Pool(cores=1), time)
        waiting = await hub.room(await hub.open(settings_of("othello")))
        assert waiting is not None
        await hub.act(waiting, "black", "sit", sitting("black"))
        left = await opened(hub)
        time.now += 1
        empty = []
        for _ in range(10):
            time.now += 1
            empty.append(await hub.open(settings_of("othello")))
        kept = {name for name in empty if hub.log.load(name) is not None}
        assert kept == set(empty[-2:])
        for live in (waiting, left):
            assert hub.log.load(live.room.name) is not None
        for name in kept:
            live = await hub.room(name)
            assert live is not None
            await hub.act(live, "black", "sit", sitting("somebody"))
        with pytest.raises(BadRequest, match="rooms already"):
            await hub.open(settings_of("othello"))
        await hub.stop()

    asyncio.run(run())


def test_number_of_rooms_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        time = Time()
        monkeypatch.setattr("kibitz.server.rooms.log.MOST_ROOMS", 2)
        hub = Hub(database_at(tmp_path), Pool(cores=1), time)
        first = await opened(hub)
        await hub.act(first, "black", "resign")
        second = await opened(hub)
        with pytest.raises(BadRequest, match="rooms already"):
            await opened(hub)
        time.now += 8 * 86400
        await opened(hub)  # the one that is over has gone
        assert hub.log.load(first.room.name) is None
        assert hub.log.load(second.room.name) is not None
        await hub.stop()

    asyncio.run(run())


def test_sending_an_engine_away_leaves_a_person_in_the_seat(tmp_path: Path) -> None:
    async def run() -> None:
        hub = Hub(database_at(tmp_path), Pool(cores=1))
        name = await hub.open(settings_of("junqi", engines={"E": "beginner"}, players=4))
        live = await hub.room(name)
        assert live is not None
        await hub.act(live, "S", "sit", sitting("south"))
        south = Client(hub, live, None, Limits())  # type: ignore[arg-type]
        south.token = "token of south"
        async with live.lock:
            # The message is read while the engine sits there, and acted on after somebody took the seat.
            late = asyncio.create_task(south._do(Engine(type="engine", seat="E", level="")))
            await asyncio.sleep(0)
            await hub._add(live, hub.now(), "E", "leave")
            await hub._add(live, hub.now(), "E", "sit", sitting("east"))
        with pytest.raises(KibitzError, match="no engine in that seat"):
            await late
        assert live.room.seats["E"].name == "east"
        await hub.stop()

    asyncio.run(run())


def test_who_left_the_seat_seats_no_engine(tmp_path: Path) -> None:
    async def run() -> None:
        hub = Hub(database_at(tmp_path), Pool(cores=1))
        live = await hub.room(await hub.open(settings_of("junqi", players=4)))
        assert live is not None
        await hub.act(live, "S", "sit", sitting("south"))
        south = Client(hub, live, None, Limits())  # type: ignore[arg-type]
        south.token = "token of south"
        async with live.lock:
            late = asyncio.create_task(south._do(Engine(type="engine", seat="E", level="beginner")))
            await asyncio.sleep(0)
            await hub._add(live, hub.now(), "S", "leave")
        with pytest.raises(BadRequest, match="take a seat first"):
            await late
        assert not live.room.seats["E"].is_taken
        await hub.stop()

    asyncio.run(run())
