"""Connections that say nothing, and more of them than there is room for."""

from __future__ import annotations

import asyncio
import errno
import logging
import resource
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx2 as httpx
import pytest
import uvicorn
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from kibitz.games import registry
from kibitz.server import connections, security
from kibitz.server.app import create_app
from kibitz.server.connections import AcceptErrors, http_protocol
from kibitz.server.positions import board_of
from kibitz.server.rooms.live import LiveRoom
from kibitz.server.rooms.messages import Look
from kibitz.server.rooms.record import Action, Room
from kibitz.server.run import configuration, listen
from kibitz.server.settings import Limits, Settings
from tests.server.room_states import settings_of, sitting
from tests.server.servers import Server
from tests.server.sockets import connect


def test_boards_that_are_drawn_for_spectators_are_bounded() -> None:
    room = Room("r", settings_of("chess"))
    for number, seat in enumerate(room.seats, 1):
        room = room.after(Action(number, 1000.0, seat, "sit", sitting(seat)))
    live = LiveRoom(room, None, 1000.0)  # type: ignore[arg-type]
    usual = live.message("", Look(type="look"), 1000.0, True)
    for number in range(200):
        strange = Look(type="look", below=f"side {number}"[:10])
        assert live.message("", strange, 1000.0, True) == usual
    assert live.message("", Look(type="look", below="black"), 1000.0, True) != usual
    assert len(live._views._boards) == 2


@contextmanager
def running(settings: Settings) -> Iterator[tuple[str, int]]:
    """The address of a server in a thread, as `kibitz serve` configures it."""
    listening = listen("127.0.0.1", 0)
    server = uvicorn.Server(configuration(settings))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    yield listening.getsockname()
    server.should_exit = True
    thread.join(10)


def is_closed(one: socket.socket) -> bool:
    one.settimeout(20)
    try:
        return one.recv(100) == b""
    except ConnectionResetError:
        return True


def test_connection_without_a_request_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_PATIENCE", 0.3)
    begun = [
        b"",
        b"GET / HTTP/1.1\r\nHost:",
        b"POST /api/new HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{",
    ]
    with running(Settings(database="sqlite://")) as address, ExitStack() as opened:
        sockets = [opened.enter_context(socket.create_connection(address)) for _ in begun]
        for one, text in zip(sockets, begun, strict=True):
            one.sendall(text)
        with httpx.Client(base_url=f"http://127.0.0.1:{address[1]}") as client:
            assert client.get("/api/games").status_code == 200
            for one in sockets:
                assert is_closed(one)
            assert client.get("/api/games").status_code == 200  # a connection that is kept open


def test_idle_connections_give_way() -> None:
    with running(Settings(database="sqlite://", limits=Limits(sockets=10))) as address, ExitStack() as opened:
        idle = [opened.enter_context(socket.create_connection(address)) for _ in range(40)]
        answer = httpx.get(f"http://127.0.0.1:{address[1]}/api/games", timeout=20)
        assert answer.status_code == 200
        assert sum(map(is_closed, idle[:30])) == 30


def test_accept_errors_are_logged_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    now = [0.0]
    heard: list[dict[str, object]] = []

    async def run() -> None:
        loop = asyncio.get_running_loop()
        loop.default_exception_handler = heard.append  # type: ignore[method-assign, assignment]
        loop.set_exception_handler(AcceptErrors(lambda: now[0]))
        full = {
            "message": "socket.accept() out of system resource",
            "exception": OSError(errno.EMFILE, "many"),
        }
        for _ in range(5000):
            loop.call_exception_handler(full)
        now[0] = 61
        loop.call_exception_handler(full)
        loop.call_exception_handler({"message": "something else", "exception": ValueError()})

    with caplog.at_level(logging.WARNING):
        asyncio.run(run())
    assert len(caplog.records) == 2
    assert [one["message"] for one in heard] == ["something else"]


@pytest.mark.skipif(sys.platform != "linux", reason="limits the descriptors of a process")
def test_running_out_of_descriptors_is_no_flood(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with (
        log.open("w") as file,
        Server(f"sqlite:///{tmp_path / 'kept.db'}", stderr=file, descriptors=128) as server,
    ):
        host, _, port = server.address.partition(":")
        with ExitStack() as opened:
            for _ in range(300):
                opened.enter_context(socket.create_connection((host, int(port))))
            time.sleep(2)
            assert server.client.get("/api/games").status_code == 200
        assert server.client.get("/api/games").status_code == 200
    assert log.stat().st_size < 10_000


def test_idle_websockets_give_way_to_other_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "_IDLE", 0.0)
    app = create_app(Settings(database="sqlite://", limits=Limits(all_connections=4)))
    address = "http://127.0.0.1:8000"
    many = TestClient(app, base_url=address, client=("10.0.0.1", 1))
    other = TestClient(app, base_url=address, client=("10.0.0.2", 1))
    with many, ExitStack() as opened:
        other.portal = many.portal  # one server
        crowd = [opened.enter_context(connect(many)) for _ in range(4)]
        with pytest.raises(WebSocketDisconnect), connect(many):
            pass  # who has most makes room for nobody
        with connect(other) as guest:
            guest.send_text("?")
            assert guest.receive_json()["type"] == "error"
            with pytest.raises(WebSocketDisconnect) as left:
                crowd[0].receive_text()
            assert left.value.code == 4503
            crowd[1].send_text("?")
            assert crowd[1].receive_json()["type"] == "error"


def test_websocket_that_says_nothing_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.server.analyses._PATIENCE", 0.1)
    app = create_app(Settings(database="sqlite://"))
    with (
        TestClient(app, base_url="http://127.0.0.1:8000") as client,
        connect(client) as silent,
        pytest.raises(WebSocketDisconnect),
    ):
        silent.receive_text()


def test_the_limit_of_descriptors_is_raised() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    try:
        assert connections.most_sockets(100_000) == min(hard, connections.MOST_DESCRIPTORS) * 3 // 4
        assert http_protocol(5).most == 5
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize("game", ["chess", "go", "othello", "uttt"])
def test_first_side_is_below_unless_another_is_asked_for(game: str) -> None:
    position = registry.get(game).position()
    assert board_of(position) == board_of(position, position.seat_names[0])
