"""A network as a search calls it, whatever its family."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from kibitz import _native

if TYPE_CHECKING:
    from kibitz.nets.runtime import Network

Array = npt.NDArray[np.float32]

#: The details that follow win, draw, loss and score in an outcome, in the order of
#: native/evaluate/callout.h.
_DETAILS = (
    "score_stdev",
    "lead",
    "var_time_left",
    "shortterm_winloss_error",
    "shortterm_score_error",
    "style",
    "mover_style",
)
#: What they are where the network does not tell.
_UNKNOWN = np.array([0, 0, -1, -1, -1, -1, -1], np.float32)


class SearchNetwork:
    """Policy, outcomes with the details that a search uses, ownership where the network has that head.

    >>> engine = kibitz.Engine("go", network=kibitz.nets.load("b6c96.bin.gz"))
    """

    def __init__(self, network: Network) -> None:
        self.network = network
        #: What the core asks without planes, where the network is no graph.
        self.core = network.definition.core
        details = network.details
        #: Whether calls take a third array: the policy optimism of each position.
        self.uses_optimism = "optimism" in network.definition.inputs
        self.has_ownership = "ownership" in network.definition.heads
        #: Whether outcomes predict the style of the game.
        self.predicts_style = "style" in details
        known = [name for name in _DETAILS if name in details]
        named = _DETAILS[: _DETAILS.index(known[-1]) + 1] if known else ()
        self._columns = [details.index(name) if name in details else -1 for name in named]

    def __call__(self, planes: Array, numbers: Array, optimism: Array | None = None) -> tuple[Array, ...]:
        answer = self.network.evaluate(planes, numbers, optimism)
        details = np.tile(_UNKNOWN[: len(self._columns)], (len(planes), 1))
        for at, column in enumerate(self._columns):
            if column >= 0:
                details[:, at] = answer.details[:, column]
        outcomes = np.concatenate([answer.outcomes, details], axis=1)
        both = answer.policy, np.ascontiguousarray(outcomes)
        return both if answer.ownership is None else (*both, answer.ownership)

    def direct(self, rows: int, columns: int) -> _native.DirectNetwork | None:
        """What the core calls without a way through Python, if the network runs in the core."""
        return self.network.direct(rows, columns, self._columns)
