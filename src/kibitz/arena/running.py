"""How a match stood after each pair: what its pictures are drawn from.

>>> [round(one.estimate.score.value, 3) for one in running([2, 4, 3])]
[0.5, 0.75, 0.75]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kibitz.arena import elo
from kibitz.arena.sprt import Sprt

#: More points than a picture can show.
_MOST = 300


@dataclass(frozen=True)
class Standing:
    """After so many pairs: the estimate, and how far a sequential test had come."""

    pairs: int
    estimate: elo.Estimate
    llr: float | None = None


def running(half_points: Sequence[int], sprt: Sprt | None = None, most: int = _MOST) -> list[Standing]:
    """The standings of a match, thinned out to `most`; `half_points` is what A made in each pair, 0 to 4,
    as in `Tally.history`."""
    counts = [0] * len(elo.PAIR_SCORES)
    step = -(-len(half_points) // most) or 1
    standings = []
    for pairs, points in enumerate(half_points, start=1):
        counts[points] += 1
        if pairs % step == 0 or pairs == len(half_points):
            llr = sprt.llr_of_pairs(counts) if sprt else None
            standings.append(Standing(pairs, elo.from_pairs(counts), llr))
    return standings
