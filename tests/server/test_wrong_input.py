"""Wrong input and a failing machine: an answer in the API's own form, and no traceback."""

from __future__ import annotations

import errno
import json
import logging
import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy.exc import OperationalError
from starlette.websockets import WebSocketDisconnect

from kibitz.server.app import create_app
from kibitz.server.settings import Settings
from tests.server.players import open_room
from tests.server.saved_games import new_game
from tests.server.sockets import connect

LONE = "\ud800"
RECORD = {"game": "othello", "start": LONE}
BODIES: list[tuple[str, str, Any]] = [
    ("POST", "/api/position", {"record": {"game": LONE}}),
    ("POST", "/api/position", {"record": RECORD}),
    ("POST", "/api/position", {"record": {"game": "chess", "moves": [LONE]}}),
    ("POST", "/api/position", {"record": {"game": "go", "rules": LONE}}),
    ("POST", "/api/position", {LONE: 1}),
    ("POST", "/api/new", {"game": LONE}),
    ("POST", "/api/record", {"text": LONE}),
    ("POST", "/api/record", {"data": LONE}),
    ("POST", "/api/record", {"text": '{"game": "othello", "start": "\\ud800"}'}),
    ("POST", "/api/move", {"record": {"game": "othello"}, "level": LONE}),
    ("POST", "/api/saved", {"game": "chess", "id": "x" * 16, "set": {"title": LONE}}),
    ("POST", "/api/saved", {"game": "chess", "id": "x" * 16, "set": {"start": {"a": LONE}}}),
    ("POST", "/api/saved", {"game": "chess", "id": "x" * 16, "nodes": [{"id": "", "marks": {LONE: 1}}]}),
    ("PATCH", f"/api/saved/{'x' * 16}", {"set": {"style": {"a": [LONE]}}}),
    ("POST", "/api/rooms", {"new": {"game": LONE}}),
    ("POST", "/api/rooms", {"new": {"game": "othello"}, "engines": {LONE: "beginner"}}),
    ("POST", "/api/layout", {"layout": LONE}),
    ("POST", "/api/tables", {"record": RECORD}),
]


@pytest.fixture(scope="module")
def server() -> Iterator[TestClient]:
    """A server of its own: errors that it does not answer are raised."""
    app = create_app(Settings(database="sqlite://"))
    with TestClient(app, base_url="http://127.0.0.1:8000") as client:
        yield client


@pytest.mark.parametrize(("method", "path", "body"), BODIES)
def test_lone_surrogates_are_refused(server: TestClient, method: str, path: str, body: Any) -> None:
    answer = server.request(
        method, path, content=json.dumps(body), headers={"Content-Type": "application/json"}
    )
    assert answer.status_code in (404, 422), answer.text
    assert isinstance(answer.json()["error"], str)


@pytest.mark.parametrize(
    "change",
    [
        {"id": LONE},
        {"preset": LONE},
        {"preset": {"name": "default"}},
        {"preset": ["default"]},
        {"network": LONE},
        {"network": "x\0y"},
        {"request": {"position": {"game": LONE}}},
        {"request": {"position": RECORD}},
        {"request": {"position": {"game": "chess", "moves": [LONE]}}},
        {
            "request": {
                "position": {"game": "chess"},
                "steering": {"avoid": [LONE]},
                "budget": {"simulations": 10},
            }
        },
        {"request": {"position": {"game": "chess"}, "options": {LONE: 1}}},
        {"request": {"position": {"game": "chess"}, "options": {"rule": LONE}}},
        {"type": "review", "record": {"game": "chess", "moves": [LONE]}},
        {"type": LONE},
    ],
)
def test_wrong_analyses_are_answered(server: TestClient, change: dict[str, Any]) -> None:
    good = {"position": {"game": "othello"}, "budget": {"simulations": 10}}
    with connect(server) as socket:
        socket.send_text(json.dumps({"type": "start", "id": "x", "request": good, **change}))
        answer = socket.receive_json()
        while answer["type"] not in ("error", "end"):
            answer = socket.receive_json()
        # A name that is only kept and compared may be anything; so may a move that is refused in the report.
        assert answer["type"] == "error" or "id" in change or "steering" in change.get("request", {})
        socket.send_text(json.dumps({"type": "start", "id": "again", "request": good}))
        while (answer := socket.receive_json())["type"] != "end":
            assert answer["type"] == "report", answer


