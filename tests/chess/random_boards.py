"""Random chess positions that python-chess made, to compare with."""

from __future__ import annotations

import random

import chess


def random_boards(count: int, seed: int, chess960: bool = False) -> list[chess.Board]:
    """Boards from random games, each with the moves that led to it."""
    rng = random.Random(seed)
    boards = []
    while len(boards) < count:
        board = chess.Board.from_chess960_pos(rng.randrange(960)) if chess960 else chess.Board()
        for _ in range(rng.randrange(1, 120)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
        boards.append(board)
    return boards
