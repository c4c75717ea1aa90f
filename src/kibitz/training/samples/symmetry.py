"""Symmetries of a board as permutations of its points and of a policy, for whole batches."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.games import registry

Indices = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Symmetries:
    """`points` [symmetries, points] and `policy` [symmetries, policy]: where what stands there comes from.
    `to_policy` is the other way: where a policy's output goes."""

    points: Indices
    policy: Indices
    to_policy: Indices

    @property
    def count(self) -> int:
        return len(self.points)


@cache
def symmetries_of(game: str, rows: int, columns: int) -> Symmetries:
    """The symmetries of the game's board, the same for all its positions. Chess has one that changes nothing:
    whether a position may be mirrored depends on castling."""
    info = registry.get(game)
    start = info.sample and info.sample.start
    state: Any = start(rows, columns) if start else info.position().state
    numbers = range(state.symmetry_count)
    points = np.array([state.symmetric_points(number) for number in numbers], np.int64)
    policy = np.array([state.symmetric_policy(number) for number in numbers], np.int64)
    return Symmetries(np.argsort(points, axis=1), np.argsort(policy, axis=1), policy)
