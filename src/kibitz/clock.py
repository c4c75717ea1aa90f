"""How long to think about a move, given the clocks. Never longer than the clock allows.

The ideas are Lc0's smooth time management: the game's length is estimated from the moves played, what is left
is spread over it with the increments to come, and a search that usually stops early is allotted more, so that
the clock is really used.

>>> round(allot(Clocks(remaining=60.0, increment=1.0), overhead=0.2), 2)
2.3
"""

from __future__ import annotations

import copy
from dataclasses import dataclass

#: The median length of a game in moves, and how steeply the chances of its end grow there.
_MIDPOINT, _STEEPNESS = 45.2, 5.93

#: The most of what is left that one move may take, with other moves to come before the next time control.
_LARGEST_SHARE = 0.4

#: Where this is the last move before new time, a part is kept for a slow machine.
_LAST_MOVE_SHARE = 0.9

#: A search with nothing left still has to look at something.
LEAST = 0.002

#: Where a move costs more than its increment gives back however short it is, as on a machine that is late all
#: the time, at least so many moves are thought to come.
_LATE_MOVES = 40

#: Below this share of what is kept back, moves are played without a search.
_SCRAMBLE = 0.75
#: How much of a late move still counts after the next one.
_FADING = 0.97

#: Share of its time that a search takes: what is thought before the first, and the least it is taken for.
_FIRST_USE, _LEAST_USE = 0.7, 0.4
#: Average moves after which half of what was thought of the use is forgotten.
_HALF_LIFE = 5.5


@dataclass(frozen=True)
class Clocks:
    """The mover's clock, in seconds; `moves_to_go` is None when the time is for the rest of the game, and
    `ply` is how far that has come."""

    remaining: float
    increment: float = 0.0
    moves_to_go: int | None = None
    ply: int = 0


def moves_left(ply: int) -> float:
    """Moves a game is expected to last still: half of all games last longer.

    >>> round(moves_left(0)), round(moves_left(80)), round(moves_left(200))
    (45, 11, 12)
    """
    move = ply / 2
    return float(_MIDPOINT * (1 + 2 * (move / _MIDPOINT) ** _STEEPNESS) ** (1 / _STEEPNESS) - move)


def allot(clocks: Clocks, overhead: float, *, lag: float = 0.0, use: float = 1.0) -> float:
    """Seconds for this move. `overhead` is kept back once for what is out of our control, `lag` for every
    move still to be made; a search that takes only a part `use` of its time gets more of it."""
    moves = moves_left(clocks.ply)
    if clocks.moves_to_go is not None:
        moves = min(moves, float(max(1, clocks.moves_to_go)))
    spare = clocks.increment - lag
    usable = clocks.remaining - overhead
    if spare < 0:
        usable += spare * (moves if clocks.moves_to_go is not None else max(moves, _LATE_MOVES))
    if usable <= 0:
        return LEAST
    if clocks.moves_to_go is not None and clocks.moves_to_go <= 1:
        return max(LEAST, usable * _LAST_MOVE_SHARE)
    share = (usable + max(0.0, spare) * (moves - 1)) / moves / use
    return max(LEAST, min(share, usable * _LARGEST_SHARE))


class TimeManager:
    """The clock of one game: learns how much of its time a search takes, and what is lost on the way.

    >>> manager = TimeManager()
    >>> seconds = manager.allot(Clocks(60.0, 1.0), overhead=0.2)
    >>> manager.took(0.5 * seconds)
    >>> manager.allot(Clocks(60.0, 1.0), overhead=0.2) > seconds
    True
    """

    def __init__(self) -> None:
        self._use = _FIRST_USE
        self._lag = 0.0
        #: What searches take beyond their time, and the most that one took: a machine that was that late
        #: once will be again, so that much is kept back.
        self._late = 0.0
        self._latest = 0.0
        #: The same of the last moves.
        self._recent = 0.0
        self._allotted: float | None = None
        #: What the clock should show at the next move.
        self._expected: float | None = None
        self._clocks = Clocks(0.0)

    def next_game(self) -> TimeManager:
        """For another game on the same machine: what was learned of it is kept."""
        manager = copy.copy(self)
        manager._allotted = manager._expected = None
        return manager

    def allot(self, clocks: Clocks, overhead: float) -> float:
        """Seconds for this move; `took` says afterwards what it needed."""
        if self._expected is not None and clocks.moves_to_go is None:
            lost = self._expected - clocks.remaining
            # Another clock than the one we knew (a new game, time added) tells nothing.
            if 0.0 <= lost <= 0.5:
                self._lag = max(lost, 0.7 * self._lag + 0.3 * lost)
        self._clocks, self._expected = clocks, None
        kept = overhead + self._latest
        self._allotted = allot(clocks, kept, lag=self._lag + self._late, use=self._use)
        return self._allotted

    def too_short(self, clocks: Clocks, overhead: float) -> bool:
        """Whether so little is left that starting a search could lose the game: on a busy machine handing
        work to another thread alone takes longer than a small increment gives back. `took` must get
        a move without a search too."""
        self._clocks, self._allotted = clocks, 0.0
        return clocks.remaining < _SCRAMBLE * overhead + self._recent

    def took(self, seconds: float) -> None:
        """What the move needed, from the command to the answer."""
        clocks = self._clocks
        self._expected = clocks.remaining - seconds + clocks.increment
        allotted, self._allotted = self._allotted, None
        if allotted is None:
            return
        late = max(0.0, seconds - allotted)
        self._recent = max(late, _FADING * self._recent)
        self._late = min(0.05, max(late, 0.7 * self._late + 0.3 * late))
        self._latest = max(self._latest, late)
        if allotted <= LEAST:
            return
        used = min(1.0, seconds / allotted)
        weight = 0.5 ** (1 / _HALF_LIFE)
        self._use = max(_LEAST_USE, weight * self._use + (1 - weight) * used)
