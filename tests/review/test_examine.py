"""The searches of a review: what is looked at, what is checked, and what follows."""

from __future__ import annotations

from dataclasses import replace

import pytest

import kibitz
from kibitz.games.chess.review import ChessRecord
from kibitz.report import Report
from kibitz.request import Budget
from kibitz.review.effort import Effort
from kibitz.review.examine import Examination
from kibitz.review.records import Record

EFFORT = Effort("own", Budget(simulations=40), Budget(simulations=160), "simulations")
#: The queen is lost on the sixth ply.
MOVES = ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "d8g5", "f3g5")


def with_values(report: Report, values: dict[str, float]) -> Report:
    """The report with these moves only, the best first."""
    moves = [replace(info, value=values[info.move]) for info in report.moves if info.move in values]
    moves.sort(key=lambda info: -info.value)
    return replace(report, moves=tuple(moves), root=replace(report.root, value=moves[0].value))


def test_a_look_includes_the_move_that_was_played_and_a_finished_game_is_not_searched() -> None:
    last = kibitz.chess.Position().play("f2f3", "e7e5", "g2g4", "d8h4")
    examination = Examination(ChessRecord(last), EFFORT)
    looks = [examination.look(number) for number in range(5)]
    assert looks[-1] is None
    assert [list(look.steering.include) for look in looks if look] == [[move] for move in last.moves]


def test_a_suspected_mistake_is_checked_and_may_be_cleared() -> None:
    record = ChessRecord(kibitz.chess.Position().play("e2e4"))
    examination = Examination(record, EFFORT)
    with kibitz.Engine("chess", network="none") as engine:
        before, after = (
            [*engine.run(look)][-1] for look in map(examination.look, range(2)) if look is not None
        )
    after = replace(after, root=replace(after.root, value=0.5))
    examination.reports = [with_values(before, {"d2d4": 0.6, "e2e4": 0.5}), after]
    first, reply = examination.checks_of(0)
    assert (first.position, reply.position) == (record.positions[0], record.positions[1])
    assert set(first.steering.include) == {"d2d4", "e2e4"}
    assert (first.budget.simulations, reply.budget.simulations) == (160, 80)
    assert examination.turn(0).label == "mistake"  # as long as nobody looked again
    # The deeper searches find both moves equal.
    examination.checks[0] = [
        with_values(before, {"d2d4": 0.55, "e2e4": 0.545}),
        replace(after, root=replace(after.root, value=0.45)),
    ]
    turn = examination.turn(0)
    assert (turn.label, turn.best) == ("good", "d2d4")
    assert turn.loss == pytest.approx((0.106 + 0.0 + 0.005) / 3, abs=0.003)
    # They confirm it, one of them more than the other: the mean counts.
    examination.checks[0] = [
        with_values(before, {"d2d4": 0.6, "e2e4": 0.5}),
        replace(after, root=replace(after.root, value=0.6)),
    ]
    turn = examination.turn(0)
    assert turn.loss == pytest.approx((0.106 + 0.106 + 0.212) / 3, abs=0.003)
    assert turn.winrate < 0.41


def test_nothing_is_checked_where_the_best_move_was_played() -> None:
    record = ChessRecord(kibitz.chess.Position().play("e2e4"))
    examination = Examination(record, EFFORT)
    with kibitz.Engine("chess", network="none") as engine:
        look = examination.look(0)
        assert look is not None
        report = [*engine.run(look)][-1]
    examination.reports = [with_values(report, {"e2e4": 0.6, "d2d4": 0.5}), report]
    assert examination.checks_of(0) == []
    assert examination.turn(0).label == "best"


def test_hidden_information_is_not_checked() -> None:
    """A deeper search would know no more than its player could."""
    position = kibitz.junqi.Position.deal(["lance", "lance"])
    examination = Examination(Record(position.play("S13-S22")), EFFORT)
    examination.reports = [kibitz.analyze(position.mover_view(), simulations=200, include=["S13-S22"]), None]
    assert examination.checks_of(0) == []
