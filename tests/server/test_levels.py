"""Opponents of many strengths."""

from __future__ import annotations

import random

import pytest
from fastapi.testclient import TestClient

from kibitz.games import registry
from kibitz.report import MoveInfo
from kibitz.server.levels import LEVELS, choose

MOVES = [
    MoveInfo("a", 0, visits=50, value=0.6),
    MoveInfo("b", 1, visits=30, value=0.57),
    MoveInfo("c", 2, visits=5, value=0.05),
]


def picks(level: int) -> dict[str, int]:
    chance = random.Random(1)
    chosen = [choose(MOVES, LEVELS[level - 1], chance) for _ in range(500)]
    return {move: chosen.count(move) for move in "abc"}


def test_weak_levels_overlook_little_and_never_blunder_at_random() -> None:
    beginner, better, best = picks(1), picks(5), picks(len(LEVELS))
    assert beginner["b"] > better["b"] > best["b"] == 0
    assert beginner["c"] == better["c"] == 0
    assert best["a"] == 500


def test_proven_win_is_played() -> None:
    won = [MoveInfo("a", 0, visits=9, value=1.0, proven="win"), *MOVES]
    assert {choose(won, LEVELS[0], random.Random(seed)) for seed in range(30)} == {"a"}


@pytest.mark.parametrize("game", registry.names())
def test_move_of_a_level_is_legal(client: TestClient, game: str) -> None:
    demo = list(registry.get(game).demo)
    answer = client.post("/api/move", json={"record": {"game": game, "moves": demo}, "level": 1})
    assert answer.status_code == 200, answer.text
    position = registry.get(game).position().play(*demo)
    assert answer.json()["move"] in position.legal_moves


def test_levels_are_counted(client: TestClient) -> None:
    assert client.get("/api/levels").json() == len(LEVELS) == 9
    wrong = {"record": {"game": "othello"}, "level": 99}
    assert client.post("/api/move", json=wrong).status_code == 422
