"""Opponents at the levels of a game."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from kibitz.games import registry


@pytest.mark.parametrize("game", registry.names())
def test_move_of_a_level_is_legal(client: TestClient, game: str) -> None:
    info = registry.get(game)
    asked = {"record": {"game": game, "moves": list(info.demo)}, "level": info.levels[0].name}
    answer = client.post("/api/move", json=asked)
    assert answer.status_code == 200, answer.text
    assert answer.json()["move"] in info.position().play(*info.demo).legal_moves


def test_levels_are_listed_and_others_refused(client: TestClient) -> None:
    rows = {row["name"]: row["levels"] for row in client.get("/api/games").json()}
    assert rows.keys() == set(registry.names())
    assert all(names[0] == "beginner" and names[-1] == "full" for names in rows.values())
    wrong = {"record": {"game": "othello"}, "level": "grandmaster"}
    answer = client.post("/api/move", json=wrong)
    assert answer.status_code == 422
    assert "beginner, novice, casual" in answer.text
