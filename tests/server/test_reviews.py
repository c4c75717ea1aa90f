"""Reviews over the WebSocket, and beliefs of a seat."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient

from kibitz.games import junqi, registry
from tests.server.sockets import connect

#: The queen is lost on the sixth ply.
BLUNDER = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "d8g5", "f3g5"]


def review(client: TestClient, record: dict[str, Any], seconds: float = 0.1) -> list[dict[str, Any]]:
    with connect(client) as socket:
        socket.send_text(json.dumps({"type": "review", "id": "r", "record": record, "seconds": seconds}))
        turns = []
        while (message := socket.receive_json())["type"] == "turn":
            turns.append(message["turn"])
        assert message["type"] == "summary", message
        assert sum(row["moves"] for row in message["summary"]) == len(turns)
        assert socket.receive_json() == {"type": "end", "id": "r"}
    return turns


def test_blunder_costs_most(client: TestClient) -> None:
    turns = review(client, {"game": "chess", "moves": BLUNDER}, 0.3)
    assert [turn["number"] for turn in turns] == list(range(1, 8))
    worst = max(turns, key=lambda turn: turn["loss"])
    assert (worst["number"], worst["played"], worst["side"]) == (6, "Qg5", "black")
    assert worst["loss"] > 0.15
    assert worst["best"] != "d8g5"


@pytest.mark.parametrize("game", registry.names())
def test_every_game_is_reviewed(client: TestClient, game: str) -> None:
    demo = list(registry.get(game).demo)
    turns = review(client, {"game": game, "moves": demo}, 0.05)
    assert [turn["of"] for turn in turns] == [len(demo)] * len(demo)
    assert all(0 <= turn["winrate"] <= 1 for turn in turns)
    assert all(turn["loss"] >= 0 for turn in turns)


def test_empty_game_is_refused(client: TestClient) -> None:
    with connect(client) as socket:
        socket.send_text(json.dumps({"type": "review", "id": "r", "record": {"game": "othello"}}))
        assert socket.receive_json()["error"] == "there are no moves to review"


def test_beliefs_are_of_hidden_pieces(client: TestClient) -> None:
    query = {"record": {"game": "junqi", "moves": ["S11-C31"]}, "seat": "E"}
    chances = client.post("/api/beliefs", json=query).json()
    assert len(chances) == 75
    assert not [node for node in chances if node.startswith("E")]
    assert all(abs(sum(row.values()) - 1) < 0.05 for row in chances.values())
    assert "F" not in chances["C31"]  # a piece that moved is no flag
    view = junqi.Position().play("S11-C31").view("E").to_dict()
    assert client.post("/api/beliefs", json={"record": view}).json() == chances
