"""What a seat believes about hidden pieces.

>>> from kibitz.games import junqi
>>> belief = believe(junqi.Position().view("S"))
>>> sorted(belief.possible("E62"))[:3]
['1', '2', '3']
>>> round(sum(belief.chances("E62").values()), 3)
1.0
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kibitz import _native
from kibitz.errors import BadRequest
from kibitz.games.junqi.pieces import SEATS
from kibitz.games.junqi.position import View
from kibitz.games.junqi.weights import Weights


@dataclass(frozen=True)
class Belief:
    """Kinds, chances and whole assignments, all from one view."""

    view: View
    native: _native.JunqiBelief

    def _piece(self, node: str) -> int:
        try:
            piece = int(self.view.state.piece_at(node))
        except ValueError as error:
            raise BadRequest(str(error)) from None
        if piece < 0:
            raise BadRequest(f"no piece stands on {node}")
        return piece

    def possible(self, node: str) -> str:
        """Letters of the kinds the piece on a node can still be."""
        return self.native.possible(self._piece(node))

    def chances(self, node: str) -> Mapping[str, float]:
        """The chance of each kind."""
        return self.native.chances(self._piece(node))

    def layouts(self) -> tuple[Mapping[str, str], ...]:
        """Sampled assignments as layouts by seat: each agrees with everything the seat has seen."""
        return tuple(
            {
                SEATS[seat]: _native.junqi_layout_text(letters[25 * seat : 25 * seat + 25])
                for seat in range(4)
                if letters[25 * seat] != "?"
            }
            for letters in self.native.worlds()
        )


def believe(view: View, *, weights: Weights | None = None, samples: int = 96, seed: int = 1) -> Belief:
    """The beliefs that follow from a view; the same seed gives the same samples."""
    chosen = weights or Weights.of(view.players)
    return Belief(view, _native.junqi_believe(view.state, chosen.native, samples, seed))
