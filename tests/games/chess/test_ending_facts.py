"""Tablebase facts and zugzwang: results that are known, and passing that would be better."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import chess
import chess.syzygy
import pytest

import kibitz
from kibitz.games.chess.facts import tables
from kibitz.sentences import LANGUAGES
from tests.games.chess import three_men
from tests.games.chess.fact_checker import problems, result
from tests.protocols.uci.test_syzygy import Prober


def explained(fen: str, line: str) -> tuple[list[str], kibitz.Explanation]:
    why = kibitz.explain(kibitz.chess.Position(fen), line=line.split())
    assert problems(why) == []
    wanted = [fact for fact in why.facts if fact.code in ("tablebase", "zugzwang")]
    for language in LANGUAGES:
        assert all(fact.sentence and fact.sentence.worded(language) for fact in wanted)
    return [str(fact.sentence) for fact in wanted], why


def test_won_positions_of_king_and_pawn_are_as_many_as_published() -> None:
    """111,282 with a pawn on the files a to d, either side to move (Stockfish's table of the same ending)."""
    assert three_men.count() == 111_282


def test_three_men_agree_with_a_second_table() -> None:
    rng = random.Random(5)
    seen = 0
    for _ in range(3000):
        squares = rng.sample(range(64), 3)
        board = chess.Board(None)
        for square, piece in zip(squares, ("K", "k", rng.choice("PpPpQrRq")), strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(piece))
        board.turn = rng.random() < 0.5
        if not board.is_valid() or board.is_game_over():
            continue
        seen += 1
        assert tables.result_of(kibitz.chess.Position(board.fen())) == result(board), board.fen()
    assert seen > 1500


@pytest.mark.parametrize(
    ("fen", "line", "said"),
    [
        ("8/8/8/8/3pk3/8/3K4/8 w - - 0 1", "Kd1", "1.Kd1 gives the draw away: the ending is lost"),
        ("8/8/8/8/3pk3/8/3K4/8 w - - 0 1", "Ke2", "1.Ke2 is the only move that draws"),
        ("8/8/6k1/8/4PK2/8/8/8 w - - 0 1", "Ke5", "1.Ke5 is the only move that wins"),
        ("8/8/6k1/8/4PK2/8/8/8 w - - 0 1", "e5", "1.e5 gives the win away: the ending is drawn"),
        ("8/8/8/3k4/8/8/8/KQ6 b - - 0 1", "Kd4", "1...Kd4 loses, as every other move does"),
        ("8/8/8/3k4/8/8/8/KQ6 w - - 0 1", "Qb5+", "1.Qb5+ keeps the win"),
        ("8/5k2/8/8/2r5/8/1KP5/2R5 b - - 0 1", "Rxc2+ Rxc2",
         "1...Rxc2+ 2.Rxc2 leads to an ending that White wins"),
        ("8/5k2/8/8/2b5/8/1KP5/2R5 b - - 0 1", "Bd3 Rd1", ""),
    ],
)  # fmt: skip
def test_tablebase(fen: str, line: str, said: str) -> None:
    sentences, _ = explained(fen, line)
    known = [text for text in sentences if "tablebase" in text]
    assert known == ([f"{said} (tablebase)"] if said else [])


def test_the_checker_notices_a_wrong_result() -> None:
    _, why = explained("8/8/8/8/3pk3/8/3K4/8 w - - 0 1", "Ke2")
    fact = next(fact for fact in why.facts if fact.code == "tablebase")
    for name, value in (("after", "loss"), ("before", "win"), ("only", False)):
        wrong = replace(fact, parameters={**fact.parameters, name: value})
        assert problems(replace(why, facts=(wrong,)))


@pytest.fixture
def syzygy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Tables in a folder that KIBITZ_SYZYGY names; all they have is won by who has the queen."""

    class Four(Prober):
        wdl = dtz = ("KQvKP", "KQvK")

        def __init__(self, **_: object) -> None: ...

        def add_directory(self, _: str, **__: object) -> int:
            return 1

        def probe_wdl(self, board: chess.Board) -> int:
            return 2 if board.occupied_co[board.turn] & board.queens else -2

        get_wdl = probe_wdl

        def __enter__(self) -> Four:
            return self

        def __exit__(self, *_: object) -> None: ...

    monkeypatch.setattr(chess.syzygy, "Tablebase", Four)
    monkeypatch.setenv("KIBITZ_SYZYGY", str(tmp_path))
    tables.syzygy.cache_clear()
    yield
    tables.syzygy.cache_clear()


def test_syzygy_tables_where_a_folder_is_named(syzygy: None) -> None:
    sentences, _ = explained("8/8/8/3k4/8/6p1/8/KQ6 w - - 0 1", "Qb5+")
    assert sentences == ["1.Qb5+ keeps the win (tablebase)"]


def test_without_tables_four_men_are_not_known() -> None:
    assert explained("8/8/8/3k4/8/6p1/8/KQ6 w - - 0 1", "Qb5+")[0] == []


@pytest.mark.parametrize(
    ("fen", "line", "side"),
    [
        # The opposition: who is to move must let the other king through.
        ("8/4k3/8/3K4/4P3/8/8/8 w - - 0 1", "Ke5", "Black"),
        # Trébuchet: whoever is to move loses the pawn.
        ("8/8/5K2/4p3/3kP3/8/8/8 w - - 0 1", "Kf5", "Black"),
        ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "Ra7", ""),
    ],
)
def test_zugzwang(fen: str, line: str, side: str) -> None:
    sentences, _ = explained(fen, line)
    found = [text for text in sentences if "zugzwang" in text]
    assert [f"puts {side} in" in text for text in found] == ([True] if side else [])
