"""The native measures equal a plain implementation with python-chess, game by game."""

from __future__ import annotations

import gzip
import io
import random
from pathlib import Path

import chess
import chess.pgn
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kibitz
from kibitz.errors import BadOption, BadRecord
from kibitz.style import METRICS, Games, measure, measure_pgn
from kibitz.style.metrics import Window, measure_character, measure_pgn_parts
from tests.style.games import book_text, needs_book
from tests.style.plain_metrics import plain_character, plain_metrics
from tests.style.random_games import random_game


def as_row(metrics: kibitz.style.Metrics) -> tuple[float, ...]:
    return (metrics.plies, *(getattr(metrics, name) for name in METRICS))


def measured(start: chess.Board, moves: list[chess.Move], window: Window | None = None) -> tuple[float, ...]:
    position = kibitz.chess.Position(start.fen())
    return as_row(measure(position.play_on(*(move.uci() for move in moves)), window))


def pgn_rows(games: Games) -> list[tuple[float, ...]]:
    columns = [games[name] for name in METRICS]
    return [(games.plies[i], *(column[i] for column in columns)) for i in range(len(games))]


@pytest.mark.parametrize("seed", range(150))
def test_random_games(seed: int) -> None:
    start, moves = random_game(seed, plies=random.Random(seed).randint(1, 40), quiet=seed % 3 != 0)
    assert measured(start, moves) == plain_metrics(start, moves)


@pytest.mark.parametrize("seed", range(60))
def test_king_attack_and_exchanges_of_random_games(seed: int) -> None:
    start, moves = random_game(seed, plies=random.Random(seed).randint(1, 60), quiet=seed % 3 == 0)
    position = kibitz.chess.Position(start.fen()).play_on(*(move.uci() for move in moves))
    assert measure_character(position) == pytest.approx(plain_character(start, moves), abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 40), st.integers(1, 30), st.integers(1, 30), st.integers(1, 30))
def test_any_window(seed: int, plies: int, window: int, early: int, fianchetto: int) -> None:
    start, moves = random_game(seed, plies)
    chosen = Window(window, early, fianchetto)
    assert measured(start, moves, chosen) == plain_metrics(start, moves, window, early, fianchetto)


@needs_book
def test_four_hundred_games_of_the_book() -> None:
    text = book_text(400)
    measured = pgn_rows(measure_pgn(text.encode()))
    stream = io.StringIO(text)
    wanted = []
    while (game := chess.pgn.read_game(stream)) is not None:
        wanted.append(plain_metrics(game.board(), list(game.mainline_moves())))
    assert len(measured) == 400
    stream = io.StringIO(text)
    games = measure_pgn(text.encode())
    for row in range(40):
        game = chess.pgn.read_game(stream)
        assert game is not None
        known = plain_character(game.board(), list(game.mainline_moves()))
        assert (games["ka"][row], games["ex"][row]) == pytest.approx(known, abs=1e-12)
    assert measured == wanted


def test_a_game_from_a_set_up_position() -> None:
    start = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/6P1/PPPP1PBP/RNBQK1NR b KQkq - 0 3")
    moves = [chess.Move.from_uci(text) for text in ("d7d6", "d2d3", "g7g6", "b1c3", "f8g7")]
    assert measured(start, moves) == plain_metrics(start, moves)


def line(*moves: str) -> kibitz.style.Metrics:
    return measure(kibitz.chess.Position().play(*moves))


def test_known_values() -> None:
    reti = line("Nf3", "d5", "g3", "g6", "Bg2", "Bg7")
    assert reti.fch == 2
    assert reti.co == pytest.approx(5 / 6)  # the pawn on d5 after plies 2 to 6
    assert reti.pb_delay == 7  # no contact in six plies
    assert line("e4", "d5").pb_delay == 2
    assert line("d4", "f5", "e4").pb_delay == 3
    assert line("f4", "e5").pb_delay == 2
    assert line("e4", "f5").pb_delay == 3  # the f pawn is no break, though it makes contact
    french = line("e4", "e6", "d4", "d5", "e5")
    assert french.cl == pytest.approx((0 + 0 + 0 + 1 + 2) / 5)
    assert line("Nf3").dcc == pytest.approx(2 / 3)  # d4 and e5, over the knight's value
    assert line("e4").si == 5  # d5 and f5 by the pawn, b5 and a6 by the bishop, h5 by the queen


def test_a_capture_makes_no_contact_and_a_queen_no_fianchetto() -> None:
    assert line("e4", "d5", "exd5", "c6").pb_delay == 2
    assert line("b3", "e5", "Ba3").fch == 0
    assert line("g3", "e5", "Bg2", "Nc6", "g4").fch == 1


def test_games_after_the_window_do_not_count() -> None:
    start, moves = random_game(7, 60)
    assert measured(start, moves) == measured(start, moves[:24])


def test_compressed_files_broken_games_and_parts(tmp_path: Path) -> None:
    text = b"1. e4 e5 2. Nf3 *\n\n1. e4 e5 2. Ke3 *\n\n*\n\n1. g3 d5 2. Bg2 *\n"
    plain = tmp_path / "games.pgn"
    plain.write_bytes(text)
    packed = tmp_path / "games.pgn.gz"
    packed.write_bytes(gzip.compress(text))
    zstandard = pytest.importorskip("zstandard")
    squeezed = tmp_path / "games.pgn.zst"
    squeezed.write_bytes(zstandard.ZstdCompressor().compress(text))
    games = measure_pgn(plain, named=True)
    assert list(games.number) == [1, 2, 4]
    assert list(games.plies) == [3, 2, 3]
    assert (games.broken, games.empty) == (1, 1)
    assert games.names[1][3].startswith("move 2. Ke3")
    for other in (packed, squeezed):
        assert np.array_equal(measure_pgn(other).values, games.values)
    parts = list(measure_pgn_parts(plain, part=1))
    assert [len(part) for part in parts] == [1, 1, 0, 1]


def test_errors_are_one_line(tmp_path: Path) -> None:
    damaged = tmp_path / "games.pgn.gz"
    damaged.write_bytes(gzip.compress(b"1. e4 e5 2. Nf3 *\n" * 5000)[:60])
    with pytest.raises(BadRecord, match="damaged"):
        measure_pgn(damaged)
    with pytest.raises(BadOption, match="plies"):
        measure_pgn(b"1. e4 *", window=Window(plies=0))
    with pytest.raises(OSError, match="nowhere"):
        measure_pgn(tmp_path / "nowhere.pgn")
