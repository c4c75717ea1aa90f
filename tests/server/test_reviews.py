"""Reviews over the WebSocket, and beliefs of a seat."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from kibitz.cli.app import make_app
from kibitz.games import junqi, registry
from kibitz.review import effort
from tests.server.sockets import connect

#: The queen is lost on the sixth ply.
BLUNDER = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "d8g5", "f3g5"]


#: Morphy against the Duke of Brunswick and Count Isouard, Paris 1858.
OPERA = (
    "1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 "
    "10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 "
    "17. Rd8# 1-0"
)


def review(
    client: TestClient, record: dict[str, Any], seconds: float = 0.1, **how: Any
) -> list[dict[str, Any]]:
    how = how or {"seconds": seconds}
    with connect(client) as socket:
        socket.send_text(json.dumps({"type": "review", "id": "r", "record": record, **how}))
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


def test_the_page_and_the_command_line_label_alike(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(effort._MOST_SECONDS, "quick", 60.0)  # however busy the machine is
    file = tmp_path / "opera.pgn"
    file.write_text(OPERA)
    words = ["analyze", str(file), "--effort", "quick", "--json"]
    result = CliRunner().invoke(make_app(), words)
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    turns = review(client, {"game": "chess", "moves": [turn["played"] for turn in told]}, effort="quick")
    assert [turn["label"] for turn in turns] == [turn["label"] for turn in told]
    assert [turn["best"] for turn in turns] == [turn["best"] for turn in told]
    assert [turn["loss"] for turn in turns] == pytest.approx([turn["loss"] for turn in told], abs=1e-6)
    assert {turn["label"] for turn in turns} >= {"best", "good", "inaccuracy"}


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
