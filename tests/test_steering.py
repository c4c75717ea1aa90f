"""What steering accepts, refuses and guarantees."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kibitz
from kibitz.errors import BadSteering
from kibitz.plan import configure, plan
from kibitz.request import Request
from kibitz.steering import Restriction, Steering, make_steering

START = kibitz.othello.Position()
MOVES = st.sampled_from(["d3", "c4", "f5", "e6", "a1", "pass", "zz", "", "D3", "d3 "])


def test_refusals_name_the_move_and_the_reason() -> None:
    wish = make_steering(include=["a1", "zz", "d3"], avoid=["h8"], weights={"b2": 2.0})
    audit = plan(Request(START, wish), configure("othello")).audit
    assert [(item.kind, item.move) for item in audit.refused] == [
        ("avoid", "h8"),
        ("include", "a1"),
        ("include", "zz"),
        ("weights", "b2"),
    ]
    assert "legal: d3, c4, f5, e6" in audit.refused[1].reason
    assert "expected a square" in audit.refused[2].reason


def test_the_same_move_twice_is_refused_once() -> None:
    audit = plan(Request(START, Steering(include={"d3": 5, "D3": 7})), configure("othello")).audit
    assert [item.move for item in audit.honoured] == ["d3"]
    assert "given twice" in audit.refused[0].reason


def test_avoiding_everything_is_not_applied() -> None:
    report = kibitz.analyze(START, simulations=200, avoid=list(START.legal_moves))
    assert report.root.visits == 200
    assert len(report.steering.refused) == 4
    assert "leave no move" in report.steering.refused[0].reason


def test_avoiding_everything_leaves_the_guaranteed_moves() -> None:
    report = kibitz.analyze(
        START, simulations=200, avoid=list(START.legal_moves), include=["d3"], min_visits=30
    )
    assert [(move.move, move.visits) for move in report.moves] == [("d3", 30)]


def test_restrictions_below_the_root() -> None:
    rule = Restriction(("c3", "e3"), side=1, until_depth=2)
    with kibitz.Engine("othello", "uct") as engine:
        request = kibitz.engine.make_request(START, simulations=5000, allow=["d3"], avoid=[rule])
        *_, report = engine.run(request, debug=True)
    assert "c5 " in report.tree_dump
    assert "c3 " not in report.tree_dump.split("    ")[0]
    assert any(item.detail == "for white, down to depth 2" for item in report.steering.honoured)


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        ({"include": "d3"}, "include takes a list of moves"),
        ({"include": [3]}, "include takes moves as text"),
        ({"include": {"d3": 0}}, "from 1 to 2\\^50"),
        ({"include": ["d3"], "min_visits": 2**50 + 1}, "min_visits must be"),
        ({"include": ["d3"], "min_visits": True}, "min_visits must be"),
        ({"weights": {"d3": float("nan")}}, "from 0 to 1000"),
        ({"weights": {"d3": "2"}}, "must be a number"),
    ],
)
def test_wrong_types_are_errors(wish: dict[str, object], message: str) -> None:
    with pytest.raises(BadSteering, match=message):
        make_steering(**wish)  # type: ignore[arg-type]


@given(
    include=st.dictionaries(MOVES, st.integers(1, 60), max_size=5),
    allow=st.lists(MOVES, max_size=4),
    avoid=st.lists(MOVES, max_size=4),
    weights=st.dictionaries(MOVES, st.floats(0, 10), max_size=3),
    prune=st.sampled_from([None, "none", "progressive", "statistical"]),
)
def test_any_mix_ends_and_is_accounted_for(
    include: dict[str, int], allow: list[str], avoid: list[str], weights: dict[str, float], prune: str | None
) -> None:
    report = kibitz.analyze(
        START,
        preset="uct",
        simulations=150,
        include=include,
        allow=allow,
        avoid=avoid,
        weights=weights,
        prune=prune,
    )
    asked = len(include) + len(allow) + len(avoid) + len(weights) + bool(prune)
    assert len(report.steering.honoured) + len(report.steering.refused) >= asked
    visits = {move.move: move.visits for move in report.moves}
    refused = {item.move for item in report.steering.refused if item.kind == "include"}
    for text, minimum in include.items():
        if text not in refused:
            assert visits[text.strip().lower()] >= minimum
    assert report.root.visits - report.root.guaranteed <= 150


def test_a_kept_tree_has_the_root_value_that_is_asked_for() -> None:
    """The second query on a position: what guaranteed visits did to the root's value is not kept."""
    position = kibitz.chess.Position()
    asked: dict[str, Any] = {"visits": 400, "include": ["g2g4"], "min_visits": 200}

    def value(engine: kibitz.Engine, counted: bool) -> float:
        options = {"guaranteed_in_root_value": counted}
        return engine.analyze(position, **asked, options=options).root.value

    def made() -> kibitz.Engine:
        return kibitz.Engine("chess", network="none", seed=1, threads=1)

    with made() as first, made() as second:
        fresh = {True: value(first, True), False: value(second, False)}
        assert abs(fresh[True] - fresh[False]) > 0.01
        assert value(first, False) == fresh[False]
        assert value(second, True) == fresh[True]