@pytest.mark.parametrize(
    ("headers", "status"),
    [({"Host": "[::1"}, 400), ({"Origin": "http://["}, 403)],
)
def test_wrong_headers_are_refused(server: TestClient, headers: dict[str, str], status: int) -> None:
    answer = server.post("/api/new", json={"game": "othello"}, headers=headers)
    assert answer.status_code == status
    assert answer.json()["error"]
    with pytest.raises(WebSocketDisconnect), connect(server, **headers):
        pass


@pytest.mark.parametrize("moves", ["(e5 e4) e4 *", "(e5) {c} e4 *", "( e5 ) ! e4 *", "(", "((e4) d4) *"])
def test_pgn_that_begins_with_a_variation(server: TestClient, moves: str) -> None:
    answer = server.post("/api/record", json={"text": f'[White "a"]\n\n{moves}'})
    assert answer.status_code in (200, 422)


@pytest.mark.parametrize(
    "error",
    [
        OperationalError("SELECT", {}, sqlite3.OperationalError("database or disk is full")),
        OperationalError("SELECT", {}, ConnectionRefusedError()),
        OSError(errno.ENOSPC, "No space left on device"),
    ],
)
def test_failing_database_is_503_and_one_line(
    server: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    room = open_room(server, "othello")

    def fail(*_: object) -> Any:
        raise error

    database = server.app.state.database  # type: ignore[attr-defined]
    with monkeypatch.context() as patch, caplog.at_level(logging.WARNING):
        patch.setattr(database, "session", fail)
        for answer in (
            server.get("/api/saved"),
            server.post("/api/saved", json=new_game("e2e4")),
            server.patch(f"/api/saved/{'x' * 16}", json={"deleted": True}),
            server.post("/api/rooms", json={"new": {"game": "othello"}}),
        ):
            assert answer.status_code == 503
            assert answer.json()["error"]
            assert answer.headers["retry-after"]
            assert answer.headers["x-request-id"] in caplog.text
        with connect(server, "/api/rooms/unknown") as socket, pytest.raises(WebSocketDisconnect) as left:
            socket.receive_text()
        assert left.value.code == 4503
    assert not any(record.exc_info for record in caplog.records)
    with connect(server, f"/api/rooms/{room}") as socket:
        socket.send_text('{"type": "join"}')
        assert socket.receive_json()["type"] == "room"


def test_unforeseen_error_is_answered_and_logged_with_its_id(
    server: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("nobody thought of this")

    monkeypatch.setattr("kibitz.server.positions.board_of", fail)
    monkeypatch.setattr("kibitz.server.analyses.read_request", fail)
    answer = server.post("/api/position", json={"record": {"game": "othello"}})
    assert answer.status_code == 500
    assert "nobody thought" not in answer.text
    assert answer.headers["x-request-id"] in answer.json()["error"]
    assert answer.headers["x-request-id"] in caplog.text
    assert "nobody thought" in caplog.text
    with connect(server) as socket:
        socket.send_text(json.dumps({"type": "start", "id": "x"}))
        told = socket.receive_json()
        assert (told["type"], told["id"]) == ("error", "x")
        assert "nobody thought" not in told["error"]


def test_errors_have_one_form(server: TestClient) -> None:
    for answer in (
        server.get("/api/nothing"),
        server.get("/api/new"),
        server.post("/api/new", content="{"),
        server.post("/api/new", json={"game": 7}),
        server.post("/api/new", content=b"\xff", headers={"Content-Type": "application/json"}),
    ):
        assert 400 <= answer.status_code < 500
        assert list(answer.json()) == ["error", "code", "values"]
