"""Moves compared until it is decided which is best: what is asked, and the verdict.

>>> import kibitz
>>> position = kibitz.othello.Position().play("d3")
>>> report = kibitz.analyze(position, compare=["c5", "e3"], simulations=20_000)
>>> report.comparison.best in ("c5", "e3")
True
>>> [verdict.relation in ("better", "equal", "undecided") for verdict in report.comparison.verdicts]
[True]

A verdict at 95% compares two values with their standard errors; of three moves or more, all verdicts together
hold at 95%. Where the visits go, and when to stop, the search decides (native/search/comparison.h).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import ClassVar, Protocol

from kibitz import _native
from kibitz.errors import BadSteering
from kibitz.json_form import JsonForm
from kibitz.sentences import Sentence, joined

__all__ = ["Compare", "Comparison", "Verdict"]

MOST_MOVES = 100
_SAID = {"better": "compare.better", "equal": "compare.equal", "undecided": "compare.undecided"}


@dataclass(frozen=True)
class Compare(JsonForm):
    """Moves to be compared. Values that differ by less than `within`, a win probability, are equal.

    >>> Compare(("c5", "e3"), within=0.02).confidence
    0.95
    """

    json_sparse: ClassVar[bool] = True

    moves: tuple[str, ...]
    within: float = 0.01
    confidence: float = 0.95

    def __post_init__(self) -> None:
        if not 2 <= len(set(self.moves)) <= MOST_MOVES:
            raise BadSteering(f"compare takes 2 to {MOST_MOVES} different moves, got {len(set(self.moves))}")
        for name, value, low, high in (
            ("within", self.within, 0.0, 1.0),
            ("confidence", self.confidence, 0.5, 1.0),
        ):
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value < high:
                raise BadSteering(f"compare.{name} must be from {low:g} to below {high:g}, got {value!r}")

    @property
    def errors(self) -> float:
        """Standard errors that a verdict takes, so that all of them together have the confidence."""
        doubt = (1.0 - self.confidence) / (len(self.moves) - 1)
        return NormalDist().inv_cdf(1.0 - doubt / 2)


def make_compare(wish: Compare | Iterable[str] | None) -> Compare | None:
    """A comparison from what people write: a list of moves."""
    if wish is None or isinstance(wish, Compare):
        return wish
    if isinstance(wish, str):
        raise BadSteering(f"compare takes a list of moves, got the text {wish!r}")
    moves = tuple(wish)
    if not all(isinstance(move, str) for move in moves):
        raise BadSteering(f"compare takes moves as text, got {moves!r}")
    return Compare(moves)


@dataclass(frozen=True)
class Verdict(JsonForm):
    """The best move and another one: `better` by `by` (from `low` to `high`), `equal`, or `undecided`.

    >>> position = kibitz.othello.Position().play("d3")
    >>> verdict = kibitz.analyze(position, compare=["c5", "e3"], simulations=500).comparison.verdicts[0]
    >>> verdict.low <= verdict.by <= verdict.high
    True
    """

    json_strict: ClassVar[bool] = False

    move: str
    relation: str
    by: float
    low: float
    high: float


@dataclass(frozen=True)
class Comparison(JsonForm):
    """What a search found out about moves that were to be compared.

    >>> position = kibitz.othello.Position().play("d3")
    >>> report = kibitz.analyze(position, compare=["c5", "e3"], simulations=500)
    >>> report.comparison.best in ("c5", "e3")
    True
    """

    json_strict: ClassVar[bool] = False

    best: str
    #: One for each of the other moves, the best first.
    verdicts: tuple[Verdict, ...]
    #: Of all compared moves together.
    visits: int
    within: float
    confidence: float

    @property
    def decided(self) -> bool:
        return all(verdict.relation != "undecided" for verdict in self.verdicts)

    @property
    def said(self) -> tuple[Sentence, ...]:
        """A sentence for each verdict."""
        values = {"best": self.best, "within": self.within, "visits": self.visits}
        return tuple(
            Sentence(
                _SAID[verdict.relation],
                {
                    **values,
                    "confidence": self.confidence,
                    "move": verdict.move,
                    "by": verdict.by,
                    "low": verdict.low,
                    "high": verdict.high,
                },
            )
            for verdict in self.verdicts
        )

    def __str__(self) -> str:
        return joined(self.said)


class Compared(Protocol):
    """A move with its value and the standard error of that (native/search/report.h)."""

    @property
    def visits(self) -> int: ...
    @property
    def value(self) -> float: ...
    @property
    def error(self) -> float | None: ...


def comparison_of(wish: Compare, moves: Sequence[tuple[str, Compared]]) -> Comparison | None:
    """The verdicts on the moves that have a standard error; None where there are not two of them."""
    known = [(name, move, move.error) for name, move in moves if move.error is not None]
    if len(known) < 2:
        return None
    known.sort(key=lambda item: -item[1].value)
    best, first, error = known[0]
    verdicts = []
    for name, move, other in known[1:]:
        by, margin = first.value - move.value, wish.errors * math.hypot(error, other)
        low, high = max(-1.0, by - margin), min(1.0, by + margin)
        verdicts.append(Verdict(name, _native.relation(by, margin, wish.within), by, low, high))
    visits = sum(move.visits for _, move, _ in known)
    return Comparison(best, tuple(verdicts), visits, wish.within, wish.confidence)
