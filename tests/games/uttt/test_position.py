"""Positions of ultimate tic-tac-toe: text, rules against the plain board, what the parser refuses."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kibitz
from kibitz.errors import BadPosition, IllegalMove
from kibitz.games.uttt import Position
from tests.games.uttt.plain_rules import Board

EMPTY = "/".join(["." * 9] * 9)


def test_the_notation_of_the_first_move() -> None:
    position = Position().play("44")
    assert position.notation == (
        "........./........./........./........./....X..../........./........./........./......... o 4"
    )
    assert position.constraint == 4
    assert Position(position.notation) == position
    assert Position().play("4/4") == Position().play("4.4") == position


def test_the_start() -> None:
    start = kibitz.uttt.Position()
    assert (start.to_move, start.mover, len(start.legal_moves)) == (0, "x", 81)
    assert (start.empties, start.open_boards, start.constraint, start.rules) == (81, 9, None, "standard")


@given(st.integers(0, 2**32), st.booleans())
def test_random_games_follow_the_plain_rules(seed: int, counted: bool) -> None:
    rng = random.Random(seed)
    position = Position(f"{EMPTY} x - codingame" if counted else None)
    plain = Board.read(position.notation)
    while not position.is_over:
        moves = position.legal_moves
        assert sorted(moves) == sorted(f"{b}{c}" for b, c in plain.moves())
        move = rng.choice(moves)
        position, plain = position.play(move), plain.play(int(move[0]), int(move[1]))
        assert Board.read(position.notation) == plain
        assert Position(position.notation) == position
        assert position.owners == plain.owners
        assert position.is_over == (plain.outcome is not None)
    assert position.result == {"X": 1.0, "O": 0.0, "=": 0.5}[plain.outcome or ""]
    assert position.legal_moves == ()


REST = "/........." * 7


@pytest.mark.parametrize(
    ("notation", "reason"),
    [
        ("", "got 0 fields"),
        (EMPTY + " x", "got 2 fields"),
        (EMPTY[1:] + " x -", "sub-board 0 has 8 cells"),
        (EMPTY[10:] + " x -", "expected nine sub-boards"),
        ("?" + EMPTY[1:] + " x -", "expected X, O or ."),
        (EMPTY + " z -", "side to move must be x or o"),
        (EMPTY + " x 9", "constraint must be 0 to 8"),
        (EMPTY + " x - other", "ending must be standard or codingame"),
        (EMPTY + " x 0", "first move is free"),
        (EMPTY + " o -", "one cell ahead"),
        ("XXX...OOO/........." + REST + " x -", "won by both sides"),
        ("XXXXXX.../OOO.OOO.." + REST + " x -", "no single move completes"),
        ("XXX....../OO......." + REST + " o 0", "closed"),
        ("....X..../........." + REST + " o 3", "no last move of X leads to sub-board 3"),
        ("....X..../........." + REST + " o -", "the constraint cannot be -"),
        (
            "XXX....../XXX....../XXX....../OO.OO..../OO.O...../OO......." + "/........." * 3 + " x -",
            "must be to move",
        ),
    ],
)
def test_impossible_boards_are_refused_with_the_reason(notation: str, reason: str) -> None:
    with pytest.raises(BadPosition, match=re.escape(reason)):
        Position(notation)


@given(st.text("XO./ xo-0123456789codingame", max_size=110))
def test_no_text_crashes_the_parser(text: str) -> None:
    try:
        position = Position(text)
    except BadPosition:
        return
    assert Position(position.notation) == position


@pytest.mark.parametrize("text", ["", "4", "444", "49", "a1", "4-4", "\uff14\uff14"])
def test_what_is_no_move(text: str) -> None:
    with pytest.raises(IllegalMove):
        Position().play(text)


def test_boards_for_people() -> None:
    position = Position().play("44", "40", "04")
    text = str(position)
    assert "o to move in sub-board 4" in text
    assert text.count("\n") == 11
    picture = position.svg()
    assert picture.startswith("<svg")
    assert picture.count("<circle") == 1  # one O
    assert picture.count('class="last"') == 1
