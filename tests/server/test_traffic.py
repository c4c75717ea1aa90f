"""What one server hears of another over PostgreSQL, also after the database was away."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from kibitz.pool import Pool
from kibitz.server.rooms.hub import Hub
from kibitz.server.store.database import Database
from tests.server.players import open_room
from tests.server.postgres import PostgresServer
from tests.server.room_states import settings_of, sitting
from tests.server.servers import Server


def database_of(url: str) -> Database:
    database = Database(url)
    database.migrate()
    return database


async def until(condition: Callable[[], object], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        await asyncio.sleep(0.02)


def test_listening_survives_rooms_that_cannot_be_read(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        here, there = database_of(postgres), database_of(postgres)
        with Pool(cores=1) as pool:
            one, two = Hub(here, pool), Hub(there, pool)
            await one.start()
            await two.start()
            live = await one.room(await one.open(settings_of("othello")))
            other = await two.room(live.room.name) if live else None
            assert live is not None
            assert other is not None
            failed = []

            def fail(*_: Any) -> Any:
                failed.append(1)
                raise OperationalError("the database is away", None, OSError())

            with monkeypatch.context() as patch:
                patch.setattr(two.log, "since", fail)
                patch.setattr(two.log, "load", fail)
                await one.act(live, "black", "sit", sitting("black"))
                await until(lambda: len(failed) >= 2)
                await asyncio.sleep(0.1)
            again = await two.room(live.room.name)
            assert again is not None
            await one.act(live, "white", "sit", sitting("white"))
            await until(lambda: again.room.number == 2)
            # A connection that is cut: what was written meanwhile is read from the log.
            with here.session() as session:
                session.execute(
                    text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")
                )
            await one.act(live, "black", "move", "d3")
            await until(lambda: again.room.number == 3)
            await until(lambda: not two.problems())
            for hub in (one, two):
                await hub.stop()
        here.close()
        there.close()

    asyncio.run(run())


def test_two_servers_go_on_after_a_restart_of_the_database(postgres_server: PostgresServer) -> None:
    with Server(postgres_server.url) as one, Server(postgres_server.url) as two:
        room = open_room(one.client, "othello")
        black, white = one.player(room), two.player(room)
        black.sit("black")
        white.sit("white")
        black.play("d3")
        white.wait_for(black.state["number"])
        for server in (one, two):
            assert server.client.get("/health").json() == {"status": "ok", "problems": []}
            assert server.client.get("/ready").status_code == 200
        postgres_server.stop()
        try:
            for server in (one, two):
                refused = server.client.get("/ready")
                assert refused.status_code == 503
                until_status(server, 503)
        finally:
            postgres_server.start()
        for server in (one, two):
            until_status(server, 200)
        black, white = one.player(room, black.token), two.player(room, white.token)
        for mover, other, move in ((white, black, "c3"), (black, white, "c4"), (white, black, "e3")):
            mover.play(move)
            other.wait_for(mover.state["number"])
        assert black.state["board"]["line"] == ["d3", "c3", "c4", "e3"]


def until_status(server: Server, wanted: int) -> None:
    end = time.monotonic() + 60
    while (answer := server.client.get("/health")).status_code != wanted:
        assert time.monotonic() < end, answer.text
        time.sleep(0.1)
    assert bool(answer.json()["problems"]) == (wanted == 503)


def test_connections_do_not_wait_for_ever(postgres: str) -> None:
    """Both ends give up a connection that says nothing; what the address says comes first."""
    database = database_of(postgres)
    with database.engine.connect() as connection:
        for name, value in (("tcp_user_timeout", "4000"), ("lock_timeout", "5s")):
            assert connection.scalar(text(f"SHOW {name}")) == value
    assert database.patience["tcp_user_timeout"] == 4000
    database.close()
    own = Database(f"{postgres}?connect_timeout=10")
    assert "connect_timeout" not in own.patience
    own.close()
