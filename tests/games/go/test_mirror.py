"""Mirror Go is recognized as KataGo recognizes it, and the moves that end it are known."""

from __future__ import annotations

from kibitz.games.go import Position
from kibitz.games.go.mirror import breaking_moves, is_mirrored

#: Black's moves on 9x9; the reply to each is the point opposite the centre.
MOVES = [f"{column}{row}" for row in (2, 3) for column in "ABCDEFGHJ"]
COLUMNS = "ABCDEFGHJ"


def reply(vertex: str) -> str:
    return f"{COLUMNS[8 - COLUMNS.index(vertex[0])]}{10 - int(vertex[1])}"


def game(pairs: int) -> Position:
    position = Position(9)
    for vertex in MOVES[:pairs]:
        position = position.play(vertex, reply(vertex))
    return position


def test_fourteen_mirrored_replies_are_needed() -> None:
    assert [pairs for pairs in range(len(MOVES)) if is_mirrored(game(pairs))] == [14, 15, 16, 17]


def test_a_last_move_of_its_own_ends_it() -> None:
    assert not is_mirrored(game(15).play("G3", "E5"))
    # One of its own in between, then mirrored again: 16 of 17.
    assert is_mirrored(game(16).play("J1", "B9").play("H3", "B7"))


def test_it_is_the_opponent_who_mirrors() -> None:
    assert not is_mirrored(game(15).play("G3"))  # White's turn: Black mirrors nobody


def test_moves_that_break_it() -> None:
    assert breaking_moves(game(15)) == {"E5": 0.06}
    taken = Position(9).play("A1", "E5")
    around = breaking_moves(taken)
    assert around["D4"] == around["E4"] == 0.01
    assert around["E3"] == 0.005
    assert len(around) == 12
    assert breaking_moves(Position(9).play("E5", "A1")) == {}  # the centre is our own
    assert breaking_moves(Position(8)) == {}
