"""Scores with dead stones taken off, by area and by territory."""

from __future__ import annotations

import gzip
import json

import pytest

from kibitz.games.go import Position
from kibitz.games.go.scoring import score_without
from tests.paths import SHARED

REFERENCE = SHARED / "reference" / "go-finished-games.jsonl.gz"
WALL = [f"{column}{row}" for column in "C" for row in range(1, 6)]


def test_area_counts_what_is_left() -> None:
    board = Position(5, rules="chinese", komi=0.5, black=WALL, white=["A3", "E2"])
    assert score_without(board, ["A3", "E2"]) == 24.5
    assert score_without(board, ["A3"]) == 13.5  # the left side is Black's, the right nobody's


def test_territory_counts_prisoners() -> None:
    board = Position(5, rules="japanese", komi=0.5, black=WALL, white=["A3", "E2"])
    # 20 points of territory and two prisoners.
    assert score_without(board, ["A3", "E2"]) == 21.5


def test_captures_of_the_game_count_under_territory_rules() -> None:
    board = Position(5, rules="japanese", komi=0.5)
    for colour, vertex in (("b", "B1"), ("w", "A1"), ("b", "A2"), ("w", "E5")):
        board = board.play_as(colour, vertex, tolerant=True)
    assert board.captures == (0, 1)
    before = score_without(board, [])
    assert before == board.score
    assert score_without(board, ["E5"]) > before


@pytest.mark.skipif(not REFERENCE.is_file(), reason="the finished games are not here")
def test_finished_games_score_as_gnu_go_and_katago_have_them() -> None:
    with gzip.open(REFERENCE, "rt", encoding="utf-8") as lines:
        games = [json.loads(line) for line in lines]
    for game in games:
        board = Position(game["size"], rules=game["rules"], komi=game["komi"])
        for colour, vertex in game["moves"]:
            board = board.play_as(colour, vertex, tolerant=True)
        score = score_without(board, game["dead"])
        assert f"{'B' if score > 0 else 'W'}+{abs(score):g}" == game["score"]
