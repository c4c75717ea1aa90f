"""Reviews that survive: a client that leaves, a user who stops, a server that is killed."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient
from websockets.sync.client import connect as connect_to

from tests.server.servers import PATIENCE, Server
from tests.server.sockets import connect

MOVES = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "d8g5", "f3g5", "g8h6", "d2d3", "f8e7"]


def message(moves: list[str], seconds: float) -> str:
    record = {"game": "chess", "moves": moves}
    return json.dumps({"type": "review", "id": "r", "record": record, "seconds": seconds})


def turns_until_end(receive: Any) -> list[dict[str, Any]]:
    turns = []
    while (told := receive())["type"] != "end":
        assert told["type"] in ("turn", "summary"), told
        if told["type"] == "turn":
            turns.append(told["turn"])
    return turns


def test_a_killed_server_goes_on_with_a_review(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'kept.db'}"
    asked = message(MOVES, 0.15)
    with Server(database) as server:
        address = f"ws://{server.address}/api/analyses"
        with connect_to(address, open_timeout=PATIENCE, close_timeout=1) as socket:
            socket.send(asked)
            before = [json.loads(socket.recv(PATIENCE))["turn"] for _ in range(4)]
            server.kill()
    with Server(database) as server:
        address = f"ws://{server.address}/api/analyses"
        time.sleep(1.0)  # it goes on before anybody asks
        with connect_to(address, open_timeout=PATIENCE, close_timeout=1) as socket:
            socket.send(asked)
            after = turns_until_end(lambda: json.loads(socket.recv(PATIENCE)))
    assert [turn["number"] for turn in after] == list(range(1, len(MOVES) + 1))
    assert after[:4] == before  # what was found is not searched again
    assert max(after, key=lambda turn: turn["loss"])["played"] == "Qg5"


def test_a_review_goes_on_without_its_client_and_is_searched_once(client: TestClient) -> None:
    asked = message(MOVES[:6], 0.11)
    with connect(client) as socket:
        socket.send_text(asked)
        first = socket.receive_json()["turn"]
    with connect(client) as socket:
        socket.send_text(asked)
        turns = turns_until_end(socket.receive_json)
        begun = time.monotonic()
        socket.send_text(asked)
        again = turns_until_end(socket.receive_json)
    assert turns[0] == first
    assert again == turns
    assert time.monotonic() - begun < 0.5  # six moves of 0.11 s and their checks take longer


def test_a_stopped_review_goes_on_where_it_was_when_it_is_asked_for_again(client: TestClient) -> None:
    asked = message(MOVES[:5], 0.2)
    with connect(client) as socket:
        socket.send_text(asked)
        first = socket.receive_json()["turn"]
        socket.send_text(json.dumps({"type": "stop", "id": "r"}))
        time.sleep(0.4)
        socket.send_text(asked)
        turns = turns_until_end(socket.receive_json)
    assert turns[0] == first
    assert len(turns) == 5


def test_a_try_is_judged_on_the_scale_of_reviews(client: TestClient) -> None:
    record = {"game": "chess", "moves": MOVES[:5]}

    def judged(move: str, best: str = "g8f6", record: dict[str, Any] = record) -> dict[str, Any]:
        answer = client.post("/api/reviews/try", json={"record": record, "move": move, "best": best})
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    assert judged("g8f6")["good"] is True
    # Another move that is as good, also for the few nodes of a busy machine.
    assert judged("g1f3", "e2e4", {"game": "chess"})["good"] is True
    wrong = judged("d8g5")
    assert wrong["good"] is False
    assert wrong["loss"] > 0.1
    assert wrong["line"][:2] == ["d8g5", "f3g5"]
    assert wrong["names"][:2] == ["Qg5", "Nxg5"]
    illegal = client.post("/api/reviews/try", json={"record": record, "move": "a1a8", "best": "g8f6"})
    assert illegal.status_code == 422
