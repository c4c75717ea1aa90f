"""Every honoured line of the audit is something that can be seen in the tree or in the report; what cannot be
obeyed is refused with a reason, in every game."""

from __future__ import annotations

from typing import Any

import pytest

import kibitz
from kibitz.engine import Engine
from kibitz.games import registry
from kibitz.games.base import Position
from kibitz.report import Report
from kibitz.steering import Restriction

GAMES = registry.names()
#: Games of the tree search. Junqi's search looks below the root at its own discretion, and visits are worlds.
TREES = [name for name in GAMES if "reuse" not in registry.get(name).unsupported]


def opened(game: str) -> Position:
    info = registry.get(game)
    return info.position().play(*info.demo)


def steered(game: str, simulations: int = 600, **wishes: Any) -> Report:
    with Engine(game, seed=5) as engine:
        return engine.analyze(opened(game), simulations=simulations, **wishes)


def honoured(report: Report, kind: str) -> list[str]:
    return [item.move for item in report.steering.honoured if item.kind == kind]


def visits(report: Report) -> dict[str, int]:
    return {info.move: info.visits for info in report.moves}


@pytest.mark.parametrize("game", GAMES)
def test_include_is_seen_in_visits(game: str) -> None:
    asked = opened(game).legal_moves[:2]
    report = steered(game, include=asked, min_visits=9)
    assert honoured(report, "include") == list(asked)
    least = 9 if game in TREES else 1
    assert all(visits(report)[move] >= least for move in asked)


@pytest.mark.parametrize("game", GAMES)
def test_avoid_and_allow_are_seen_in_visits(game: str) -> None:
    legal = opened(game).legal_moves
    report = steered(game, avoid=legal[:2], allow=legal[1:4])
    assert honoured(report, "avoid") == list(legal[:2])
    assert honoured(report, "allow") == list(legal[1:4])
    assert {move for move, count in visits(report).items() if count} <= set(legal[2:4])


