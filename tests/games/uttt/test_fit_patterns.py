"""Training of the pattern evaluation: shards, the exported integers against the model, and learning."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kibitz import _native
from kibitz.games.uttt import Position
from kibitz.games.uttt.evaluation import evaluation
from kibitz.games.uttt.pattern_games import ShardSettings, generate

torch = pytest.importorskip("torch", reason="training needs the extra `train`")


def test_shards_are_repeatable(tmp_path: Path) -> None:
    one = _native.uttt_selfplay(evaluation(), 1, 3, 2, 5)
    assert one == _native.uttt_selfplay(evaluation(), 1, 3, 2, 5)
    assert one != _native.uttt_selfplay(evaluation(), 1, 3, 2, 6)
    assert len(one) % 22 == 0


def test_export_equals_model() -> None:
    from kibitz.games.uttt import fit_patterns as training

    torch.manual_seed(1)
    model = training.Model()
    patterns = _native.UtttPatterns(training.export(model, [0.25, 0.25]))
    for ending, rules in enumerate(training.RULES):
        for moves in ((), ("44",), ("44", "40", "04", "48", "84", "43")):
            position = Position(rules=rules).play(*moves)
            sample = training.sample_of(position)
            with torch.no_grad():
                expected = model(*training.inputs(sample, np.arange(1)), ending).item()
            assert patterns.logit(position.state) == pytest.approx(expected, abs=0.03)


def test_training_lowers_the_error(tmp_path: Path) -> None:
    from kibitz.games.uttt import fit_patterns as training

    torch.set_num_threads(1)
    generate(tmp_path, ShardSettings(depth=1), range(1), games=30)
    samples = training.read_shards(sorted(tmp_path.glob("*.npz")))
    model = training.Model()
    told: list[str] = []
    training.train(model, samples, epochs=3, batch=512, say=told.append)
    losses = [float(line.split("loss ")[1].split(",")[0]) for line in told]
    assert losses[2] < losses[0]
