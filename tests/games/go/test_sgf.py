"""SGF in and out."""

from __future__ import annotations

from pathlib import Path

import pytest

from kibitz import go
from kibitz.errors import BadRecord
from kibitz.games.go import sgf

GAME = "(;GM[1]SZ[9]KM[7.5]RU[Chinese]PB[A \\] B]HA[2]AB[cc][gg];W[ee]C[x];B[tt](;W[aa];B[])(;W[bb]))"


def test_a_game_is_read_with_handicap_passes_and_names() -> None:
    record = sgf.read_text(GAME)[0]
    assert record.start.stones[2] == "..X......"
    assert record.start.rules == "chinese"
    assert record.moves == (("W", "E5"), ("B", "pass"), ("W", "A9"), ("B", "pass"))
    assert record.facts["PB"] == "A ] B"
    assert record.position().moves == ("E5", "pass", "A9", "pass")


def test_writing_and_reading_again_gives_the_same_game() -> None:
    record = sgf.read_text(GAME)[0]
    text = sgf.write(record, {0: "start ]", 2: "two\\"}, {1: [([("B", "C5"), ("W", "D5")], "a line")]})
    again = sgf.read_text(text)[0]
    assert again.moves == record.moves
    assert again.start == record.start
    assert again.facts["PB"] == "A ] B"
    assert "C[start \\]]" in text
    assert "a line" in text


def test_rectangles_points_as_rectangles_and_out_of_turn_moves() -> None:
    record = sgf.read_text("(;SZ[5:3]AB[aa:bb]PL[B];B[ec];B[ea])")[0]
    assert record.start.size == (5, 3)
    assert record.start.stones == ("XX...", "XX...", ".....")
    assert record.position().moves == ("E1", "B:E3")


def test_illegal_moves_of_other_rules_are_tolerated() -> None:
    record = sgf.read_text("(;SZ[5]RU[japanese];B[aa];W[tt];B[tt];W[cc];B[bb])")[0]
    assert len(record.positions()) == 6


def test_stones_set_up_in_the_middle_start_the_game_again() -> None:
    record = sgf.read_text("(;SZ[5];B[cc];W[dd];AE[cc]AB[aa];B[bb])")[0]
    assert record.start.stones[0][0] == "X"
    assert record.start.stones[2][2] == "."
    assert record.moves == (("B", "B4"),)
    assert "set up" in record.notes[0]


def test_strange_rules_and_komi_are_named() -> None:
    record = sgf.read_text("(;SZ[5]RU[Ruritanian]KM[375];B[cc])")[0]
    assert record.start.komi == 7.5
    assert "Ruritanian" in record.notes[0]


def test_collections_hold_several_games(tmp_path: Path) -> None:
    path = tmp_path / "games.sgf"
    path.write_text("(;SZ[5];B[aa])\n(;SZ[7];B[bb])")
    games = go.info().records.load
    assert games is not None
    assert [position.size for position in games(str(path))] == [(5, 5), (7, 7)]


@pytest.mark.parametrize(
    "text", ["(;SZ[25])", "(;SZ[x])", "(;SZ[9];B[zz])", "nonsense", "(;SZ[5]AB[aa:zz])", "(;", "()"]
)
def test_broken_records_say_so(text: str) -> None:
    with pytest.raises(BadRecord):
        sgf.read(text)
