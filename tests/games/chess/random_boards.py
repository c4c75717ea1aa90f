"""Random chess positions that python-chess made, to compare with."""

from __future__ import annotations

import random

import chess


def random_boards(count: int, seed: int, chess960: bool = False) -> list[chess.Board]:
    """Boards from random games, some from each, with the moves that led to them."""
    rng = random.Random(seed)
    boards: list[chess.Board] = []
    while len(boards) < count:
        board = chess.Board.from_chess960_pos(rng.randrange(960)) if chess960 else chess.Board()
        for _ in range(rng.randrange(1, 160)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
            if rng.random() < 0.06:
                boards.append(board.copy())
        boards.append(board)
    return boards[:count]
