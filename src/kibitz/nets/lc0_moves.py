"""The 1858 moves of an Lc0 policy, by rule.

A move is written from the mover's side (the board turned for black): first every queen and knight step
between two squares, ordered by the square left and then by the square reached; then the promotions to queen,
rook and bishop (a knight needs no mark), ordered by the square left, the square reached and the piece.
Castling is the king's step onto its own rook.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

CONV_PLANES = 73

_QUEEN = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
_KNIGHT = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def _name(square: int) -> str:
    return "abcdefgh"[square % 8] + "12345678"[square // 8]


def _reached(square: int, step: tuple[int, int], times: int = 1) -> int | None:
    column, row = square % 8 + times * step[0], square // 8 + times * step[1]
    return 8 * row + column if 0 <= column < 8 and 0 <= row < 8 else None


def _plane_steps() -> list[tuple[int, int, str]]:
    """What each of the 73 planes of a convolutional policy stands for: columns, rows, promotion."""
    steps = [(times * x, times * y, "") for x, y in _QUEEN for times in range(1, 8)]
    steps += [(x, y, "") for x, y in _KNIGHT]
    return steps + [(x, 1, piece) for x in (-1, 0, 1) for piece in "rbq"]


@cache
def moves() -> tuple[str, ...]:
    """The moves in the order of the policy.

    >>> moves()[:3], len(moves())
    (('a1b1', 'a1c1', 'a1d1'), 1858)
    """
    steps = [(x, y) for x, y, piece in _plane_steps() if not piece]
    plain = []
    for start in range(64):
        targets = sorted({end for step in steps if (end := _reached(start, step)) is not None})
        plain += [_name(start) + _name(end) for end in targets]
    promotions = []
    for start in range(48, 56):
        for x in (-1, 0, 1):
            end = _reached(start, (x, 1))
            if end is not None:
                promotions += [_name(start) + _name(end) + piece for piece in "qrb"]
    return (*plain, *promotions)


@cache
def conv_policy_places() -> npt.NDArray[np.int64]:
    """For each move, where a convolutional policy has it: plane * 64 + the square left."""
    index = {move: number for number, move in enumerate(moves())}
    places = np.full(len(index), -1, np.int64)
    for plane, (x, y, piece) in enumerate(_plane_steps()):
        for start in range(64):
            end = _reached(start, (x, y))
            if end is not None and (not piece or start // 8 == 6):
                places[index[_name(start) + _name(end) + piece]] = 64 * plane + start
    assert (places >= 0).all()
    return places


@cache
def attention_policy_places() -> tuple[npt.NDArray[np.int64], ...]:
    """Where an attention policy has its moves: the plain ones and the promotions as 64 * the square left +
    the square reached, and what is added to the promotions as 64 * the piece + the square reached."""

    def square(name: str) -> int:
        return "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)

    def place(move: str) -> int:
        return 64 * square(move[:2]) + square(move[2:4])

    promotions = [move for move in moves() if len(move) == 5]
    offsets = [64 * "qrb".index(move[4]) + square(move[2:4]) for move in promotions]
    plain = [place(move) for move in moves() if len(move) == 4]
    promoted = [place(move) for move in promotions]
    return tuple(np.array(places, np.int64) for places in (plain, promoted, offsets))
