"""What a teacher says about a position, and the contract of teachers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Judgement:
    """For the side to move: `moves` (native) with their shares of the policy; `value` is win, draw, loss;
    `score` is NaN and `ownership` None where the teacher has none."""

    moves: Sequence[int]
    shares: Array
    value: tuple[float, float, float]
    score: float = float("nan")
    ownership: Array | None = None

    @property
    def q(self) -> float:
        return self.value[0] - self.value[2]


class Teacher(Protocol):
    """Threads: a teacher belongs to one thread."""

    #: What samples name as their source, with the digest of a file where there is one.
    name: str

    def judge(self, positions: Sequence[Any]) -> list[Judgement | None]:
        """One judgement for each native position, None where the teacher has nothing to say."""

    def close(self) -> None: ...


def from_scores(moves: Sequence[int], scores: Sequence[float], temperature: float) -> tuple[list[int], Array]:
    """Shares from expected scores (0 to 1) of moves: so much less than the best divides a share by e.

    >>> from_scores([1, 2], [0.5, 0.5], 0.05)[1].tolist()
    [0.5, 0.5]
    """
    worth = np.asarray(scores, np.float64)
    weights = np.exp((worth - worth.max()) / max(temperature, 1e-6))
    return list(moves), (weights / weights.sum()).astype(np.float32)
