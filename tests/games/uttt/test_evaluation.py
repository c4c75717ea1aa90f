"""The bundled pattern evaluation: its file, what it thinks of positions, and the search that uses it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import kibitz
from kibitz import _native
from kibitz.errors import BadRequest
from kibitz.games.uttt import Position, solve
from kibitz.games.uttt.evaluation import BUNDLED, evaluation
from kibitz.games.uttt.tables import engine_tables
from kibitz.tablebase.verify import random_positions


def near_the_end(count: int, rules: str) -> list[Position]:
    return random_positions(count, random.Random(3), lambda position: 8 <= position.empties <= 11, rules)


def test_tables_are_opened_before_the_clock_runs() -> None:
    engine_tables.cache_clear()
    with kibitz.Engine("uttt"):
        assert engine_tables.cache_info().currsize == 1


def test_bundled_file_is_small() -> None:
    assert BUNDLED.stat().st_size <= 1 << 20


def test_damaged_file_is_refused(tmp_path: Path) -> None:
    content = bytearray(BUNDLED.read_bytes())
    content[1000] ^= 1
    path = tmp_path / "damaged.kup"
    path.write_bytes(content)
    with pytest.raises(BadRequest, match="checksum"):
        evaluation(str(path))
    path.write_bytes(b"something else")
    with pytest.raises(BadRequest, match="not an evaluation"):
        evaluation(str(path))


@pytest.mark.parametrize("rules", ["standard", "codingame"])
def test_sign_agrees_with_the_solver(rules: str) -> None:
    """Of decided positions near the end most are judged right without any search."""
    right = decided = 0
    solver = _native.UtttSolver(1)
    for position in near_the_end(150, rules):
        result = solve(position, solver=solver).result
        if result:
            decided += 1
            right += (evaluation().logit(position.state) > 0) == (result > 0)
    assert decided > 50
    assert right / decided > 0.65


def test_children_agree_with_positions() -> None:
    position = Position(rules="codingame").play("44", "40")
    rated = evaluation().moves(position.state)
    assert {position.state.move_text(move) for move, _, _ in rated} == set(position.legal_moves)
    assert sum(prior for _, _, prior in rated) == pytest.approx(1, abs=1e-5)
    for move, logit, _ in rated:
        assert logit == -evaluation().logit(position.state.play(move))


@pytest.mark.parametrize("rules", ["standard", "codingame"])
def test_default_keeps_what_is_proven(rules: str) -> None:
    """Where the solver sees a result, the search with its oracle keeps it."""
    solver = _native.UtttSolver(1)
    with kibitz.Engine("uttt", solve_root=0) as engine:
        for position in near_the_end(8, rules):
            before = solve(position, solver=solver).result
            best = engine.analyze(position, simulations=2000).best
            after = position.play(best)
            kept = (
                2 * (after.result or 0) - 1 if after.is_over else -(solve(after, solver=solver).result or 0)
            )
            if after.is_over and position.to_move == 1:
                kept = -kept
            assert kept == before
