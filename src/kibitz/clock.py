"""How long to think about a move, given the clocks. Never longer than the clock allows.

>>> round(allot(Clocks(remaining=60.0, increment=1.0), overhead=0.2), 2)
2.95
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Clocks", "allot"]

#: Moves a game is expected to last still, when nobody says; short of the truth early, so that the
#: opening and middlegame get their share.
_HORIZON = 25.0

#: The most of what is left that one move may take, with other moves to come before the next time control.
_LARGEST_SHARE = 0.4

#: Where this is the last move before new time, a part is kept for a slow machine.
_LAST_MOVE_SHARE = 0.9

#: A search with nothing left still has to look at something.
LEAST = 0.005


@dataclass(frozen=True)
class Clocks:
    """The mover's clock, in seconds; `moves_to_go` is None when the time is for the rest of the game."""

    remaining: float
    increment: float = 0.0
    moves_to_go: int | None = None


def allot(clocks: Clocks, overhead: float) -> float:
    """Seconds for this move. `overhead` is what passes on each move outside of our control; it is kept
    back for every move still to be made within the time."""
    moves = _HORIZON if clocks.moves_to_go is None else float(max(1, clocks.moves_to_go))
    usable = clocks.remaining - overhead
    if usable <= 0:
        return LEAST
    if moves <= 1:
        return max(LEAST, usable * _LAST_MOVE_SHARE)
    kept = overhead * min(moves - 1, 10)
    share = max(0.0, usable - kept) / min(moves, _HORIZON) + 0.8 * max(0.0, clocks.increment - overhead)
    return max(LEAST, min(share, usable * _LARGEST_SHARE))
