"""A try at a position where a mistake was made: is it as good as the best move, and what refutes it?"""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.errors import BadRequest
from kibitz.games.base import Position
from kibitz.report import Report
from kibitz.request import Request
from kibitz.review.effort import Effort
from kibitz.review.records import Record
from kibitz.steering import Steering

#: A try that loses at most this of a win is right.
GOOD = 0.03
#: The share of the budget that each of the two moves is guaranteed, in a tree.
_SHARE = 3
_LINE = 8


@dataclass(frozen=True)
class Judged:
    """What came of a try."""

    good: bool
    loss: float
    #: The try and the best play after it.
    line: tuple[str, ...]


def try_request(position: Position, move: str, best: str, effort: Effort) -> Request:
    """Asks about a try and the move that a review found."""
    for asked in (move, best):
        if asked not in position.legal_moves:
            raise BadRequest(f"{asked[:20]!r} is no legal move here")
    budget = effort.check
    share = max(1, (budget.visits or budget.simulations or 0) // _SHARE)
    steering = Steering(include={move: share, best: share})
    return Request(position.mover_view(), steering, budget, effort.options, line_length=_LINE)


def judge_try(record: Record, report: Report, move: str) -> Judged:
    """What a report says of a try."""
    info = next((one for one in report.moves if one.move == move), None)
    if info is None:
        return Judged(False, 0.0, (move,))
    loss = max(0.0, record.chance(report.moves[0].value) - record.chance(info.value))
    return Judged(loss <= GOOD, loss, info.line or (move,))
