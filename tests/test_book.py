"""Opening books: symmetric positions and transpositions are one, values are backed up, files are checked."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from typer.testing import CliRunner

import kibitz
from kibitz.book import Book
from kibitz.cli.app import make_app
from kibitz.errors import BadTable

START = kibitz.othello.Position()


def test_symmetric_games_are_one_game() -> None:
    book = Book.memory("othello")
    book.add_game(START.play("d3", "c5", "f6"), 1.0)
    book.add_game(START.play("f5", "f6", "e6"), 0.0)
    entries = book.entries(START)
    assert {entry.move for entry in entries} == set(START.legal_moves)
    assert {entry.games for entry in entries} == {2}
    assert {entry.result for entry in entries} == {0.5}


def test_transpositions_are_one_position() -> None:
    book = Book.memory("othello")
    one, other = START.play("f5", "d6", "c3", "d3", "c4"), START.play("f5", "d6", "c4", "d3", "c3")
    assert one == other
    book.add_game(one, 1.0)
    assert other in book
    assert book.entries(START.play("f5", "d6", "c4", "d3"))[0].move == "c3"


def test_values_are_backed_up_to_the_root() -> None:
    book = Book.memory("othello")
    good, bad = START.play("d3", "c5"), START.play("d3", "e3")
    book.add_game(good, 1.0)
    book.add_game(bad, 1.0)
    book.set_value(good, 3.0, 0.7)  # for black, to move again: good for black, bad for white
    book.set_value(bad, -2.0, 0.4)
    book.back_up()
    after = book.entries(START.play("d3"))
    assert [(entry.move, entry.score) for entry in after] == [("e3", 2.0), ("c5", -3.0)]
    first = book.entries(START)[0]
    assert first.score == -2.0
    assert first.value == pytest.approx(0.4)
    assert book.choose(START.play("d3"), random.Random(1)) == "e3"
    assert book.approves(START.play("d3"), "e3")
    assert not book.approves(START.play("d3"), "c5")


def test_the_edge_is_analyzed_most_played_first() -> None:
    book = Book.memory("othello")
    for _ in range(3):
        book.add_game(START.play("d3", "c5"), 1.0)
    book.add_game(START.play("d3", "e3"), 0.0)
    asked = []

    def judge(position: kibitz.othello.Position) -> tuple[float, float]:
        asked.append(position)
        return 0.0, 0.5

    assert book.analyze(judge, 1) == 1
    assert book.key(asked[0]) == book.key(START.play("d3", "c5"))
    assert book.analyze(judge, 9) == 1
    assert book.analyze(judge, 9) == 0


def test_a_book_without_values_leaves_rare_and_lost_moves_out() -> None:
    book = Book.memory("othello")
    assert book.choose(START, random.Random(1)) is None
    for _ in range(20):
        book.add_game(START.play("d3", "c5"), 0.0)
    book.add_game(START.play("d3", "e3"), 0.0)
    assert {book.choose(START.play("d3"), random.Random(n)) for n in range(20)} == {"c5"}


def test_files_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "opening.book"
    with Book.create(path, "othello") as book:
        book.add_game(START.play("d3"), 1.0)
    with Book.open(path, "othello") as book:
        assert len(book) == 1
    with pytest.raises(BadTable, match="not of go"):
        Book.open(path, "go")
    with pytest.raises(BadTable, match="exists"):
        Book.create(path, "othello")
    with pytest.raises(BadTable, match="no such book"):
        Book.open(tmp_path / "missing")
    (tmp_path / "text").write_text("hello")
    with pytest.raises(BadTable, match="not a book"):
        Book.open(tmp_path / "text")


def test_the_commands(tmp_path: Path) -> None:
    board = "8 " + "-" * 27 + "O*" + "-" * 6 + "*O" + "-" * 27 + " *"
    record = tmp_path / "games.ggf"
    record.write_text(f"(;GM[Othello]PB[a]PW[b]TY[8]BO[{board}]B[d3]W[c5]B[f6];)")
    book = str(tmp_path / "opening.book")
    run = CliRunner().invoke
    app = make_app()
    done = run(app, ["book", "build", "othello", str(record), "--out", book, "--games", "0"])
    assert done.exit_code == 0, done.output
    assert "3 positions of 1 games" in done.output
    assert "d3" in run(app, ["book", "probe", book]).output
    assert "not in the book" in run(app, ["book", "probe", book, "d3e3"]).output
    assert "1 games, 0 new" in run(app, ["book", "learn", book, str(record)]).output
    for option in ("--analyze", "--analyse"):  # the second is an older spelling
        words = ["book", "build", "othello", str(record), "--out", f"{book}{option}", "--games", "0"]
        assert "1 analyzed" in run(app, [*words, option, "1", "--seconds", "0.05"]).output
