"""Included moves that are searched until their values are known well enough (`within`).

A search is made in rounds, each with twice the visits of the one before, so that what a value moved while its
visits doubled is known. The last rounds are for the included moves alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from kibitz import _native
from kibitz.audit import PRECISE

#: What part of the budget each round has reached when it ends.
PARTS = (0.0625, 0.125, 0.25, 0.5, 1.0)
#: Visits that included moves get in the first round; a round counts for a move whose visits grew so much.
_FIRST, _GROWN = 16, 1.5
#: Changes that an error is made of.
_CHANGES = 3


class Precision:
    """What is known of the values of included moves, by native move."""

    def __init__(self, within: float, moves: Mapping[int, str], most: int) -> None:
        """`most` is the number of visits that no move gets more of than that for the sake of precision."""
        self._within = within
        self._texts = moves
        self._most = most
        self._means: dict[int, list[tuple[int, float]]] = {move: [] for move in moves}
        self._proven: set[int] = set()
        self._round = 0

    def note(self, report: Any) -> bool:
        """Takes the values of a round that has ended; whether it brought any."""
        self._round, more = self._round + 1, False
        for item in report.moves:
            if (means := self._means.get(item.move)) is None or not item.visits:
                continue
            if item.proven[0] == item.proven[1]:
                self._proven.add(item.move)
            if means and item.visits < _GROWN * means[-1][0]:
                continue
            means.append((item.visits, item.value))
            more = True
        return more

    def error(self, move: int) -> float | None:
        """The standard error of a move's value; None while it is not known."""
        if move in self._proven:
            return 0.0
        means = self._means[move]
        if len(means) <= _CHANGES:
            return None
        values = [value for _, value in means[-_CHANGES - 1 :]]
        changes = [after - before for before, after in pairwise(values)]
        return float(_native.value_error(changes, means[-1][0]))

    def errors(self, name: Callable[[int], str]) -> dict[str, float]:
        """The errors that are known, by the names of the moves."""
        found = {name(move): self.error(move) for move in self._texts}
        return {text: error for text, error in found.items() if error is not None}

    def is_precise(self, move: int) -> bool:
        error = self.error(move)
        return error is not None and PRECISE * error <= self._within

    def next_visits(self) -> dict[str, int]:
        """The least visits of each move in the next round; none once all is known, or may not be."""
        own, wanted, done = self._round < len(PARTS), {}, True
        for move, text in self._texts.items():
            had, precise = self._had(move), self.is_precise(move)
            # While the search makes visits of its own, a move that it likes needs no others.
            visits = had if precise else _FIRST << self._round if own else 2 * had
            wanted[text] = max(1, min(visits, self._most))
            done = done and (precise or had >= self._most)
        return {} if done else wanted

    def _had(self, move: int) -> int:
        return self._means[move][-1][0] if self._means[move] else 0


def rounds(limits: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The limits of each round but the last ones; those of simulations and of time count for one round."""
    before = 0.0
    for part in PARTS:
        own = {}
        for name, limit in limits.items():
            share = part if name == "visits" else part - before
            own[name] = limit * share if name == "seconds" else max(1, int(limit * share))
        before = part
        yield own
