"""The file of Othello's evaluation: what it holds, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kibitz import _native
from kibitz.errors import BadTable
from kibitz.games.othello import Position, evaluation

BUNDLED = Path(evaluation.__file__).with_name("othello.eval")


def boards(position: Position) -> tuple[np.ndarray, np.ndarray]:
    state = position.state
    own, other = (state.black, state.white) if position.to_move == 0 else (state.white, state.black)
    return np.array([own], np.uint64), np.array([other], np.uint64)


def judged(position: Position) -> float:
    return float(evaluation.bundled().native.evaluate(*boards(position))[0])


def test_the_bundled_file_is_small_and_sensible() -> None:
    assert BUNDLED.stat().st_size <= 4 << 20
    rest = "---XX---" * 2 + "---XO---" + "---OX---" + "--------" * 3 + " X"
    assert judged(Position("XXXXXXXX" + rest)) > 10 + judged(Position("OXXXXXXO" + rest))


def test_images_of_a_position_are_worth_the_same() -> None:
    position = Position().play("d3", "c5", "f6", "f5", "e6", "e3")
    assert {judged(image) for image in position.images()} == {judged(position)}


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    data = BUNDLED.read_bytes()
    for name, content, reason in (
        ("short", data[:-10], "check sum"),
        ("other", b"PNG" + data, "not an Othello evaluation"),
        ("headless", data[:40], "not a whole"),
    ):
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(BadTable, match=reason):
            evaluation.load(path)
    with pytest.raises(BadTable, match="no such file"):
        evaluation.load(tmp_path / "missing")


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    shape = (_native.OTHELLO_STAGES, _native.othello_pattern_slots())
    weights = np.random.default_rng(1).integers(-300, 300, shape).astype(np.int16)
    header = {"cuts": [[3, 6, 2, 1.0, 0.1, 2.0]], "endCuts": [[14, 2, 1.0, 0.0, 6.0]], "widths": [6.0] * 15}
    evaluation.save(tmp_path / "own.eval", weights, header)
    read = evaluation.load(tmp_path / "own.eval")
    direct = _native.OthelloEvaluation(weights)
    there = boards(Position().play("d3"))
    assert read.native.evaluate(*there)[0] == direct.evaluate(*there)[0]
    assert read.header["widths"] == header["widths"]
