"""The exact solver against a minimax in Python that shares nothing with it; limits; proofs."""

from __future__ import annotations

import random

import pytest

import kibitz
from kibitz import _native
from kibitz.errors import BadRequest
from kibitz.games.uttt import Position, endgame, rate_moves, solve
from kibitz.tablebase import TablebaseSolver
from kibitz.tablebase.verify import random_positions
from tests.games.uttt.plain_rules import Board, best, rate


def small(count: int, most: int, rules: str = "standard", seed: int = 5) -> list[Position]:
    return random_positions(count, random.Random(seed), lambda position: position.empties <= most, rules)


@pytest.mark.parametrize("rules", ["standard", "codingame"])
def test_solver_equals_minimax(rules: str) -> None:
    solver = _native.UtttSolver(1)
    for position in small(150, 6, rules):
        expected = rate(Board.read(position.notation))
        solution = solve(position, solver=solver)
        assert solution.solved
        assert (solution.result, solution.distance) == best(expected)
        rated = rate_moves(position, solver=solver)
        assert {(int(m[0]), int(m[1])): (r, d) for m, r, d in rated.moves} == expected
        assert (rated.moves[0][1], rated.moves[0][2]) == best(expected)
        if solution.distance:
            assert len(solution.line) == solution.distance
            assert position.play(*solution.line).is_over


def test_native_minimax_equals_the_one_in_python() -> None:
    for position in small(150, 6, seed=6):
        expected = rate(Board.read(position.notation))
        native = _native.uttt_plain_minimax(position.state)
        assert {(move // 9, move % 9): (r, d) for move, r, d in native} == expected


def test_a_limit_says_unknown() -> None:
    solution = solve(Position(), nodes=2000)
    assert not solution.solved
    assert (solution.result, solution.distance, solution.best, solution.line) == (None, None, None, ())
    assert not solve(Position(), seconds=0.05).solved


def test_an_open_position_ends_as_unknown_without_any_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endgame, "DEFAULT_NODES", 20_000)
    start = Position()
    assert not solve(start).solved
    rated = rate_moves(start)
    assert not rated.solved
    assert set(rated.unknown) | {move for move, _, _ in rated.moves} == set(start.legal_moves)
    assert rated.unknown
    solver = TablebaseSolver()
    for ask in (solver.solve, solver.moves):
        with pytest.raises(BadRequest, match="unknown after 20,"):
            ask(start)


def test_a_finished_game_is_refused() -> None:
    position = Position()
    rng = random.Random(1)
    while not position.is_over:
        position = position.play(rng.choice(position.legal_moves))
    with pytest.raises(BadRequest, match="over"):
        solve(position)


def test_the_engine_proves_what_is_within_reach() -> None:
    for position in small(20, 8, seed=9):
        truth = _native.uttt_plain_minimax(position.state)
        report = kibitz.analyze(position, simulations=200)
        assert report.search == "solver"
        assert report.root.proven == {1: "win", 0: "draw", -1: "loss"}[truth[0][1]]
        top = {position.state.move_text(m) for m, r, d in truth if (r, d) == truth[0][1:]}
        assert report.best in top


def test_steered_searches_use_the_oracle() -> None:
    for position in small(10, 9, seed=10):
        if len(position.legal_moves) < 2:
            continue
        truth = {position.state.move_text(m): r for m, r, _ in _native.uttt_plain_minimax(position.state)}
        report = kibitz.analyze(position, simulations=2000, include=[position.legal_moves[0]], min_visits=3)
        assert report.search != "solver"
        for info in report.moves:
            if info.proven:
                assert {"win": 1, "draw": 0, "loss": -1}[info.proven] == truth[info.move]
