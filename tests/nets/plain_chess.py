"""Lc0's 112 planes made with python-chess: an oracle that shares no code with the engine."""

from __future__ import annotations

import chess
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float32]

_KINDS = (chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN, chess.KING)


def planes_of(board: chess.Board) -> Array:
    """The planes of a board with its history; where the game starts, the history ends."""
    mover = board.turn
    planes = np.zeros((112, 64), np.float32)
    past = board.copy()
    for step in range(8):
        for owner, first in ((mover, 0), (not mover, 6)):
            for kind, piece in enumerate(_KINDS):
                for square in past.pieces(piece, owner):
                    planes[13 * step + first + kind, _seen(square, mover)] = 1
        if past.is_repetition(2):
            planes[13 * step + 12] = 1
        if not past.move_stack:
            break
        past.pop()
    rights = (
        board.has_queenside_castling_rights(mover),
        board.has_kingside_castling_rights(mover),
        board.has_queenside_castling_rights(not mover),
        board.has_kingside_castling_rights(not mover),
    )
    for number, right in enumerate(rights):
        planes[104 + number] = right
    planes[108] = mover == chess.BLACK
    planes[109] = board.halfmove_clock
    planes[111] = 1
    return planes.reshape(112, 8, 8)


def _seen(square: int, mover: chess.Color) -> int:
    return square if mover == chess.WHITE else chess.square_mirror(square)


def policy_name(board: chess.Board, move: chess.Move) -> str:
    """The move as the policy writes it: from the mover's side, castling onto the rook, knights unmarked."""
    start, end = move.from_square, move.to_square
    if board.is_castling(move):
        row = chess.square_rank(start)
        end = chess.square(7 if board.is_kingside_castling(move) else 0, row)
    name = chess.square_name(_seen(start, board.turn)) + chess.square_name(_seen(end, board.turn))
    if move.promotion and move.promotion != chess.KNIGHT:
        name += chess.piece_symbol(move.promotion)
    return name


def find_move(board: chess.Board, text: str) -> chess.Move:
    """A move as Lc0 prints it: castling may be the king's step onto its rook."""
    for move in board.legal_moves:
        if text == move.uci():
            return move
        if board.is_castling(move):
            row = text[1]
            side = "h" if board.is_kingside_castling(move) else "a"
            if text == f"e{row}{side}{row}":
                return move
    raise AssertionError(f"{text} is no move of {board.fen()}")
