"""The moves of a game, shared by the positions along it.

Every position knows its moves. Were each given a tuple of its own, a record of n moves would take n² memory;
so the positions of a line share one list, and each knows how much of it is its own past.

>>> early = MoveHistory().plus("e4")
>>> early.plus("e5").moves, early.plus("c5").moves
(('e4', 'e5'), ('e4', 'c5'))
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any


class _Line:
    """Where a game started, a list of moves that only grows, and the tuple that was last made of it."""

    __slots__ = ("growing", "made", "moves", "start")

    def __init__(self, moves: list[str], start: Any) -> None:
        self.start = start
        self.moves = moves
        self.made: tuple[str, ...] = ()
        self.growing = threading.Lock()


class MoveHistory:
    """The first `length` moves of a line, and the position they start from, None at the start itself; it
    never changes. Adding a move takes constant time at the end of
    its line; elsewhere a new line is begun, which copies the
    moves once. Threads may share it."""

    __slots__ = ("_length", "_line")

    def __init__(self, moves: Iterable[str] = (), start: Any = None) -> None:
        self._line = _Line(list(moves), start)
        self._length = len(self._line.moves)

    def __len__(self) -> int:
        return self._length

    @property
    def moves(self) -> tuple[str, ...]:
        line = self._line
        made = line.made
        if len(made) != self._length:
            # Only the last tuple is kept: one for every position would be n² again.
            made = line.made = tuple(line.moves[: self._length])
        return made

    @property
    def start(self) -> Any:
        return self._line.start

    @property
    def last(self) -> str | None:
        return self._line.moves[self._length - 1] if self._length else None

    def plus(self, move: str, start: Any = None) -> MoveHistory:
        """One move more; the first one is played at `start`."""
        line = self._line
        # What starts a game is often played from again and again: each time a line of its own.
        with line.growing:
            at_end = self._length > 0 and len(line.moves) == self._length
            if at_end:
                line.moves.append(move)
        if not at_end:
            line = _Line([*line.moves[: self._length], move], line.start if self._length else start)
        longer = object.__new__(MoveHistory)
        longer._line, longer._length = line, self._length + 1
        return longer

    def since(self, earlier: MoveHistory) -> tuple[str, ...] | None:
        """The moves that came after `earlier`, None when that is no beginning of this history."""
        mine, theirs, shared = self._line.moves, earlier._line.moves, earlier._length
        if shared > self._length or (mine is not theirs and mine[:shared] != theirs[:shared]):
            return None
        return tuple(mine[shared : self._length])


#: Of a position that a game starts from.
NO_MOVES = MoveHistory()
