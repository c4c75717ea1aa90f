"""KataGo's networks as the search calls them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["GoNetwork"]

Array = npt.NDArray[np.float32]

#: What of a network's details goes with the outcome, in the order of native/evaluate/callout.h.
_DETAILS = ("score_stdev", "lead", "var_time_left", "shortterm_winloss_error", "shortterm_score_error")


class GoNetwork:
    """Wraps a loaded network (`kibitz.nets.load`): policy, outcomes with their details, ownership.

    >>> engine = kibitz.Engine("go", network=kibitz.nets.load("b6c96.bin.gz"))
    """

    def __init__(self, network: Any) -> None:
        self.network = network
        self._columns = [network.details.index(name) for name in _DETAILS]

    def __call__(self, planes: Array, numbers: Array) -> tuple[Array, Array, Array]:
        answer = self.network.evaluate(planes, numbers)
        outcomes = np.concatenate([answer.outcomes, answer.details[:, self._columns]], axis=1)
        return answer.policy, np.ascontiguousarray(outcomes), answer.ownership

    def direct(self, rows: int, columns: int) -> Any:
        return self.network.direct(rows, columns, self._columns)
