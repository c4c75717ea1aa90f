"""Tuning by simultaneous perturbation, on a game whose best values are known."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from kibitz.arena.spsa import Parameter, SpsaState, Values, tune
from kibitz.errors import BadRecord

BEST = {"a": 3.0, "b": -1.0}
PARAMETERS = {"a": Parameter(0.5, 0.0, 10.0), "b": Parameter(0.5)}


def distance(values: Values) -> float:
    return sum((values[name] - BEST[name]) ** 2 for name in BEST)


def play(step: int, up: Values, down: Values) -> float:
    """The nearer to the best, the more points; no chance in it."""
    return 1 / (1 + math.exp(distance(up) - distance(down)))


def fresh(steps: int = 300) -> SpsaState:
    return SpsaState({"a": 1.0, "b": 1.0}, PARAMETERS, steps, seed=3)


def test_it_finds_the_best_values(tmp_path: Path) -> None:
    tuned = tune(fresh(), play, file=tmp_path / "state.json")
    assert distance(tuned) < 0.1 < distance(fresh().values)


def test_a_run_that_was_interrupted_goes_on_as_if_it_was_not(tmp_path: Path) -> None:
    whole = tune(fresh(40), play, file=tmp_path / "whole.json")
    calls = 0

    def broken(step: int, up: Values, down: Values) -> float:
        nonlocal calls
        calls += 1
        if calls == 17:
            raise KeyboardInterrupt
        return play(step, up, down)

    with pytest.raises(KeyboardInterrupt):
        tune(fresh(40), broken, file=tmp_path / "cut.json")
    assert tune(fresh(40), play, file=tmp_path / "cut.json") == whole


def test_values_stay_within_their_limits() -> None:
    state = SpsaState({"a": 0.1, "b": 0.0}, PARAMETERS, 10)
    assert all(end["a"] >= 0.0 for end in state.ends())


def test_another_run_is_not_resumed(tmp_path: Path) -> None:
    tune(fresh(2), play, file=tmp_path / "state.json")
    with pytest.raises(BadRecord, match="other settings"):
        tune(fresh(3), play, file=tmp_path / "state.json")
    (tmp_path / "state.json").write_text("[]")
    with pytest.raises(BadRecord, match="no state"):
        tune(fresh(2), play, file=tmp_path / "state.json")
