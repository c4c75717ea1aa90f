"""The searches of a review and what follows from them, whoever runs them: an engine, workers, a pool.

Every position is looked at. Where the move that was played seems to lose something, a search compares it
with the best move at a larger budget, and another looks at the reply, before it is marked.

    examination = Examination(record, effort)
    for number in range(len(record.positions)):
        examination.reports[number] = run(examination.look(number))   # where it is not None
    for number in range(len(record.moves)):
        examination.checks[number] = [run(request) for request in examination.checks_of(number)]
        turn = examination.turn(number)
"""

from __future__ import annotations

from dataclasses import replace

from kibitz.book import Book
from kibitz.engine import Engine
from kibitz.report import Report
from kibitz.request import Budget, Request
from kibitz.review.effort import Effort, scaled
from kibitz.review.labels import phases_of
from kibitz.review.reasons import reasons_of
from kibitz.review.records import Record, Turn
from kibitz.review.turns import seeming_loss, turn_at
from kibitz.steering import Steering

#: A move that seems to lose more than this of a win is checked.
SUSPECT = 0.02
#: Visits that a tree search guarantees the move that was played; a check divides its own by so much for each
#: of its two moves.
_LEAST_VISITS, _CHECK_SHARE = 20, 3


def answered(engine: Engine, request: Request) -> Report:
    """The answer to a request of a review. Every search begins afresh: what a move is called does not depend
    on the order of the searches, nor on who runs them."""
    engine.new_game()
    return [*engine.run(request)][-1]


class Examination:
    """The review of one game under way. `min_visits` are those of the move that was played, in a tree."""

    def __init__(
        self,
        record: Record,
        effort: Effort,
        steering: Steering | None = None,
        book: Book | None = None,
        line_length: int = 16,
        min_visits: int = _LEAST_VISITS,
    ) -> None:
        self.record, self.effort, self.book = record, effort, book
        self._steering = steering or Steering()
        self._line_length, self._min_visits = line_length, min_visits
        #: Of every position; None where it is over or not searched yet.
        self.reports: list[Report | None] = [None] * len(record.positions)
        #: The answers to `checks_of`, by number of the move from 0.
        self.checks: dict[int, list[Report]] = {}
        self._phases = phases_of(record.positions)

    def look(self, number: int) -> Request | None:
        """What is asked about a position; None where the game is over. The move that was played is always
        looked at: its cost is what people want to know."""
        position = self.record.positions[number]
        if position.is_over:
            return None
        include = dict(self._steering.include)
        if number < len(self.record.moves):
            played = self.record.moves[number]
            if self.record.can_include(position, played):
                include.setdefault(played, self._min_visits)
        return self._request(number, replace(self._steering, include=include), self.effort.look)

    def checks_of(self, number: int) -> list[Request]:
        """What is asked about a move whose loss is to be confirmed: the position before it and, with half of
        the budget, the one after it. Nothing where no loss is suspected."""
        record, report = self.record, self.reports[number]
        position, played = record.positions[number], record.moves[number]
        if report is None or position.hides or not record.can_include(position, played):
            return []
        if seeming_loss(record, self.reports, number, self.book) <= SUSPECT:
            return []
        budget = self.effort.check
        share = (budget.visits or budget.simulations or 0) // _CHECK_SHARE
        both = dict.fromkeys((report.moves[0].move, played), max(share, _LEAST_VISITS))
        steering = replace(self._steering, include=both)
        asked = [self._request(number, steering, budget)]
        if not record.positions[number + 1].is_over:
            asked.append(self._request(number + 1, self._steering, scaled(budget, 0.5)))
        return asked

    def turn(self, number: int) -> Turn:
        """What came of a move, counted from 0."""
        checks = self.checks.get(number, ())
        turn = turn_at(self.record, self.reports, number, self.book, checks)
        why = reasons_of(
            self.record.positions[number],
            turn.played,
            turn.line if turn.best != turn.played else (),
            checks[0] if checks else self.reports[number],
            checks[1] if len(checks) > 1 else self.reports[number + 1],
            is_mistake=turn.is_marked,
        )
        return replace(turn, phase=self._phases[number], reasons=why)

    def _request(self, number: int, steering: Steering, budget: Budget) -> Request:
        position = self.record.positions[number].mover_view()
        return Request(position, steering, budget, self.effort.options, line_length=self._line_length)
