"""Two teachers in one: a network's policy is broad, an engine's search sees what the network overlooks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from kibitz.errors import BadOption
from kibitz.training.teachers.judgement import Judgement, Teacher


class MixedTeacher:
    """The weighted mean of what two teachers say: `policy` and `value` are the second one's weights. What
    only one of them judges is that one's judgement."""

    def __init__(self, first: Teacher, second: Teacher, *, policy: float = 0.5, value: float = 1.0) -> None:
        for name, weight in (("policy", policy), ("value", value)):
            if not 0 <= weight <= 1:
                raise BadOption(f"the second teacher's weight in the {name} is from 0 to 1, got {weight!r}")
        self._first, self._second = first, second
        self._policy, self._value = policy, value
        self.name = f"{first.name} + {second.name} (policy {policy:g}, value {value:g})"

    def judge(self, positions: Sequence[Any]) -> list[Judgement | None]:
        pairs = zip(self._first.judge(positions), self._second.judge(positions), strict=True)
        return [mixed(first, second, self._policy, self._value) for first, second in pairs]

    def close(self) -> None:
        self._first.close()
        self._second.close()


def mixed(first: Judgement | None, second: Judgement | None, policy: float, value: float) -> Judgement | None:
    """The weighted mean of two judgements; score and ownership are the first one's.

    >>> one = Judgement([1, 2], np.array([0.5, 0.5], np.float32), (1.0, 0.0, 0.0))
    >>> two = Judgement([2], np.array([1.0], np.float32), (0.0, 1.0, 0.0))
    >>> both = mixed(one, two, 0.5, 0.25)
    >>> both.moves, both.shares.tolist(), both.value
    ([1, 2], [0.25, 0.75], (0.75, 0.25, 0.0))
    """
    if first is None or second is None:
        return first or second
    shares = {
        move: (1 - policy) * share for move, share in zip(first.moves, first.shares.tolist(), strict=True)
    }
    for move, share in zip(second.moves, second.shares.tolist(), strict=True):
        shares[move] = shares.get(move, 0.0) + policy * share
    win, draw, loss = (
        (1 - value) * one + value * two for one, two in zip(first.value, second.value, strict=True)
    )
    return replace(
        first, moves=list(shares), shares=np.array(list(shares.values()), np.float32), value=(win, draw, loss)
    )
