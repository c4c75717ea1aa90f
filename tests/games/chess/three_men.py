"""King and pawn against king solved by going back from promotions, with code of its own: a second opinion on
what facts say of tables. Squares are 0 for a1 to 63 for h8, the pawn is White's."""

from __future__ import annotations

from collections import deque
from functools import cache

import chess

#: The white king, the black king, the pawn, and whether White is to move.
State = tuple[int, int, int, bool]


@cache
def _steps(square: int) -> tuple[int, ...]:
    return tuple(chess.SquareSet(chess.BB_KING_ATTACKS[square]))


def _captures(pawn: int) -> set[int]:
    return set(chess.SquareSet(chess.BB_PAWN_ATTACKS[chess.WHITE][pawn]))


def _promotes(white: int, black: int, pawn: int) -> bool:
    """Whether the pawn, on the seventh rank, becomes a queen or a rook that stays on the board."""
    goal = pawn + 8
    if goal in (white, black):
        return False
    return black not in _steps(goal) or white in _steps(goal)


def _black_moves(white: int, black: int, pawn: int) -> list[int | None]:
    """Where the black king can go; None takes the pawn."""
    moves: list[int | None] = []
    for to in _steps(black):
        if to in _steps(white) or to in _captures(pawn):
            continue
        moves.append(None if to == pawn else to)
    return moves


@cache
def _won(file: int) -> frozenset[State]:
    """The states with a pawn on the file that White wins."""
    won: set[State] = set()
    for pawn in range(48 + file, 7, -8):
        todo: deque[State] = deque()
        left: dict[tuple[int, int], int] = {}

        def win(state: State, todo: deque[State] = todo) -> None:
            if state not in won:
                won.add(state)
                todo.append(state)

        for white in range(64):
            for black in range(64):
                if pawn in (white, black) or white == black or black in _steps(white):
                    continue
                moves = _black_moves(white, black, pawn)
                # Without a move it is stalemate, or a mate that the pawn cannot give alone.
                left[white, black] = len(moves) if moves else -1
                if black in _captures(pawn):
                    continue  # White to move: the king could be taken
                ahead = pawn + 8
                if pawn >= 48:
                    if _promotes(white, black, pawn):
                        win((white, black, pawn, True))
                elif ahead not in (white, black):
                    far = ahead + 8 if pawn < 16 and ahead + 8 not in (white, black) else ahead
                    if (white, black, ahead, False) in won or (white, black, far, False) in won:
                        win((white, black, pawn, True))
        while todo:
            white, black, _, white_moved_next = todo.popleft()
            if white_moved_next:  # Black came here from a square that is near
                for origin in _steps(black):
                    if left.get((white, origin), -1) > 0 and black in _black_moves(white, origin, pawn):
                        left[white, origin] -= 1
                        if not left[white, origin]:
                            win((white, origin, pawn, False))
            else:
                for origin in _steps(white):
                    if (origin, black) in left and black not in _captures(pawn):
                        win((origin, black, pawn, True))
    return frozenset(won)


def pawn_wins(board: chess.Board) -> bool:
    """Of a board with two kings and a pawn: does its side win?"""
    if board.pieces(chess.PAWN, chess.BLACK):
        board = board.mirror()
    pawn = next(iter(board.pieces(chess.PAWN, chess.WHITE)))
    white, black = board.king(chess.WHITE), board.king(chess.BLACK)
    assert white is not None
    assert black is not None
    return (white, black, pawn, board.turn) in _won(chess.square_file(pawn))


def count() -> int:
    """The states that White wins with a pawn on the files a to d."""
    return sum(len(_won(file)) for file in range(4))
