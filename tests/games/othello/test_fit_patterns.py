"""Training of Othello's evaluation, small: records of its own games, two stages of labels, a file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kibitz import _native
from kibitz.errors import BadRequest
from kibitz.games.othello import Position, evaluation
from kibitz.games.othello.fit_patterns import (
    Recipe,
    calibrate,
    own_positions,
    record_positions,
    sample_close,
    train,
)

RECIPE = Recipe(positions=400, depths=(2,), exact=(8,), own_games=4, own_depth=2, iterations=3, seed=5)


def wthor(path: Path, games: np.ndarray) -> Path:
    """A file of games, as far as training reads it."""
    squares = np.where(games == 64, 0, 10 * (games // 8 + 1) + games % 8 + 1).astype(np.uint8)
    head = np.zeros((len(games), 8), np.uint8)
    head[:, 6] = 32
    path.write_bytes(bytes(16) + np.concatenate([head, squares], axis=1).tobytes())
    return path


def own_games(count: int) -> np.ndarray:
    return _native.OthelloLabeler(evaluation.bundled().native, 1).play(count, 6, 2, 3)


def test_own_games_are_legal_and_repeatable() -> None:
    games = own_games(3)
    assert games.shape == (3, 60)
    assert np.array_equal(games, own_games(3))
    for game in games:
        position = Position()
        for square in game[game < 64]:
            if position.legal_moves == ("pass",):
                position = position.play("pass")
            position = position.play("abcdefgh"[square % 8] + str(square // 8 + 1))
        while position.legal_moves == ("pass",):
            position = position.play("pass")
        assert position.is_over


def test_own_positions_leave_out_the_random_beginning() -> None:
    positions = own_positions(evaluation.bundled().native, RECIPE, 0)
    assert len(positions) > 100
    assert positions.empties.max() <= 60 - RECIPE.own_random_plies


def test_training_starts_from_a_file_and_resumes(tmp_path: Path) -> None:
    records = wthor(tmp_path / "games.wtb", own_games(30))
    start = evaluation.bundled()
    work = tmp_path / "run"
    said: list[str] = []
    weights = train([records], work, RECIPE, report=said.append, start=start)
    assert weights.shape == start.weights.shape
    assert not np.array_equal(np.rint(weights * 128), start.weights)
    # Configurations that no position showed keep the weights they had.
    assert (np.rint(weights[5] * 128) == start.weights[5]).mean() > 0.5
    assert any("of own games" in line for line in said)
    again: list[str] = []
    assert np.array_equal(train([records], work, RECIPE, report=again.append, start=start), weights)
    assert again == []
    with pytest.raises(BadRequest, match="another recipe"):
        train([records], work, RECIPE)


def test_training_some_stages_keeps_the_others(tmp_path: Path) -> None:
    records = wthor(tmp_path / "games.wtb", own_games(30))
    start = evaluation.bundled()
    said: list[str] = []
    recipe = replace(RECIPE, stages=(8, 10), selectivity=0, neighbours=True)
    weights = np.rint(train([records], tmp_path / "run", recipe, report=said.append, start=start) * 128)
    changed = [
        stage for stage in range(len(weights)) if not np.array_equal(weights[stage], start.weights[stage])
    ]
    assert changed == [8, 9, 10]
    # A stage is fitted to positions of the stages beside it: more of its weights change than without.
    alone = train([records], tmp_path / "alone", replace(recipe, neighbours=False), start=start)
    kept = np.rint(alone[9] * 128) == start.weights[9]
    assert (weights[9] != start.weights[9]).sum() > (~kept).sum()
    assert [line.split(":")[0] for line in said[-3:]] == [
        f"round 0 stage {stage} with its neighbours" for stage in (8, 9, 10)
    ]


def test_close_positions_are_taken_more_often(tmp_path: Path) -> None:
    records = record_positions([wthor(tmp_path / "games.wtb", own_games(60))])
    native = evaluation.bundled().native

    def spread(close: float) -> float:
        positions = sample_close(records, 9, replace(RECIPE, close=close), 0, native)
        assert 20 < len(positions) <= RECIPE.positions
        return float(np.mean(np.abs(native.evaluate(positions.player, positions.opponent))))

    assert spread(5.0) < 0.7 * spread(0.0)


def test_calibration_fits_what_follows_from_the_weights(tmp_path: Path) -> None:
    records = wthor(tmp_path / "games.wtb", own_games(30))
    old, out = evaluation.bundled(), tmp_path / "new.eval"
    calibrate([records], old, out, Recipe(cut_positions=10, cut_depth=4, cut_exact=12))
    new = evaluation.load(out)
    # Only the weights of the empty squares are moved, all of a stage by the same amount.
    moved = new.weights - old.weights
    counts = moved[:, -_native.OTHELLO_STAGE_PLIES :]
    assert not moved[:, : -_native.OTHELLO_STAGE_PLIES].any()
    assert counts.any()
    assert np.array_equal(counts, np.repeat(counts[:, :1], counts.shape[1], axis=1))
    assert len(new.header["widths"]) == _native.OTHELLO_STAGES
    spread = {(stage, depth): sigma for stage, depth, _, _, _, sigma in new.header["cuts"]}
    assert set(spread) == {(s, d) for s in range(1, 13) for d in range(3, 25)}
    assert all(sigma > 0 for sigma in spread.values())
    assert [row[0] for row in new.header["endCuts"]] == list(range(12, 37))


def test_odd_and_even_depths_agree_in_the_bundled_evaluation() -> None:
    bundled = evaluation.bundled().native
    positions = own_positions(bundled, RECIPE, 0)
    middle = positions.take((positions.empties >= 24) & (positions.empties <= 46))
    labeler = _native.OthelloLabeler(bundled, 8)
    odd, even = (labeler.label(middle.player, middle.opponent, d, 0).mean() for d in (3, 4))
    assert abs(odd - even) < 1.5
