from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.errors import BadRecord
from kibitz.games.othello import records
from kibitz.games.othello.records import Record, transcript
from tests.games.othello.plain_rules import Game
from tests.games.othello.records.record_strategies import full_games, games, read_or_refuse


@pytest.mark.parametrize(
    "text",
    [
        "f5d6c3d3",
        "F5D6C3D3",
        "F5 d6 C3\td3",
        "f5,d6, c3,d3",
        "1. f5 d6 2. c3 d3",
        "f5d6  % a comment",
        "f5d6\n c3d3",
    ],
)
def test_spellings(text: str) -> None:
    (record,) = transcript.read(text)
    assert ("f5", "d6", "c3", "d3")[: len(record.moves)] == record.moves
    assert len(record.moves) in (2, 4)
    assert records.read(text) == (record,)


def test_one_game_a_line() -> None:
    assert [game.moves for game in transcript.read("f5d6\n\n# two\nd3c3\n")] == [("f5", "d6"), ("d3", "c3")]


@given(full_games(), st.sampled_from(["pass", "PA", "ps", "--", ""]), st.sampled_from(["", " ", ", "]))
def test_pass_marks(moves: tuple[str, ...], mark: str, gap: str) -> None:
    text = gap.join(mark if move == "pass" else move.upper() for move in moves)
    (record,) = transcript.read(text)
    assert record.moves == moves
    game = Game()
    for move in moves:
        game.play(move)
    assert record.score == game.final_score()


def test_marked_passes_after_the_end_are_dropped() -> None:
    moves = "f5d6c5f4e3f6g5e6e7"
    assert transcript.read(moves + "----")[0].moves == transcript.read(moves)[0].moves


@given(games(), st.booleans())
def test_round_trip(moves: tuple[str, ...], passes: bool) -> None:
    text = transcript.write([Record(moves=moves)], passes=passes)
    (back,) = transcript.read(text)
    # A pass at the very end cannot be seen when passes are left out.
    trimmed = moves if passes or moves[-1] != "pass" else moves[:-1]
    assert back.moves == trimmed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "found none"),
        ("% nothing", "found none"),
        ("f5d6\nf5f5", r"line 2: move 2 \(f5\) is illegal for white, expected one of"),
        ("f5x9", "expected a square such as f5 at column 3, got 'x9'"),
        ("f5--", r"move 2 \(pass\) is illegal for white"),
        ("f5d6c5f4e3f6g5e6e7a1", "comes after the end of the game"),
        ("1.", "expected moves"),
    ],
)
def test_mistakes(text: str, expected: str) -> None:
    with pytest.raises(BadRecord, match=expected):
        transcript.read(text)


def test_only_games_from_the_start_can_be_written() -> None:
    with pytest.raises(BadRecord, match="start position"):
        transcript.write([Record(start="X" * 63 + "O X")])
    with pytest.raises(BadRecord, match="at least one move"):
        transcript.write([Record()])


@given(st.text(max_size=80) | st.text("abcdefgh12345678pPaAsS- .,\n", max_size=80))
def test_any_text(text: str) -> None:
    read_or_refuse(lambda: transcript.read(text))
