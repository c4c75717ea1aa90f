"""The gate of a lab's training loop: a network that is too weak is not promoted."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from kibitz.arena import Sprt
from kibitz.lab.config import STYLE_GATE, LabConfig, TrainingPart, read_lab_config
from kibitz.lab.training import StyleLoop
from tests.paths import ROOT


def test_the_gate_is_an_sprt_by_default() -> None:
    loop = StyleLoop(LabConfig(training=TrainingPart(generations=2)), Path("nowhere")).loop_config()
    assert loop.gate == STYLE_GATE
    test = Sprt(loop.gate.elo0, loop.gate.elo1, loop.gate.alpha, loop.gate.alpha)
    # Pairs of games by half points, 0 to 4: what lost as the first style networks did, and what is level.
    weak, level = (25, 5, 15, 3, 2), (5, 10, 20, 10, 5)
    assert test.decide(test.llr_of_pairs(weak)) == "H0"
    assert test.decide(test.llr_of_pairs(level)) != "H0"
    # An undecided match promotes only what lost less than the style may cost.
    assert 0.45 <= loop.gate.score <= 0.5


def test_every_configuration_has_it() -> None:
    assert read_lab_config(ROOT / "examples" / "style-lab.toml").gate == STYLE_GATE


def test_the_network_is_that_of_the_last_promoted_generation(tmp_path: Path) -> None:
    config = replace(LabConfig(), training=TrainingPart(generations=3))
    loop = StyleLoop(config, tmp_path)
    loop.reports()  # notes the configuration
    for generation, promoted in enumerate((True, True, False, False)):
        place = tmp_path / f"gen-{generation:04d}"
        place.mkdir(exist_ok=True)
        (place / "report.json").write_text(json.dumps({"generation": generation, "promoted": promoted}))
    assert loop.network() == tmp_path / "gen-0001" / "net.knet"
