"""`kibitz analyze game.sgf`: table, mistakes, annotated record, picture."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kibitz.cli.app import make_app
from kibitz.cli.review import curve
from kibitz.games.go import Position, sgf
from kibitz.games.go.review import GoRecord
from kibitz.review.records import Record, Turn

GAME = "(;SZ[5]KM[0.5]RU[chinese];B[cc];W[bb];B[tt];W[dd])"


def run(*words: str) -> str:
    result = CliRunner().invoke(make_app(), ["analyze", *words])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_game_gives_a_table_a_record_and_a_picture(tmp_path: Path) -> None:
    game, out, picture = tmp_path / "game.sgf", tmp_path / "out.sgf", tmp_path / "out.svg"
    game.write_text(GAME)
    text = run(str(game), "--simulations", "100", "--save", str(out), "--picture", str(picture))
    assert "black wins" in text
    assert "istakes" in text
    again = sgf.read(str(out))[0]
    assert again.moves == sgf.read(str(game))[0].moves
    assert out.read_text().count("Black ") >= 4
    assert ElementTree.fromstring(picture.read_text()).tag.endswith("svg")


def test_the_same_as_data(tmp_path: Path) -> None:
    game = tmp_path / "game.sgf"
    game.write_text(GAME)
    rows = json.loads(run(str(game), "--simulations", "50", "--json"))
    assert [row["played"] for row in rows] == ["C3", "B4", "pass", "D2"]
    assert all(0 <= row["winrate"] <= 1 and row["loss"] >= 0 for row in rows)


def test_mistakes_get_the_better_line_as_a_variation() -> None:
    record = sgf.read_text(GAME)[0]
    turns = [
        Turn(1, "black", "C3", "C3", ("C3",), 0.6, 2.0, 0.0, 0.0),
        Turn(2, "white", "B4", "D4", ("D4", "B2", "A1"), 0.9, 8.0, 0.3, 6.0, "blunder"),
    ]
    text = GoRecord(record).annotated(turns)
    assert "blunder\ncost 30.0%\n6.0 points\nbetter D4" in text
    korean = GoRecord(record).annotated(turns, "ko")
    assert "흑 90.0%" in korean
    assert "대실수" in korean
    assert "cost" not in korean
    assert "W[db]" in text
    assert "B[bd]" in text
    assert sgf.read_text(text)[0].moves == record.moves
    assert "#cf222e" in curve(turns, "black")


def test_other_files_are_refused_with_a_reason() -> None:
    result = CliRunner().invoke(make_app(), ["analyze", "othello"])
    assert "needs a position" in str(result.exception)


@pytest.mark.parametrize("text", ["(;SZ[5])", "nonsense"])
def test_games_without_moves_are_refused(tmp_path: Path, text: str) -> None:
    game = tmp_path / "game.sgf"
    game.write_text(text)
    result = CliRunner().invoke(make_app(), ["analyze", str(game)])
    assert result.exit_code != 0


def test_review_ends_where_play_stopped() -> None:
    """That the players agreed on a score is no move; that they played on is one without a search."""
    end = Position(5, rules="japanese").play("C3", "pass", "pass", "resume", "pass", "pass")
    record = Record(end.play("count"))
    assert record.moves == list(end.moves)
    assert not record.can_include(record.positions[3], "resume")
