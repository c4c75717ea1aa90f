"""S2: its measures equal a plain implementation, its weights tell openings apart as history does."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path

import chess
import chess.pgn
import numpy as np
import pytest

import kibitz
from kibitz.errors import BadOption, BadRecord
from kibitz.style import load_norm, load_s2, measure_pgn, measure_sides
from kibitz.style.eco import CLASSES, opening_class
from kibitz.style.metrics import SIDE_METRICS
from kibitz.style.s2 import auc, fit_s2
from tests.style.games import book_text, needs_book
from tests.style.plain_metrics import plain_sides
from tests.style.random_games import random_game


@pytest.mark.parametrize("seed", range(60))
def test_measures_of_sides(seed: int) -> None:
    start, moves = random_game(seed, plies=random.Random(seed).randint(1, 40), quiet=seed % 3 != 0)
    position = kibitz.chess.Position(start.fen()).play_on(*(move.uci() for move in moves))
    assert measure_sides(position).tolist() == plain_sides(start, moves)


@needs_book
def test_games_of_the_book() -> None:
    text = book_text(150)
    measured = measure_pgn(text.encode()).sides.tolist()
    stream, wanted = io.StringIO(text), []
    while (game := chess.pgn.read_game(stream)) is not None:
        wanted.append(plain_sides(game.board(), list(game.mainline_moves())))
    assert measured == wanted


def sides(*moves: str) -> tuple[float, float]:
    white, black = load_s2().sides(measure_sides(kibitz.chess.Position().play(*moves)))
    return float(white), float(black)


def test_it_says_who_plays_in_the_style() -> None:
    white, black = sides("d4", "Nf6", "c4", "g6", "Nc3", "Bg7", "e4", "d6", "Nf3", "O-O", "Be2", "e5")
    assert white < 0.3
    assert black > 0.7
    white, black = sides("Nf3", "d5", "g3", "Nf6", "Bg2", "e6", "O-O", "Be7", "d3", "O-O", "Nbd2", "c5")
    assert white > 0.7 > 0.4 > black
    for side in sides("e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5", "c3", "Nf6", "d4", "exd4", "cxd4", "Bb4+"):
        assert side < 0.4


def test_a_pair_locked_by_e4_e5_is_no_closed_centre() -> None:
    closed = SIDE_METRICS.index("cl")
    assert measure_sides(kibitz.chess.Position().play("e4", "e5"))[0, closed] == 0
    assert measure_sides(kibitz.chess.Position().play("e4", "e5", "d3"))[0, closed] == pytest.approx(1 / 3)
    french = measure_sides(kibitz.chess.Position().play("e4", "e6", "d4", "d5", "e5"))
    assert french[1, closed] == pytest.approx(1.0 / 5 * 2 + 1.0 / 5)


@needs_book
def test_unseen_openings_are_told_apart() -> None:
    """The families of openings that the weights were not fitted to (tools/style_s2.py)."""
    text = book_text(6000)
    games = measure_pgn(text.encode())
    codes = [part.split('"')[1] for part in text.split("[Eco ")[1:]]
    fitted = set(sorted({code[:2] for code in codes if opening_class(code)})[::2])
    chosen = np.array([bool(opening_class(code)) and code[:2] not in fitted for code in codes])
    hypermodern = np.array([opening_class(code) != "classical" for code in codes])[chosen]
    assert chosen.sum() > 1000
    assert auc(load_s2().scores(games)[chosen], hypermodern) > 0.95
    assert auc(load_norm().scores(games)[chosen], hypermodern) < 0.85


def test_classes_do_not_overlap() -> None:
    codes = [f"{letter}{number:02d}" for letter in "ABCDE" for number in range(100)]
    for code in codes:
        assert sum(first <= code <= last for first, last, _ in CLASSES) <= 1
    assert [opening_class(code) for code in ("A07", "e97", "C65", "B90", "")] == [
        "white",
        "black",
        "classical",
        None,
        None,
    ]


def test_a_fit_finds_the_weights_that_made_the_data() -> None:
    chance = np.random.default_rng(1)
    rows = chance.normal(size=(20_000, 5))
    true = np.array([-1.5, 0.5, 1.0, 0.0, 0.25])
    labels = chance.random(20_000) < 1 / (1 + np.exp(-(rows @ true - 0.5)))
    fitted = fit_s2(rows, labels)
    assert [fitted.weights[name] for name in SIDE_METRICS] == pytest.approx(true, abs=0.1)
    with pytest.raises(BadOption, match="both kinds"):
        fit_s2(rows, np.ones(20_000, bool))


def test_files_are_read_back_and_checked(tmp_path: Path) -> None:
    path = tmp_path / "s2.json"
    load_s2().save(path)
    assert load_s2(path) == load_s2()
    good = json.loads(path.read_text())
    for change in ({"format": "x"}, {"version": 9}, {"bias": "nan"}, {"sd": {}}, {"weights": 3}):
        path.write_text(json.dumps({**good, **change}))
        with pytest.raises(BadRecord):
            load_s2(path)
    path.write_bytes(b"\xff")
    with pytest.raises(BadRecord, match="UTF-8"):
        load_s2(path)
