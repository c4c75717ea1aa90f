"""Games as text, and the two endings by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from kibitz.errors import BadOption, BadPosition, BadRecord
from kibitz.games.uttt import Position
from kibitz.games.uttt.records import read


def test_moves_from_the_start() -> None:
    expected = Position().play("44", "40", "04")
    for text in ("44 40 04", "444004", " 4/4 40 0.4 "):
        (game,) = read(text)
        assert game == expected
        assert game.moves == ("44", "40", "04")
    (other,) = read("codingame 44 40")
    assert other == Position(rules="codingame").play("44", "40")


def test_a_file_has_a_game_a_line(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text(f"# two games\n44 40\n\n{Position().play('44').notation}\n")
    assert [game.notation for game in read(str(path))] == [
        Position().play("44", "40").notation,
        Position().play("44").notation,
    ]
    path.write_text("44 40\n44 99\n")
    with pytest.raises(BadRecord, match="line 2: not a move"):
        read(str(path))
    with pytest.raises(BadRecord, match="illegal move 45"):
        read("44 45 45")


def test_the_ending_by_name() -> None:
    start = Position(rules="codingame")
    assert start.rules == "codingame"
    assert Position("codingame") == start
    assert Position(Position().notation, rules="codingame") == start
    assert Position("standard") == Position(rules="standard") == Position()
    assert start.play("44").notation.endswith(" o 4 codingame")
    with pytest.raises(BadOption, match="standard or codingame"):
        Position(rules="chess")
    with pytest.raises(BadPosition, match="of codingame rules, not of standard"):
        Position(start.notation, rules="standard")
