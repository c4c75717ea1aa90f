"""Exact tables and style reports over the API."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import chess.syzygy
import pytest
from fastapi.testclient import TestClient

from kibitz.games import uttt
from kibitz.server.tables import Tables
from kibitz.tablebase import Tablebase


def late_position() -> uttt.Position:
    """A position of a played-out game that the small tables have."""
    import random

    for seed in range(200):
        dice, position = random.Random(seed), uttt.Position()
        while not position.is_over:
            if position.empties <= 4:
                return position
            position = position.play(dice.choice(position.legal_moves))
    raise AssertionError("no such game")


def test_uttt_says_what_the_tables_say(client: TestClient) -> None:
    position = late_position()
    answer = client.post("/api/tables", json={"record": position.to_dict()}).json()
    expected = Tablebase().probe_moves(position)
    words = {1: "win", 0: "draw", -1: "loss"}
    assert answer["known"] is True
    assert [(row["move"], row["result"], row["distance"]) for row in answer["moves"]] == [
        (move, words[value], plies) for move, value, plies in expected
    ]


def test_unknown_positions(client: TestClient) -> None:
    for game in ("uttt", "chess", "go", "othello"):
        answer = client.post("/api/tables", json={"record": {"game": game}})
        assert answer.json() == {"known": False, "source": "", "result": None, "moves": []}


class Prober:
    """Stands for python-chess's reader: KQvK, won for who has the queen."""

    def __init__(self) -> None:
        self.wdl, self.dtz = {"KQvK": None}, {"KQvK": None}

    def add_directory(self, folder: str) -> int:
        return 1

    def close(self) -> None:
        pass

    def probe_wdl(self, board: Any) -> int:
        queens = board.pieces(chess.QUEEN, board.turn)
        if not board.queens:
            return 0
        return 2 if queens else -2

    def probe_dtz(self, board: Any) -> int:
        return 9 if board.pieces(chess.QUEEN, board.turn) else -9


def test_syzygy_where_it_is_configured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import kibitz

    monkeypatch.setattr(chess.syzygy, "Tablebase", Prober)
    tables = Tables(str(tmp_path))
    answer = tables.look_up(kibitz.chess.Position("8/8/8/8/8/k7/1q6/3K4 w - - 0 1"))
    assert (answer.known, answer.source, answer.result) == (True, "Syzygy", "loss")
    won = tables.look_up(kibitz.chess.Position("8/8/8/8/8/4k3/1q6/4K3 b - - 0 1"))
    assert won.result == "win"
    assert won.moves[0].move in ("b2e2", "b2b1")  # mates at once
    assert not tables.look_up(kibitz.chess.Position()).known
    tables.close()


def test_style_report(client: TestClient) -> None:
    a = "1. e4 e5 2. Nf3 Nc6 *\n\n1. d4 d5 2. c4 e6 *\n\n1. e4 c5 2. Nf3 d6 *\n"
    b = "1. Nf3 d5 2. g3 c5 3. Bg2 Nc6 *\n\n1. b3 e5 2. Bb2 Nc6 *\n\n1. g3 e5 2. Bg2 d5 *\n"
    answer = client.post("/api/style/report", json={"a": a, "b": b}).json()
    assert answer["comparison"]["games"] == {"a": 3, "b": 3}
    assert answer["comparison"]["metrics"]["fch"]["b"]["mean"] > 0
    assert answer["svg"].startswith("<svg")
    refused = client.post("/api/style/report", json={"a": "", "b": b})
    assert (refused.status_code, refused.json()["error"]) == (422, "A: no game with moves in it")
