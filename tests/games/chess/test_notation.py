"""SAN as python-chess writes and reads it."""

from __future__ import annotations

import random

from kibitz.games.chess import Position
from tests.games.chess.random_boards import random_boards


def test_san_both_ways() -> None:
    rng = random.Random(5)
    for board in random_boards(150, seed=6) + random_boards(150, seed=7, chess960=True):
        position = Position(board.fen())
        if board.chess960 and not position.chess960:
            position = position.as_chess960()
        moves = list(board.legal_moves)
        for move in rng.sample(moves, min(12, len(moves))):
            san = board.san(move)
            assert position.san(move.uci()) == san
            assert position.state.move_text(position.state.parse_move(san)) == move.uci()


def test_what_programs_write() -> None:
    position = Position("r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1")
    for text, move in {
        "0-0": "e1g1",
        "O-O-O!?": "e1c1",
        "bxa8Q+": "b7a8q",
        "b7-b8=N": "b7b8n",
        "Ra1xa8+": "a1a8",
        "e1h1": "e1g1",
    }.items():
        assert position.state.move_text(position.state.parse_move(text)) == move
