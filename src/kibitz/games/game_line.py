"""The positions of a game that is being played.

>>> from kibitz.games import othello
>>> line = GameLine(othello.Position())
>>> for move in ("d3", "c5", "f6"):
...     line = line.plus(line.last.play(move))
>>> len(line), line.first(2).last.moves
(4, ('d3',))
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic

from kibitz.games.base import P

if TYPE_CHECKING:
    from typing_extensions import Self

#: How many of the last positions are kept: a seat's last turn is rarely further back.
_KEPT = 8


@dataclass(frozen=True)
class GameLine(Generic[P]):
    """A game's positions, the first one first; it never changes. The last ones are kept. Those before them
    are played again when they are asked for: a long game of Go would have megabytes of them."""

    start: P
    _tail: tuple[P, ...] = ()
    _length: int = 1

    def __len__(self) -> int:
        return self._length

    @property
    def last(self) -> P:
        return self._tail[-1] if self._tail else self.start

    def plus(self, position: P) -> Self:
        """One position more, a move after the last."""
        return type(self)(self.start, (*self._tail[1 - _KEPT :], position), self._length + 1)

    def first(self, length: int) -> Self:
        """The line of the first `length` positions."""
        tail = self._tail[: max(0, length - self._length + len(self._tail))]
        if not tail:
            tail = tuple(self._played(length)[1:][-_KEPT:])
        return type(self)(self.start, tail, length)

    def backwards(self) -> Iterator[P]:
        """All positions, the last one first."""
        yield from reversed(self._tail)
        yield from reversed(self._played(self._length - len(self._tail)))

    def _played(self, length: int) -> list[P]:
        """The first `length` positions, played again."""
        positions = [self.start]
        moves = self.last.moves
        begin = len(moves) + 1 - self._length
        for move in moves[begin : begin + length - 1]:
            positions.append(positions[-1].play(move))
        return positions
