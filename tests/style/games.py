"""Games to measure: random ones, seeded, and the well-known openings where the shared data are there."""

from __future__ import annotations

import random
import zipfile

import chess
import pytest

from tests.paths import SHARED

BOOK = SHARED / "data" / "chess" / "8moves_v3.pgn.zip"
MAIA = SHARED / "nets" / "maia-1900.pb.gz"

needs_book = pytest.mark.skipif(not BOOK.is_file(), reason="the shared opening book is not there")
needs_maia = pytest.mark.skipif(not MAIA.is_file(), reason="the shared network is not there")


def book_text(games: int) -> str:
    """The first games of the opening book."""
    with zipfile.ZipFile(BOOK) as packed:
        text = packed.read("8moves_v3.pgn").decode()
    parts = text.split("[Event ")[1 : games + 1]
    return "".join("[Event " + part for part in parts)


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
