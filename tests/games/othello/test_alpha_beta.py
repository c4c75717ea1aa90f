"""The alpha-beta family behind the same Request, Steering and Report as the tree search."""

from __future__ import annotations

import random

import pytest

from kibitz.engine import Engine, analyze
from kibitz.games.othello import Position, solve
from kibitz.report import Report
from kibitz.steering import Restriction

OPENED = Position().play("d3", "c5", "f6", "f5", "e6", "e3")


def late(empties: int, seed: int) -> Position:
    """A position of a random game with so many empty squares and at least three moves."""
    rng = random.Random(seed)
    while True:
        position = Position()
        while not position.is_over and position.empties > empties:
            position = position.play(rng.choice(position.legal_moves))
        if not position.is_over and len(position.legal_moves) >= 3:
            return position


def searched(position: Position, **wishes: object) -> Report:
    options = {"depth": 4, **wishes.pop("options", {})}  # type: ignore[dict-item]
    with Engine("othello", search="alphabeta") as engine:
        return engine.analyze(position, seconds=60, options=options, **wishes)  # type: ignore[arg-type]


def test_depth_lines_and_scores_are_told() -> None:
    report = searched(OPENED)
    assert report.stop_reason == "depth"
    assert report.root.depth == 4
    assert len(report.moves[0].line) >= 2
    assert report.moves[0].line[0] == report.best
    assert report.root.score == report.root.lead == report.moves[0].score
    assert (report.root.value > 0.5) == (report.root.score > 0)
    OPENED.play(*report.moves[0].line)


def test_multi_pv_moves_are_exact_and_in_order() -> None:
    one, three = searched(OPENED), searched(OPENED, options={"multi_pv": 3})
    assert sum(not info.pruned for info in one.moves) >= 1
    exact = [info.score for info in three.moves if not info.pruned]
    assert len(exact) >= 3
    assert exact == sorted(exact, reverse=True)
    assert three.moves[0].score == one.moves[0].score


def test_scores_that_are_bounds_are_marked() -> None:
    report = searched(OPENED, options={"multi_pv": 2})
    bounded = [info for info in report.moves if info.upper_bound]
    assert 0 < len(bounded) <= len(report.moves) - 2
    exact = {info.move: info.score for info in searched(OPENED, options={"multi_pv": 64}).moves}
    assert not any(info.upper_bound for info in report.moves if info not in bounded)
    for info in bounded:
        assert exact[info.move] <= info.score
        assert f"<={info.score:+.4g}" in str(report)


def test_analyses_for_people_have_exact_scores() -> None:
    report = analyze(OPENED, options={"search": "alphabeta", "depth": 4})
    assert sum(not info.upper_bound for info in report.moves) >= 5
    solved = analyze(late(8, 1), seconds=5)
    assert solved.stop_reason == "solved"
    for info in solved.moves:
        assert info.score == -solve(late(8, 1).play(info.move)).score  # type: ignore[operator]


def test_included_moves_get_exact_scores() -> None:
    for seed in range(3):
        position = late(10, seed)
        plain = searched(position, options={"depth": 0})
        worst = plain.moves[-1].move
        report = searched(position, include=[worst], options={"depth": 0})
        told = next(info for info in report.moves if info.move == worst)
        assert report.stop_reason == "proven"
        assert not told.pruned
        assert told.score == -solve(position.play(worst)).score  # type: ignore[operator]
        assert report.best == plain.best
        assert "exact score at depth" in report.steering.honoured[0].detail


def test_the_end_is_solved() -> None:
    for seed in range(4):
        position = late(12, seed)
        report = searched(position, options={"depth": 0})
        assert report.root.score == solve(position).score
        assert (
            report.root.proven
            == {1: "win", 0: "draw", -1: "loss"}[(report.root.score > 0) - (report.root.score < 0)]
        )


@pytest.mark.parametrize(("seed", "nodes"), [(0, 20_000), (0, 40_000), (5, 40_000), (7, 10_000)])
def test_a_narrow_loss_is_not_given_up_for_a_wide_one(seed: int, nodes: int) -> None:
    """The nodes run out while losses are being proven; the moves not looked at yet are worse."""
    position = late(14, seed)
    best = solve(position).score
    with Engine("othello", search="alphabeta") as engine:
        report = engine.analyze(position, visits=nodes)
    played = solve(position.play(report.best)).score
    assert best is not None
    assert played is not None
    assert best < 0
    assert -played >= best - 4


def test_avoid_and_allow_hold() -> None:
    legal = OPENED.legal_moves
    report = searched(OPENED, avoid=legal[:2], allow=legal[1:4])
    assert {info.move for info in report.moves} <= set(legal[2:4])
    best = searched(OPENED).best
    report = searched(OPENED, avoid=[best], include=[best])
    assert report.best != best
    assert [answer.move for answer in report.answers] == [best]


@pytest.mark.parametrize("kind", ["avoid", "allow"])
def test_restrictions_below_the_root_hold(kind: str) -> None:
    first = OPENED.legal_moves[0]
    following = OPENED.play(first)
    replies = following.legal_moves
    named = replies[: len(replies) // 2]
    rule = Restriction(tuple(named), side=1 - OPENED.to_move, until_depth=2)
    wishes = {"allow": [first]}
    wishes[kind] = [*wishes.get(kind, []), rule]  # type: ignore[list-item]
    report = searched(OPENED, **wishes)
    assert not report.steering.refused
    left = set(named) if kind == "allow" else set(replies) - set(named)
    direct = searched(following, allow=sorted(left), options={"depth": 3})
    assert report.root.score == pytest.approx(-direct.root.score)  # type: ignore[operator]


def test_what_it_cannot_obey_is_refused() -> None:
    move = OPENED.legal_moves[0]
    report = searched(OPENED, weights={move: 2.0})
    assert [(item.kind, item.move) for item in report.steering.refused] == [("weights", move)]
    assert "search=tree" in report.steering.refused[0].reason


def test_a_request_for_what_only_a_tree_has_gets_one() -> None:
    with Engine("othello") as engine:
        tree = engine.analyze(OPENED, simulations=50)
        assert tree.simulations == 50
        assert tree.root.score is None
        timed = engine.analyze(OPENED, seconds=60, options={"depth": 2})
        assert timed.root.score is not None
        weighed = engine.analyze(OPENED, seconds=0.01, weights={OPENED.legal_moves[0]: 2.0})
        assert not weighed.steering.refused
    with Engine("othello", playout="random") as engine:
        assert engine.analyze(OPENED, seconds=0.01).root.score is None


def test_one_thread_gives_one_result_and_several_agree_at_the_end() -> None:
    def moves(**options: object) -> list[tuple[str, float | None]]:
        report = searched(OPENED, options=options)
        return [(info.move, info.score) for info in report.moves]

    assert moves() == moves()
    position = late(11, 7)
    scores = {searched(position, options={"depth": 0, "threads": n}).root.score for n in (1, 2)}
    assert len(scores) == 1


def test_the_patterns_serve_the_tree_search() -> None:
    with Engine("othello", search="tree", rule="puct", evaluator="hand") as engine:
        report = engine.analyze(OPENED, simulations=200, unvisited=True)
    assert report.simulations == 200
    priors = [info.prior for info in report.moves]
    assert sum(priors) == pytest.approx(1, abs=1e-3)
    assert max(priors) > 2 * min(priors)


def test_solver_answers_do_not_depend_on_the_patterns() -> None:
    for seed in range(3):
        position = late(13, seed)
        assert solve(position).score == solve(position, patterns=False).score
