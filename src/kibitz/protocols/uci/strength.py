"""UCI_LimitStrength with UCI_Elo, and Skill Level: ratings as levels that count nodes, so that a rating plays
the same on every machine. docs/lab/chess-search.md has the games that the ratings come from.

>>> level_of_rating(3000).budget["visits"] > level_of_rating(1500).budget["visits"]
True
"""

from __future__ import annotations

import math
from itertools import pairwise

from kibitz.games.level import Level

#: A rating on the scale of Stockfish's UCI_Elo, the nodes of a move, and how far from the best move it
#: strays, in parts of a win.
_RUNGS = (
    (1320, 270, 0.039),
    (1600, 500, 0.025),
    (1900, 3_500, 0.005),
    (2200, 45_000, 0.0),
    (2400, 120_000, 0.0),
    (2600, 400_000, 0.0),
)
LEAST_ELO, MOST_ELO = _RUNGS[0][0], _RUNGS[-1][0]
#: Stockfish's scale; the highest is full strength.
MOST_SKILL = 20

#: Moves that a level chooses among, each with an exact score.
_CHOICES = 4


def level_of_rating(elo: int) -> Level:
    """The level that plays at a rating."""
    elo = max(LEAST_ELO, min(elo, MOST_ELO))
    below, above = next(pair for pair in pairwise(_RUNGS) if pair[0][0] <= elo <= pair[1][0])
    share = (elo - below[0]) / (above[0] - below[0])
    nodes = round(math.exp((1 - share) * math.log(below[1]) + share * math.log(above[1])))
    spread = (1 - share) * below[2] + share * above[2]
    options = {"search": "alphabeta", "threads": 1, "multi_pv": _CHOICES if spread > 0 else 1}
    return Level(str(elo), "a rating", {"visits": nodes}, options, spread, 4 * spread)


def rating_of_skill(skill: int) -> int:
    """The rating of Stockfish's Skill Level, in equal steps."""
    return round(LEAST_ELO + (MOST_ELO - LEAST_ELO) * skill / MOST_SKILL)
