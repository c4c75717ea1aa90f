"""The planes about style, written with python-chess from docs/style-training.md: slow, plain, and sharing no
code with Kibitz. A plane is a list of 64 numbers, a1 first, as the side to move sees the board."""

from __future__ import annotations

import chess

from tests.style.plain_metrics import CORNERS, HOMES

NAMES = (
    "locked_own",
    "locked_theirs",
    "tension",
    "control_own",
    "control_theirs",
    "fianchetto_own",
    "fianchetto_theirs",
    "centre_clock",
)
WIDE_CENTRE = [chess.square(file, rank) for file in range(2, 6) for rank in range(2, 6)]


def locked(board: chess.Board, side: chess.Color) -> dict[int, float]:
    ahead = 8 if side == chess.WHITE else -8
    enemy = chess.Piece(chess.PAWN, not side)
    return {
        square: 1.0
        for square in board.pieces(chess.PAWN, side)
        if 0 <= square + ahead < 64 and board.piece_at(square + ahead) == enemy
    }


def tension(board: chess.Board) -> dict[int, float]:
    levels = {}
    for side in chess.COLORS:
        for square in board.pieces(chess.PAWN, side):
            for target in board.attacks(square):
                if board.piece_at(target) == chess.Piece(chess.PAWN, not side):
                    levels[square] = levels[target] = 1.0
    return levels


def control(board: chess.Board, side: chess.Color) -> dict[int, float]:
    return {square: min(4, len(board.attackers(side, square))) / 4 for square in WIDE_CENTRE}


def fianchetto(board: chess.Board, side: chess.Color) -> dict[int, float]:
    levels = {}
    bishop, pawn = chess.Piece(chess.BISHOP, side), chess.Piece(chess.PAWN, side)
    for corner, (step, double) in CORNERS[side].items():
        made_room = pawn in (board.piece_at(step), board.piece_at(double))
        if board.piece_at(corner) == bishop and made_room:
            levels[corner] = 1.0
        elif board.piece_at(HOMES[corner]) == bishop:
            can_step = board.piece_at(corner) == pawn and board.piece_at(step) is None
            if can_step or (made_room and board.piece_at(corner) is None):
                levels[corner] = 0.5
    return levels


def centre_clock(start: chess.Board, moves: list[chess.Move]) -> int:
    """Plies since a d or e pawn stepped forward, else since the start."""
    board, since = start.copy(), 0
    for move in moves:
        pawn = board.piece_type_at(move.from_square) == chess.PAWN
        files = {chess.square_file(move.from_square), chess.square_file(move.to_square)}
        since = 0 if pawn and (files in ({3}, {4})) else since + 1
        board.push(move)
    return since


def planes(start: chess.Board, moves: list[chess.Move]) -> dict[str, list[float]]:
    board = start.copy()
    for move in moves:
        board.push(move)
    us, them = board.turn, not board.turn
    maps = {
        "locked_own": locked(board, us),
        "locked_theirs": locked(board, them),
        "tension": tension(board),
        "control_own": control(board, us),
        "control_theirs": control(board, them),
        "fianchetto_own": fianchetto(board, us),
        "fianchetto_theirs": fianchetto(board, them),
        "centre_clock": dict.fromkeys(range(64), min(24, centre_clock(start, moves)) / 24),
    }
    turned = (lambda square: square) if us == chess.WHITE else chess.square_mirror
    return {name: [levels.get(turned(square), 0.0) for square in range(64)] for name, levels in maps.items()}
