"""What a terminal shows: help of `kibitz` alone, records by themselves, SAN, figures, whole moves."""

from __future__ import annotations

import datetime
import io
import re
from pathlib import Path

import pytest
from rich.console import Console

import kibitz as package
from kibitz.cli.common import _whole_words, board_text
from kibitz.games.junqi import deal
from kibitz.games.junqi.records import dump_jgs, record_of
from kibitz.games.othello.records import Record, wthor
from tests.cli.shell import kibitz


def test_kibitz_alone_is_help() -> None:
    done = kibitz()
    assert done.returncode == 0
    assert "analyze" in done.stdout
    assert done.stderr == ""


def test_jgs_file_alone(tmp_path: Path) -> None:
    game = deal(3, 4, options="qq")
    for _ in range(3):
        game = game.play(game.legal_moves[0])
    file = tmp_path / "game.jgs"
    file.write_bytes(dump_jgs(record_of(game)))
    done = kibitz("analyze", file, "--visits", "2")
    assert done.returncode == 0, done.stderr
    assert "2 visits a position" in done.stdout


def test_wtb_file_alone(tmp_path: Path) -> None:
    game = package.othello.Position()
    while not game.is_over:  # WTHOR keeps whole games
        game = game.play(game.legal_moves[0])
    day = datetime.date(2026, 1, 1)
    file = tmp_path / "games.wtb"
    file.write_bytes(wthor.WthorFile.from_records([Record.of(game)], day=day, year=2026).to_bytes())
    done = kibitz("analyze", file, "--visits", "20")
    assert done.returncode == 0, done.stderr
    assert "20 visits a position" in done.stdout


def test_moves_of_chess_are_san() -> None:
    done = kibitz("analyze", "chess", "1. e4 e5", "--simulations", "200")
    assert done.returncode == 0, done.stderr
    assert any(line.startswith("Nf3 ") for line in done.stdout.splitlines())
    assert "g1f3" not in done.stdout


def test_a_game_of_chess_in_the_terminal_is_in_san() -> None:
    done = kibitz("play", "chess", "--level", "beginner", "--side", "black", text="moves\nquit\n")
    assert done.returncode == 0, done.stderr
    board = package.chess.Position()
    replies = re.findall(r"white plays (\S+) ", done.stdout)
    assert len(replies) == 1
    assert replies[0] in [board.san(move) for move in board.legal_moves]
    assert " Nf6" in done.stdout


@pytest.mark.parametrize(("encoding", "king"), [("utf-8", "♔"), ("ascii", "K")])
def test_figures_where_the_terminal_has_them(encoding: str, king: str) -> None:
    screen = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    board = board_text(Console(file=screen, force_terminal=True), package.chess.Position())
    assert king in board
    assert board.count(king) == 1
    piped = Console(file=io.TextIOWrapper(io.BytesIO(), encoding=encoding), force_terminal=False)
    assert "K" in board_text(piped, package.chess.Position())


def test_no_move_is_cut() -> None:
    line = "Nf3 Nf6 c4 e6 O-O-O"
    for most in range(4, len(line)):
        shown = _whole_words(line, most)
        assert len(shown) <= most
        assert set(shown.removesuffix("…").split()) <= set(line.split())
    assert _whole_words(line, len(line)) == line
