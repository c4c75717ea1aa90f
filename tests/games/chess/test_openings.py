"""Names of openings: every line is legal, and a game has the name of the last position that has one."""

from __future__ import annotations

import chess as python_chess

from kibitz.games.chess import Position
from kibitz.games.chess.openings import named_lines, opening_of


def test_every_line_is_legal_and_has_a_position_of_its_own() -> None:
    lines = named_lines()
    assert len(lines) > 300
    seen = set()
    for name, moves in lines:
        board = python_chess.Board()
        for move in moves:
            parsed = board.parse_san(move)
            assert board.san(parsed) == move, name
            board.push(parsed)
        seen.add(board.epd())
    assert len(seen) == len(lines) == len({name for name, _ in lines})


def test_name_of_the_last_known_position() -> None:
    start = Position()
    assert opening_of(start) == ""
    najdorf = start.play("e4", "c5", "Nf3", "d6", "d4", "cxd4", "Nxd4", "Nf6", "Nc3", "a6")
    assert opening_of(najdorf) == "Sicilian Defence, Najdorf Variation"
    assert opening_of(najdorf.play("Rg1", "h5")) == "Sicilian Defence, Najdorf Variation"
    # Another order of moves.
    assert opening_of(start.play("c4", "e6", "d4", "d5")) == "Queen's Gambit Declined"
    assert opening_of(Position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").play("e4")) == ""
