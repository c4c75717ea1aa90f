"""Ratings of several players from the games between them, by maximum likelihood.

>>> table = rate({("a", "b"): Score(15.0, 20), ("b", "c"): Score(15.0, 20)})
>>> [rating.player for rating in table]
['a', 'b', 'c']

Elo's logistic model, a draw counting as half a win. One drawn game is added to every pair that met, so that a
player who won or lost everything has a finite rating. Zero is the mean of all players; the intervals are
those of a player against that mean, from the curvature of the likelihood.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kibitz.arena.elo import Interval

_ELO = 400.0 / math.log(10.0)
_Z95 = 1.959963984540054
_STEPS = 100


@dataclass(frozen=True)
class Score:
    """What the first player of a pair made against the second."""

    points: float
    games: int


@dataclass(frozen=True)
class Rating:
    """A player's place on the ladder.

    >>> from kibitz.arena.ratings import Score
    >>> rate({("uct", "random"): Score(8.5, 10)})[0].player
    'uct'
    """

    player: str
    elo: Interval
    points: float
    games: int


def rate(scores: Mapping[tuple[str, str], Score]) -> list[Rating]:
    """The ladder, best first. Players who met nobody are not on it.

    >>> from kibitz.arena.ratings import Score
    >>> [rating.player for rating in rate({("uct", "random"): Score(8.5, 10)})]
    ['uct', 'random']
    """
    import numpy as np  # slow to import, and most matches do without

    played = {pair: score for pair, score in scores.items() if score.games > 0}
    if not played:
        return []
    names = sorted({name for pair in played for name in pair})
    place = {name: number for number, name in enumerate(names)}
    strength = np.zeros(len(names))
    covariance: Any = np.zeros((len(names), len(names)))
    for _ in range(_STEPS):
        slope, curvature = np.zeros(len(names)), np.zeros((len(names), len(names)))
        for (a, b), score in played.items():
            i, j = place[a], place[b]
            games, points = score.games + 1, score.points + 0.5
            expected = 1.0 / (1.0 + math.exp(strength[j] - strength[i]))
            slope[i] += points - games * expected
            slope[j] -= points - games * expected
            weight = games * expected * (1.0 - expected)
            curvature[[i, j], [i, j]] += weight
            curvature[[i, j], [j, i]] -= weight
        # The likelihood does not change when all strengths move together; the pseudo-inverse keeps the mean.
        covariance = np.linalg.pinv(curvature, hermitian=True)
        # No step of more than e: far from the maximum the curvature says little.
        step = np.clip(covariance @ slope, -1.0, 1.0)
        strength += step - step.mean()
        if np.abs(step).max() < 1e-9:
            break
    table = []
    for name in names:
        elo = _ELO * float(strength[place[name]])
        error = _Z95 * _ELO * math.sqrt(max(float(covariance[place[name], place[name]]), 0.0))
        mine = [score.points for (a, _), score in played.items() if a == name]
        mine += [score.games - score.points for (_, b), score in played.items() if b == name]
        games = sum(score.games for pair, score in played.items() if name in pair)
        table.append(Rating(name, Interval(elo, elo - error, elo + error), sum(mine), games))
    return sorted(table, key=lambda rating: -rating.elo.value)
