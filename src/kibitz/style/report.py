"""Two sets of games side by side: means, the shift in standard deviations with its interval, a KS test.

>>> comparison = compare(measure_pgn("off.pgn"), measure_pgn("medium.pgn"), load_norm())   # doctest: +SKIP
>>> comparison["s"].shift.value, comparison["s"].ks.p                                     # doctest: +SKIP
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from kibitz.errors import BadRecord
from kibitz.style.metrics import CHARACTER, METRICS, Array, Games, name_of
from kibitz.style.norm import Norm
from kibitz.style.s2 import load_s2

#: Standard errors of a 95% interval.
_Z = 1.959964


@dataclass(frozen=True)
class Summary:
    """A measure over many games."""

    mean: float
    sd: float
    min: float
    median: float
    max: float


@dataclass(frozen=True)
class Interval:
    """An estimate with its 95% interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Ks:
    """The two-sample Kolmogorov-Smirnov test: the greatest distance of the distributions, and how likely one
    as great is when they are the same."""

    statistic: float
    p: float


@dataclass(frozen=True)
class Row:
    """One measure in both sets. `shift` is (mean of B - mean of A) / standard deviation of A; None where A
    does not vary."""

    metric: str
    name: str
    a: Summary
    b: Summary
    shift: Interval | None
    ks: Ks


@dataclass(frozen=True)
class Comparison:
    r"""The report of two sets of games; `comparison["s"]` is the style score's row.

    >>> from kibitz.style import load_norm, measure_pgn
    >>> games = measure_pgn(b"1. Nf3 d5 2. g3 *\n\n1. e4 e5 *")
    >>> len(compare(games, games, load_norm()).rows) > 3
    True
    """

    rows: tuple[Row, ...]
    games: tuple[int, int]
    #: Games with fewer plies than the window, in each set.
    short: tuple[int, int]
    norm: Norm

    def __getitem__(self, metric: str) -> Row:
        return next(row for row in self.rows if row.metric == metric)

    def to_dict(self) -> dict[str, Any]:
        return {
            "version": 1,
            "games": {"a": self.games[0], "b": self.games[1]},
            "short": {"a": self.short[0], "b": self.short[1]},
            "norm": {"method": self.norm.method, "games": self.norm.games, "source": self.norm.source},
            "metrics": {row.metric: asdict(row) for row in self.rows},
        }


def columns(games: Games, norm: Norm) -> Mapping[str, Array]:
    """Every measure's values, S and S2 first."""
    measures = {name: games[name] for name in (*METRICS, *CHARACTER)}
    return {"s": norm.scores(games), "s2": load_s2().scores(games), **measures}


def summarize(games: Games, norm: Norm) -> dict[str, Summary]:
    """Each measure over the games, S first.

    >>> from kibitz.style import load_norm, measure_pgn
    >>> games = measure_pgn(b"1. Nf3 d5 2. g3 Nf6 3. Bg2 *")
    >>> next(iter(summarize(games, load_norm())))
    's'
    """
    return {name: _summary(values) for name, values in columns(games, norm).items()}


def compare(a: Games, b: Games, norm: Norm) -> Comparison:
    r"""B against A, the baseline.

    >>> from kibitz.style import load_norm, measure_pgn
    >>> games = measure_pgn(b"1. Nf3 d5 2. g3 *\n\n1. e4 e5 *")
    >>> compare(games, games, load_norm()).games
    (2, 2)
    """
    for game_set, games in (("A", a), ("B", b)):
        if len(games) < 2:
            raise BadRecord(f"a comparison needs at least 2 games on each side, {game_set} has {len(games)}")
    ours, theirs = columns(a, norm), columns(b, norm)
    rows = [
        Row(
            name,
            name_of(name),
            _summary(ours[name]),
            _summary(theirs[name]),
            sigma_shift(ours[name], theirs[name]),
            ks_test(ours[name], theirs[name]),
        )
        for name in ours
    ]
    short = tuple(int((games.plies < games.window.plies).sum()) for games in (a, b))
    return Comparison(tuple(rows), (len(a), len(b)), (short[0], short[1]), norm)


def _summary(values: Array) -> Summary:
    spread = float(values.std(ddof=1)) if len(values) > 1 else 0.0
    low, high = float(values.min()), float(values.max())
    return Summary(float(values.mean()), spread, low, float(np.median(values)), high)


def sigma_shift(a: Array, b: Array) -> Interval | None:
    """How far B's mean lies from A's, in standard deviations of A (Glass's delta), with the interval of the
    delta method: A's deviation is itself an estimate."""
    spread = float(a.std(ddof=1))
    if spread == 0.0:
        return None
    delta = float(b.mean() - a.mean()) / spread
    ratio = float(b.var(ddof=1)) / spread**2
    error = math.sqrt(1 / len(a) + ratio / len(b) + delta**2 / (2 * (len(a) - 1)))
    return Interval(delta, delta - _Z * error, delta + _Z * error)


def ks_test(a: Array, b: Array) -> Ks:
    """The two-sample test, with the asymptotic probability. Ties (whole-numbered measures) make it careful:
    the true p is smaller."""
    joined = np.concatenate([a, b])
    below_a = np.searchsorted(np.sort(a), joined, side="right") / len(a)
    below_b = np.searchsorted(np.sort(b), joined, side="right") / len(b)
    distance = float(np.abs(below_a - below_b).max())
    root = math.sqrt(len(a) * len(b) / (len(a) + len(b)))
    return Ks(distance, kolmogorov((root + 0.12 + 0.11 / root) * distance))


def kolmogorov(x: float) -> float:
    """The chance that Kolmogorov's statistic exceeds x: 2 * sum of (-1)^(k-1) exp(-2 k^2 x^2)."""
    if x < 0.2:  # the series converges too slowly where the answer is 1 to twelve digits
        return 1.0
    total = 0.0
    for k in range(1, 101):
        term = math.exp(-2.0 * k * k * x * x)
        total += term if k % 2 else -term
        if term < 1e-300:
            break
    return min(1.0, max(0.0, 2.0 * total))
