"""How much stronger is A than B: score, Elo, normalized Elo, likelihood of superiority, 95% intervals.

    >>> from kibitz.arena import elo
    >>> estimate = elo.from_pairs([34, 54, 63, 64, 75])      # pairs lost 0-2, 0.5-1.5, drawn, 1.5-0.5, 2-0
    >>> round(estimate.elo.value, 2), round(estimate.elo.error, 2)
    (55.58, 27.65)

The pair, not the game, is the sample where games come in pairs: both games of a pair start from the same
opening with colours swapped, so their results are not independent, and counting pairs gives a narrower,
honest interval.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

#: The score of A in a pair, as a fraction; the order of every list of pair counts in this package.
PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
#: The score of A in one game: loss, draw, win.
GAME_SCORES = (0.0, 0.5, 1.0)

#: One unit of (mean - 1/2) / deviation in a single game, in normalized Elo.
NELO_SCALE = 800.0 / math.log(10.0)

_CONFIDENCE_TAIL = 0.025
_Z95 = 1.959963984540054


@dataclass(frozen=True)
class Interval:
    """A value with its 95% interval. The bounds of an Elo may be infinite: nobody lost a game yet."""

    value: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Half the width, the number written after the plus-minus sign."""
        return (self.high - self.low) / 2.0


@dataclass(frozen=True)
class Estimate:
    """What a number of games says about A against B."""

    samples: int
    score: Interval
    elo: Interval
    nelo: Interval
    los: float


def score_of_elo(elo: float) -> float:
    """The score expected of a player who is `elo` stronger: `score_of_elo(0) == 0.5`."""
    return 1.0 / (1.0 + math.pow(10.0, -elo / 400.0))


def elo_of_score(score: float) -> float:
    """The Elo difference at which `score` is expected; infinite at 0 and 1 and beyond."""
    if score <= 0.0:
        return -math.inf
    if score >= 1.0:
        return math.inf
    return -400.0 * math.log10(1.0 / score - 1.0)


def from_wdl(wins: int, draws: int, losses: int) -> Estimate:
    """The estimate from single games, taken as independent."""
    return _estimate(GAME_SCORES, (losses, draws, wins), games_per_sample=1)


def from_pairs(counts: Sequence[int]) -> Estimate:
    """The estimate from pairs of games: how many pairs A scored 0, 1/2, 1, 3/2 and 2 points in."""
    if len(counts) != len(PAIR_SCORES):
        raise ValueError(f"pair counts are five numbers (0, 1/2, 1, 3/2, 2 points), not {len(counts)}")
    return _estimate(PAIR_SCORES, counts, games_per_sample=2)


def _estimate(values: Sequence[float], counts: Sequence[int], games_per_sample: int) -> Estimate:
    samples = sum(counts)
    if samples == 0:
        unknown = Interval(0.0, -math.inf, math.inf)
        return Estimate(0, Interval(0.5, 0.0, 1.0), unknown, unknown, 0.5)
    mean = sum(value * count for value, count in zip(values, counts, strict=True)) / samples
    variance = sum(count * (value - mean) ** 2 for value, count in zip(values, counts, strict=True)) / samples
    if max(counts) == samples:
        # Every sample is alike, so the deviation seen is 0 and the usual interval would have no width.
        return _estimate_of_equals(samples, mean)
    error = math.sqrt(variance / samples)
    score = Interval(mean, max(0.0, mean - _Z95 * error), min(1.0, mean + _Z95 * error))
    nelo_unit = NELO_SCALE / math.sqrt(games_per_sample * variance)
    nelo = Interval(
        (mean - 0.5) * nelo_unit,
        (mean - _Z95 * error - 0.5) * nelo_unit,
        (mean + _Z95 * error - 0.5) * nelo_unit,
    )
    los = 0.5 * math.erfc(-(mean - 0.5) / (error * math.sqrt(2.0)))
    return Estimate(samples, score, _elo_interval(score), nelo, los)


def _estimate_of_equals(samples: int, mean: float) -> Estimate:
    """All samples scored `mean`: an exact interval, and the sign test for the likelihood of superiority.

    Had this outcome a probability below q = 0.025^(1/n), n of n would be rarer than 2.5%; the rest of the
    probability, at most 1 - q, may sit anywhere between a lost and a won sample.
    """
    q = _CONFIDENCE_TAIL ** (1.0 / samples)
    score = Interval(mean, mean * q, mean * q + (1.0 - q))
    if mean == 0.5:
        return Estimate(samples, score, _elo_interval(score), Interval(0.0, -math.inf, math.inf), 0.5)
    doubt = 0.5 ** (samples + 1)
    nelo = Interval(math.copysign(math.inf, mean - 0.5), -math.inf, math.inf)
    return Estimate(samples, score, _elo_interval(score), nelo, 1.0 - doubt if mean > 0.5 else doubt)


def _elo_interval(score: Interval) -> Interval:
    return Interval(elo_of_score(score.value), elo_of_score(score.low), elo_of_score(score.high))
