"""Moves compared until it is decided: what is asked, where visits go, and what is said."""

from __future__ import annotations

import json

import pytest

import kibitz
from kibitz.comparison import Compare
from kibitz.report import Report
from kibitz.sentences import LANGUAGES

START = kibitz.chess.Position()
#: White can take a queen, or not.
QUEEN = kibitz.chess.Position("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1")


def test_a_clear_difference_is_decided_early() -> None:
    report = kibitz.analyze(QUEEN, compare=["e4d5", "e1e2", "e4e5"], visits=100_000)
    comparison = report.comparison
    assert comparison is not None
    assert report.stop_reason == "decided"
    assert report.best == comparison.best == "e4d5"
    assert {verdict.relation for verdict in comparison.verdicts} >= {"better"}
    won = [verdict for verdict in comparison.verdicts if verdict.relation == "better"]
    assert all(0 < verdict.low <= verdict.by <= verdict.high for verdict in won)
    assert comparison.visits < 20_000


def test_only_compared_moves_are_searched() -> None:
    report = kibitz.analyze(START, compare=["e2e4", "d2d4"], visits=2_000)
    assert {info.move for info in report.moves if info.visits} == {"e2e4", "d2d4"}
    assert report.comparison is not None
    assert report.comparison.visits == sum(info.visits for info in report.moves)


def test_equal_moves_are_equal() -> None:
    """The four first moves of Othello are the same by symmetry; these two lead to mirrored positions."""
    report = kibitz.analyze(
        kibitz.othello.Position(),
        compare=Compare(("d3", "c4"), within=0.2),
        visits=200_000,
        options={"search": "tree"},
    )
    assert report.comparison is not None
    assert [verdict.relation for verdict in report.comparison.verdicts] == ["equal"]
    assert report.stop_reason == "decided"


def test_visits_that_are_too_few_decide_nothing() -> None:
    report = kibitz.analyze(START, compare=["e2e4", "d2d4"], visits=50)
    assert report.comparison is not None
    assert not report.comparison.decided
    assert "undecided between" in str(report)


def test_a_proven_move_has_no_error() -> None:
    mate = kibitz.chess.Position("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    report = kibitz.analyze(mate, compare=["a1a8", "a1a2"], visits=2_000)
    assert report.best == "a1a8"
    assert report.moves[0].proven == "win"


def test_comparing_goes_on_where_it_stopped() -> None:
    with kibitz.Engine("chess") as engine:
        first = engine.analyze(START, compare=["e2e4", "d2d4"], visits=500)
        second = engine.analyze(START, compare=["e2e4", "d2d4"], visits=2_000)
    assert second.root.reused == first.root.visits
    assert second.comparison is not None
    # The errors are those of a search in one go: what the first part saw of them is kept.
    assert all(verdict.high - verdict.low < 0.5 for verdict in second.comparison.verdicts)


def test_what_cannot_be_compared_is_refused_with_the_reason() -> None:
    report = kibitz.analyze(START, compare=["e2e4", "e2e5", "d2d4", "a2a3"], avoid=["a2a3"], visits=200)
    refused = {item.move: item.reason for item in report.steering.refused if item.kind == "compare"}
    assert set(refused) == {"e2e5", "a2a3"}
    assert refused["a2a3"] == "the search may not choose it"
    assert [item.move for item in report.steering.honoured if item.kind == "compare"] == ["e2e4", "d2d4"]
    alone = kibitz.analyze(START, compare=["e2e4", "e2e5"], visits=200)
    assert alone.comparison is None
    assert {item.move for item in alone.steering.refused} == {"e2e4", "e2e5"}


def test_alpha_beta_and_worlds_refuse_it() -> None:
    by_depth = kibitz.analyze(START, compare=["e2e4", "d2d4"], seconds=0.05, options={"search": "alphabeta"})
    assert by_depth.search == "alphabeta"
    assert {item.kind for item in by_depth.steering.refused} == {"compare"}
    seat = kibitz.junqi.Position()
    moves = seat.legal_moves[:2]
    if len(moves) == 2:
        report = kibitz.analyze(seat, compare=moves, seconds=0.05)
        assert {item.kind for item in report.steering.refused} == {"compare"}


@pytest.mark.parametrize("wish", ["e2e4", ["e2e4"], [1, 2], 5, {"moves": 3}], ids=str)
def test_wrong_wishes_are_refused(wish: object) -> None:
    with pytest.raises((kibitz.KibitzError, TypeError)):
        kibitz.analyze(START, compare=wish, visits=10)  # type: ignore[arg-type]


def test_confidence_is_shared_by_all_verdicts() -> None:
    two, five = Compare(("a", "b")), Compare(("a", "b", "c", "d", "e"))
    assert two.errors == pytest.approx(1.95996, abs=1e-4)
    assert five.errors == pytest.approx(2.49771, abs=1e-4)  # the normal quantile of 1 - 0.05 / 8


def test_json_keeps_it() -> None:
    report = kibitz.analyze(START, compare=["e2e4", "g2g4"], visits=3_000)
    data = json.loads(report.to_json())
    assert data["comparison"]["said"][0]["code"].startswith("compare.")
    assert Report.from_dict(data).comparison == report.comparison


def test_it_is_worded_in_every_language() -> None:
    report = kibitz.analyze(START, compare=["e2e4", "g2g4"], visits=3_000)
    assert report.comparison is not None
    texts = {sentence.worded(language) for sentence in report.comparison.said for language in LANGUAGES}
    assert len(texts) >= 3  # Chinese has one or two
    assert all("e2e4" in text and "g2g4" in text for text in texts)
