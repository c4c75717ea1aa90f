"""Analyses over the WebSocket."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from fastapi.testclient import TestClient

from kibitz.games import registry
from kibitz.server.analyses import Pace
from tests.server.sockets import connect


def ask(socket: Any, name: str, game: str, **request: Any) -> None:
    position = {"game": game, "moves": list(registry.get(game).demo)}
    request = {"position": position, "budget": {"seconds": 0.2}, **request}
    socket.send_text(json.dumps({"type": "start", "id": name, "request": request, "every": 0.1}))


def until_end(socket: Any) -> list[dict[str, Any]]:
    messages = [socket.receive_json()]
    while messages[-1]["type"] == "report":
        messages.append(socket.receive_json())
    return messages


@pytest.mark.parametrize("game", registry.names())
def test_analysis_streams_and_answers_steering(client: TestClient, game: str) -> None:
    position = registry.get(game).position().play(*registry.get(game).demo)
    asked, avoided = position.legal_moves[1], position.legal_moves[0]
    with connect(client) as socket:
        ask(socket, "one", game, steering={"include": {asked: 3}, "avoid": [avoided]})
        *reports, last = until_end(socket)
    assert last == {"type": "end", "id": "one"}
    final = reports[-1]["report"]
    assert final["final"]
    assert [answer["move"] for answer in final["answers"]] == [asked]
    assert avoided not in {info["move"] for info in final["moves"]}
    assert {item["kind"] for item in final["steering"]["honoured"]} == {"include", "avoid"}
    if game == "chess":
        assert reports[-1]["lines"][asked][0] == position.san(asked)


def test_questions_are_answered_over_the_socket(client: TestClient) -> None:
    with connect(client) as socket:
        ask(socket, "why", "othello", steering={"ask": ["threat", "what changed"]})
        *reports, last = until_end(socket)
        assert last == {"type": "end", "id": "why"}
        final = reports[-1]["report"]
        assert [reply["question"] for reply in final["replies"]] == ["threat", "what changed"]
        assert all(sentence["text"] for reply in final["replies"] for sentence in reply["said"])
        ask(socket, "wrong", "othello", steering={"ask": ["how"]})
        assert "a question is" in until_end(socket)[-1]["error"]


def test_several_run_at_once_and_stop(client: TestClient) -> None:
    with connect(client) as socket:
        for name in ("a", "b", "c"):
            ask(socket, name, "othello", budget={"seconds": 100})
        seen = set()
        while seen != {"a", "b", "c"}:
            seen.add(socket.receive_json()["id"])
        pool = client.app.state.pool  # type: ignore[attr-defined]
        assert pool.running == 3
        socket.send_text(json.dumps({"type": "stop", "id": "b"}))
        until = time.monotonic() + 10
        while pool.running != 2 and time.monotonic() < until:
            socket.receive_json()
        assert pool.running == 2
    until = time.monotonic() + 10
    while pool.running and time.monotonic() < until:
        time.sleep(0.01)
    assert pool.running == 0  # the browser has left


START = {"type": "start", "id": "x"}
OTHELLO = {"position": {"game": "othello"}}


@pytest.mark.parametrize(
    ("message", "error"),
    [
        ("not JSON", "not JSON"),
        ([], "a message is a table"),
        ({"type": "fly", "id": "x"}, "type must be start, review or stop"),
        ({"type": "start", "id": 7}, "id must be text"),
        (START, "request must be a table"),
        ({**START, "request": {"position": {"game": "ludo"}}}, "unknown game 'ludo'"),
        ({**START, "request": {**OTHELLO, "options": {"threads": 64}}}, "the server sets threads itself"),
        ({**START, "request": OTHELLO, "preset": "magic"}, "no preset 'magic'"),
        ({**START, "request": OTHELLO, "every": "soon"}, "every must be a number"),
    ],
)
def test_wrong_messages_get_an_answer(client: TestClient, message: Any, error: str) -> None:
    with connect(client) as socket:
        socket.send_text(message if isinstance(message, str) else json.dumps(message))
        answer = socket.receive_json()
        assert answer["type"] == "error"
        assert error in answer["error"]


def test_number_of_analyses_is_limited(client: TestClient) -> None:
    with connect(client) as socket:
        for number in range(9):
            ask(socket, str(number), "othello", budget={"seconds": 100})
        while (message := socket.receive_json())["type"] != "error":
            pass
        assert message["error"] == "8 analyses run already on this connection"


def test_reports_of_many_analyses_take_a_bounded_share_of_the_time() -> None:
    pace = Pace()
    for _ in range(100):
        every = pace.after(0.002, 40)
    assert 40 * 0.002 / every == pytest.approx(0.05, rel=0.01)
    assert pace.after(0.002, 2) == pytest.approx(every / 20, rel=0.01)
    for _ in range(100):  # the thread waited for a core
        every = pace.after(30.0, 1)
    assert every < 0.5
