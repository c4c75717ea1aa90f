"""Planes that show no chess position are refused by what reads them back, whatever is in them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kibitz
from kibitz import _native

Planes = npt.NDArray[np.float32]
KING, QUEEN = 5, 4


def shown(position: kibitz.chess.Position) -> Planes:
    planes, _ = position.state.encode()
    return np.ascontiguousarray(planes[None], np.float32)


def refused(planes: Planes, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        _native.chess_hand_view(planes)


def test_real_positions_are_read() -> None:
    scores, places, _ = _native.chess_hand_view(shown(kibitz.chess.Position()))
    assert scores.shape == (1, 3)
    assert (places < 1858).sum() == 20


def test_impossible_boards_are_refused() -> None:
    start = shown(kibitz.chess.Position())
    twice = start.copy()
    twice[0, QUEEN, 1] = 1  # on the pawns
    refused(twice, "two pieces on a square")
    kings = start.copy()
    kings[0, KING, 3, 3] = 1
    refused(kings, "2 kings")
    queens = start.copy()
    queens[0, QUEEN, 2:6] = 1
    refused(queens, "more pieces than its missing pawns")
    taken = start.copy()
    taken[0, 6, 6] = 0  # no black pawns: the queen on e4 takes the king
    taken[0, QUEEN, 0, 3], taken[0, QUEEN, 3, 4] = 0, 1
    refused(taken, "king is in check")


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32), st.floats(0.0, 1.0))
def test_random_planes_never_crash(seed: int, share: float) -> None:
    chance = np.random.default_rng(seed)
    planes = (chance.random((1, 112, 8, 8)) < share * chance.random((1, 112, 1, 1))).astype(np.float32)
    planes[:, [KING, 6 + KING]] = 0
    planes[0, :12, 0, 4] = planes[0, :12, 7, 4] = 0
    planes[0, KING, 0, 4] = planes[0, 6 + KING, 7, 4] = 1
    try:
        _, places, _ = _native.chess_hand_view(planes)
    except ValueError:
        return
    assert (places < 1858).sum() <= 218
