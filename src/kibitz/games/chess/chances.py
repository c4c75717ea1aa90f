"""The winning chances of people, from the search's value.

A search says what it expects of itself, and for it a position is won long before it is for people. Reviews
speak to people: their scale is Lichess's, which was fitted to games of people
(https://lichess.org/page/accuracy): 1 / (1 + exp(-0.00368 * centipawns)), in centipawns of Stockfish 15.1.

>>> [round(peoples_chance(value), 2) for value in (0.0, 0.04, 0.45, 0.5, 0.6, 0.96, 1.0)]
[0.0, 0.1, 0.45, 0.5, 0.61, 0.9, 1.0]
"""

from __future__ import annotations

import itertools
import math

#: Pawns of our search, and those of Stockfish 15.1 that are as much: medians over the tuning half of
#: `tools/stockfish_agreement.py`.
_PAWNS = ((0.0, 0.0), (2.4, 3.96), (3.75, 5.0), (5.0, 5.8), (8.0, 6.5), (12.0, 8.0), (20.0, 12.0))
#: Our pawns in a unit of log odds, and Lichess's log odds in a pawn.
_UNIT, _LICHESS = 1.737, 0.368208


def pawns_of(value: float) -> float:
    """The pawns of our search that a share of the points stands for, which is neither 0 nor 1."""
    return _UNIT * math.log(value / (1 - value))


def peoples_chance(value: float) -> float:
    """The share of the points that people make from here."""
    if not 0.0 < value < 1.0:
        return value
    pawns = pawns_of(value)
    for (low, from_), (high, to) in itertools.pairwise(_PAWNS):
        if abs(pawns) < high:
            stockfish = from_ + (to - from_) * (abs(pawns) - low) / (high - low)
            return 1 / (1 + math.exp(-_LICHESS * math.copysign(stockfish, pawns)))
    return value
