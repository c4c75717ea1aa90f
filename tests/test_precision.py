"""Included moves that are searched until their values are known so well (`within`)."""

from __future__ import annotations

import json
from typing import Any

import pytest

import kibitz
from kibitz.request import Request, make_request
from kibitz.running.precision import PARTS, Precision, rounds

START = kibitz.chess.Position()


class Row:
    def __init__(self, move: int, visits: int, value: float, proven: tuple[int, int] = (0, 2)) -> None:
        self.move, self.visits, self.value, self.proven = move, visits, value, proven


class Found:
    def __init__(self, *rows: Row) -> None:
        self.moves = rows


def test_a_move_is_searched_until_its_value_is_known() -> None:
    wide, narrow = (
        kibitz.analyze(START, include=["a2a4"], within=within, visits=20_000) for within in (0.2, 0.03)
    )
    for report, within in ((wide, 0.2), (narrow, 0.03)):
        info = next(info for info in report.moves if info.move == "a2a4")
        assert info.error is not None
        assert 1.96 * info.error <= within
        [item] = report.steering.honoured
        assert [sentence.code for sentence in item.said] == ["audit.toWithin", "audit.got", "audit.margin"]
    visits = [next(info.visits for info in one.moves if info.move == "a2a4") for one in (wide, narrow)]
    assert visits[0] < visits[1] < 20_000


def test_visits_for_the_sake_of_precision_are_bounded() -> None:
    report = kibitz.analyze(START, include=["a2a4"], within=0.0001, visits=500)
    info = next(info for info in report.moves if info.move == "a2a4")
    assert 500 <= info.visits <= 1000
    assert info.error is not None
    assert 1.96 * info.error > 0.0001
    assert 500 < report.root.visits <= 1001


def test_a_proven_move_is_known_exactly() -> None:
    mate = kibitz.chess.Position("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    report = kibitz.analyze(mate, include=["a1a8"], within=0.01, visits=200)
    assert report.moves[0].error == 0.0


@pytest.mark.parametrize("game", ["chess", "junqi"])
def test_other_searches_refuse_it(game: str) -> None:
    position = kibitz.chess.Position() if game == "chess" else kibitz.junqi.Position()
    move = position.mover_view().legal_moves[0]
    options = {"search": "alphabeta"} if game == "chess" else {}
    report = kibitz.analyze(position, include=[move], within=0.1, simulations=500, options=options)
    assert [item.kind for item in report.steering.refused] == ["within"]
    assert [item.kind for item in report.steering.honoured] == ["include"]


@pytest.mark.parametrize("within", [0, 1, -0.1, "much", True, float("nan")], ids=str)
def test_wrong_precisions_are_refused(within: Any) -> None:
    with pytest.raises(kibitz.KibitzError, match="within"):
        make_request(START, include=["e2e4"], within=within)


def test_a_precision_needs_a_move() -> None:
    with pytest.raises(kibitz.KibitzError, match="include names none"):
        make_request(START, within=0.1)


def test_a_request_keeps_it_as_json() -> None:
    request = make_request(START, include=["e2e4"], within=0.02, visits=5)
    assert Request.from_dict(json.loads(request.to_json())) == request


def test_rounds_share_the_budget() -> None:
    shares = list(rounds({"visits": 1600, "simulations": 3200, "seconds": 8.0}))
    assert [share["visits"] for share in shares] == [100, 200, 400, 800, 1600]  # of the tree in all
    assert sum(share["simulations"] for share in shares) == 3200
    assert sum(share["seconds"] for share in shares) == pytest.approx(8.0)


def test_it_ends_where_no_visits_come() -> None:
    precision = Precision(0.01, {7: "a"}, 10_000)
    for visits in (16, 32, 64, 128, 256):
        assert precision.next_visits()
        assert precision.note(Found(Row(7, visits, 0.5)))
    assert precision.next_visits() == {"a": 512}
    assert not precision.note(Found(Row(7, 256, 0.5)))  # a full tree
    assert len(PARTS) == 5


def test_a_value_that_moves_is_known_less_well() -> None:
    still, moving = (Precision(0.01, {7: "a"}, 10_000) for _ in range(2))
    for turn, visits in enumerate((100, 200, 400, 800)):
        still.note(Found(Row(7, visits, 0.5)))
        moving.note(Found(Row(7, visits, 0.5 + 0.05 * (turn % 2))))
    rest, moved = still.error(7), moving.error(7)
    assert rest is not None
    assert moved is not None
    assert rest < moved