@pytest.mark.parametrize("kind", ["avoid", "allow"])
@pytest.mark.parametrize("game", GAMES)
def test_restrictions_below_the_root_are_seen_in_the_tree_or_refused(game: str, kind: str) -> None:
    position = opened(game)
    first = position.legal_moves[0]
    following = position.play(first)
    replies = following.legal_moves or position.legal_moves  # a hidden hand shows no moves
    named = replies[: len(replies) // 2 + 1]
    rule = Restriction(tuple(named), side=1 - position.to_move, until_depth=2)
    with Engine(game, seed=5) as engine:
        allow = [first, rule] if kind == "allow" else [first]
        avoid = [rule] if kind == "avoid" else []
        report = engine.analyze(position, simulations=2000, allow=allow, avoid=avoid)
        tree = engine._search.tree(2, 1) if engine._search else []
    promised = [item for item in report.steering.honoured if item.kind == kind and item.detail]
    if game not in TREES:
        assert not promised
        refused = [item for item in report.steering.refused if item.kind == kind]
        assert {item.move for item in refused} == set(named)
        assert all("own side" in item.reason for item in refused)
        return
    assert [item.move for item in promised] == list(named)
    seen = {row.move for row in tree if row.depth == 1}
    assert seen
    if kind == "avoid":
        assert not seen & set(named)
    else:
        assert seen <= set(named)


@pytest.mark.parametrize("game", [game for game in GAMES if game not in TREES])
def test_own_restrictions_below_the_root_are_refused_where_they_cannot_be(game: str) -> None:
    move = opened(game).legal_moves[0]
    report = steered(game, avoid=[Restriction((move,), until_depth=3)])
    assert not honoured(report, "avoid")
    assert "first ply" in report.steering.refused[0].reason


@pytest.mark.parametrize("game", GAMES)
def test_weights_are_seen_in_the_share(game: str) -> None:
    plain = steered(game, unvisited=True)
    # Where a network gives most moves next to nothing, eight times that is nothing still.
    seen = [info for info in plain.moves if info.visits] or plain.moves
    move = seen[len(seen) // 2].move
    report = steered(game, weights={move: 8.0}, unvisited=True)
    assert honoured(report, "weights") == [move]
    before = next(info for info in plain.moves if info.move == move)
    after = next(info for info in report.moves if info.move == move)
    if game in TREES:
        assert after.visits > before.visits
    else:
        assert after.score is not None
        assert before.score is not None
        assert after.score > before.score


@pytest.mark.parametrize("game", GAMES)
def test_a_weight_on_a_forbidden_move_is_refused(game: str) -> None:
    move = opened(game).legal_moves[0]
    report = steered(game, simulations=100, weights={move: 8.0}, avoid=[move])
    assert not honoured(report, "weights")
    assert [item.kind for item in report.steering.refused] == ["weights"]


@pytest.mark.parametrize("game", GAMES)
def test_pruning_is_seen_in_the_report(game: str) -> None:
    options = {"prune_period": 200} if game in TREES else {"worlds": 1, "root_width": 6}
    simulations = 3000 if game in TREES else 30000
    report = steered(game, simulations=simulations, prune="progressive", options=options, unvisited=True)
    assert [item.detail for item in report.steering.honoured if item.kind == "prune"] == ["progressive"]
    assert any(info.pruned for info in report.moves)


def test_a_chess_style_is_seen_in_the_priors() -> None:
    for options in ({}, {"rule": "katago"}, {"rule": "ucb1", "bias": 2.0}):
        plain = steered("chess", options=options, unvisited=True)
        report = steered("chess", options=options, style="strong", unvisited=True)
        assert honoured(report, "style") == ["hypermodern:strong"]
        assert not report.steering.refused
        priors = {info.move: info.prior for info in plain.moves}
        assert any(abs(info.prior / priors[info.move] - 1) > 0.1 for info in report.moves)
        assert visits(report) != visits(plain)


def test_a_style_that_does_nothing_is_refused() -> None:
    for rule in ("ucb1", "classic"):
        options = {"rule": rule, "bias": 0.0, "style_mode": "priors"}
        plain = steered("chess", options=options)
        report = steered("chess", options=options, style="strong")
        assert not honoured(report, "style")
        assert f"rule={rule}" in report.steering.refused[0].reason
        assert visits(report) == visits(plain)
    late = kibitz.chess.Position("r1bq1rk1/pp2ppbp/2np1np1/8/3NP3/2N1BP2/PPPQ2PP/R3KB1R w KQ - 3 13")
    report = kibitz.analyze(late, simulations=50, style="strong")
    assert "ply 24" in report.steering.refused[0].reason
    assert not honoured(report, "style")


@pytest.mark.parametrize("style", ["aggressive", "balanced", "defensive", "probing"])
def test_junqi_styles_are_seen_in_the_moves_or_refused(style: str) -> None:
    every = {"root_width": 0}
    plain, report = steered("junqi", options=every), steered("junqi", options=every, style=style)
    moves = {info.move for info in report.moves}
    if honoured(report, "style"):
        assert moves < {info.move for info in plain.moves}
        assert style != "balanced"
    else:
        assert report.steering.refused[0].kind == "style"
        assert moves == {info.move for info in plain.moves}


def test_junqi_modes_that_do_not_search_guarantee_nothing() -> None:
    move = opened("junqi").legal_moves[-1]
    with Engine("junqi", mode="greedy") as engine:
        report = engine.analyze(opened("junqi"), simulations=10, include=[move], weights={move: 2.0})
    assert not report.steering.honoured
    assert {item.kind for item in report.steering.refused} == {"include", "weights"}


@pytest.mark.parametrize("mode", ["greedy", "one-ply", "random", "classic"])
def test_junqi_modes_that_search_no_tree_prune_nothing(mode: str) -> None:
    with Engine("junqi", mode=mode) as engine:
        report = engine.analyze(opened("junqi"), simulations=10, prune="progressive")
    assert not honoured(report, "prune")
    assert [item.reason for item in report.steering.refused] == [f"mode={mode} searches no tree to prune"]
    assert not any(info.pruned for info in report.moves)


@pytest.mark.parametrize("rule", ["puct", "katago"])
@pytest.mark.parametrize("game", TREES)
def test_uniform_priors_are_priors(game: str, rule: str) -> None:
    """Without a network all priors may be equal; what works on priors works on those too."""
    options = {"rule": rule, "evaluator": "playout"}
    plain = steered(game, options=options, unvisited=True)
    move = plain.moves[-1].move
    report = steered(game, options=options, weights={move: 40.0}, unvisited=True)
    assert honoured(report, "weights") == [move]
    assert visits(report)[move] > visits(plain)[move]


def test_nothing_is_stopped_by_a_budget_that_was_not_given() -> None:
    report = kibitz.analyze(opened("junqi"), seconds=60, options={"depth": 1, "worlds": 1})
    assert report.stop_reason == "depth"
    legal = opened("othello").legal_moves
    report = kibitz.analyze(
        opened("othello"), seconds=60, include=[legal[0]], min_visits=20, avoid=list(legal)
    )
    assert report.stop_reason == "decided"
    assert report.simulations == 20


def test_what_the_search_refuses_is_told_before_it_runs() -> None:
    told = []
    with Engine("chess", "uct", style_mode="priors") as engine:
        request = kibitz.engine.make_request(kibitz.chess.Position(), simulations=50, style="strong")
        reports = engine.run(request, audited=told.append)
        last = list(reports)[-1]
    assert [item.kind for item in told[0].refused] == ["style"]
    assert last.steering.refused == told[0].refused
