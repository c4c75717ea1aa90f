"""Random games to measure, seeded. Benchmarks use them too, where there is no pytest."""

from __future__ import annotations

import random

import chess


def random_game(seed: int, plies: int, quiet: bool = True) -> tuple[chess.Board, list[chess.Move]]:
    """A random game; with `quiet` mostly pawns and developing moves, so that structures arise."""
    chance = random.Random(seed)
    start = chess.Board()
    board = start.copy()
    moves: list[chess.Move] = []
    while len(moves) < plies and not board.is_game_over():
        legal = list(board.legal_moves)
        calm = [move for move in legal if not board.is_capture(move)]
        move = chance.choice(calm if quiet and calm and chance.random() < 0.9 else legal)
        moves.append(move)
        board.push(move)
    return start, moves
