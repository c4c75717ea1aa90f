"""Connect Four of examples/connect_four.py, against published numbers and plain rules that share no code."""

from __future__ import annotations

import random
from functools import cache

import pytest

import kibitz
from examples import connect_four
from kibitz.games import registry

#: Lines of play by depth: powers of 7, and at depth 7 less the seven that overfill a column. The first win is
#: made at ply 7, which ends no shorter line.
PERFT = (1, 7, 49, 343, 2401, 16807, 117649, 823536)


def start() -> kibitz.games.base.Position:
    return registry.get("connect_four").position()


def test_perft() -> None:
    perft = registry.get("connect_four").perft
    assert perft is not None
    assert tuple(perft(start(), depth) for depth in range(8)) == PERFT


def plain_winner(board: list[list[str]]) -> str:
    """Who has four in a row on a board of rows from above, by looking along every line."""
    for row, column in ((row, column) for row in range(6) for column in range(7)):
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            cells = [(row + n * down, column + n * right) for n in range(4)]
            if all(0 <= y < 6 and 0 <= x < 7 for y, x in cells):
                found = {board[y][x] for y, x in cells}
                if found in ({"x"}, {"o"}):
                    return found.pop()
    return ""


@pytest.mark.parametrize("seed", range(40))
def test_random_games_by_plain_rules(seed: int) -> None:
    dice = random.Random(seed)
    position = start()
    board = [["."] * 7 for _ in range(6)]
    while True:
        ply = len(position.moves)
        free = ["abcdefg"[x] for x in range(7) if board[0][x] == "."]
        winner = plain_winner(board)
        assert position.notation == "/".join("".join(row) for row in board)
        assert position.to_move == ply % 2
        assert position.result == ({"x": 1.0, "o": 0.0}.get(winner) if winner else None if free else 0.5)
        assert position.legal_moves == (() if winner or not free else tuple(free))
        if position.is_over:
            return
        move = dice.choice(free)
        x = "abcdefg".index(move)
        y = max(row for row in range(6) if board[row][x] == ".")
        board[y][x] = "xo"[ply % 2]
        position = position.play(move)


def test_a_full_board_without_four_is_a_draw() -> None:
    moves = "ddacfefgeccddffcceddbbcbffaeaeeggggabagabb"
    position = start().play(*moves)
    assert not plain_winner([list(row) for row in position.notation.split("/")])
    assert "." not in position.notation
    assert position.result == 0.5
    assert str(position).endswith("a draw")


@cache
def solved(red: int, yellow: int) -> int:
    """The first side's result in half points, by trying everything."""
    position = connect_four.ConnectFour(red, yellow)
    result = position.result()
    if result is not None:
        return int(2 * result)
    values = [solved(*position.play(move).stones) for move in position.moves()]
    return min(values) if position.to_move() else max(values)


def late_positions(count: int) -> list[kibitz.games.base.Position]:
    """Positions of random games with at most nine free cells."""
    found = []
    for seed in range(1000):
        dice = random.Random(seed)
        position = start()
        while not position.is_over and position.notation.count(".") > 9:
            position = position.play(dice.choice(position.legal_moves))
        if not position.is_over:
            found.append(position)
        if len(found) == count:
            break
    return found


def test_search_proves_what_trying_everything_finds() -> None:
    positions = late_positions(12)
    assert len(positions) == 12
    seen = set()
    for position in positions:
        report = kibitz.analyze(position, simulations=20_000)
        value = solved(*position.state.position.stones)
        mine = value if position.to_move == 0 else 2 - value
        seen.add(mine)
        assert report.root.proven == {0: "loss", 1: "draw", 2: "win"}[mine]
    assert len(seen) >= 2


def test_a_threat_is_answered() -> None:
    """Three red discs in a column: every move but one loses at once."""
    position = start().play("d", "e", "d", "e", "d")
    report = kibitz.analyze(position, simulations=400)
    assert report.best == "d"
    losing = {info.move for info in report.moves if info.proven == "loss"}
    assert losing == {"a", "b", "c", "e", "f", "g"}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("......./.......", "six rows of seven cells"),
        ("......./......./......./......./......./...o...", "red has as many discs"),
        ("......./......./......./......./...x.../.......", "empty cell below"),
    ],
)
def test_impossible_positions(text: str, complaint: str) -> None:
    with pytest.raises(kibitz.errors.BadPosition, match=complaint):
        registry.get("connect_four").position(text)
