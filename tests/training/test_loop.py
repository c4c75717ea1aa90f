"""The training loop in small: generations in order, an interruption anywhere changes nothing, every artefact
says where it comes from."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import kibitz
from kibitz.draw.chart import Curve, chart
from kibitz.errors import BadOption
from kibitz.fleet.content import digest_of
from kibitz.request import Budget
from kibitz.training.loop import TrainingLoop
from kibitz.training.loop_config import (
    AnchorPart,
    GatePart,
    LoopConfig,
    LoopPlace,
    TrainPart,
    read_loop_config,
)
from kibitz.training.samples import SampleReader
from kibitz.training.settings import SelfplaySettings
from tests.nets.katago_writer import katago_file

pytest.importorskip("pyarrow", reason="samples need pyarrow")

START = kibitz.go.Position(5).notation
CONFIG = LoopConfig(
    SelfplaySettings(
        "go",
        games=3,
        budget=Budget(visits=4),
        position=START,
        plies=6,
        options={"rule": "gumbel"},
        resign=0.4,
        play_out=0.5,
    ),
    seed=3,
    generations=2,
    window=1,
    gate=GatePart(games=2, visits=2, opening_plies=2),
    fleet=LoopPlace(parallel=3),
)


class Fake:
    """A trainer that writes networks with random weights, by seed."""

    suffix = ".bin"

    def __init__(self, fail_at: str = "") -> None:
        self.fail_at = fail_at
        self.trained: list[list[str]] = []

    def first(self, network: Path, seed: int) -> None:
        network.write_bytes(katago_file(8, seed=seed + 1))

    def train(
        self, data: Sequence[Path], number: int, folder: Path, network: Path, seed: int
    ) -> Mapping[str, Any]:
        self.trained.append([path.parent.name for path in data])
        if self.fail_at == network.parent.name:
            raise KeyboardInterrupt
        assert all((path / "manifest.json").is_file() for path in data)
        folder.mkdir(exist_ok=True)
        network.write_bytes(katago_file(8, seed=seed % 1000))
        return {"losses": {"policy": 2.0 / number, "value": 0.7}, "steps": 5 * number}


def run_until(loop: TrainingLoop, stage: str) -> None:
    """Interrupts the second generation in the middle of a stage; the trainer does so itself."""
    for step in loop.run():
        if step.generation == 2 and step.stage == stage != "train" and step.done:
            raise KeyboardInterrupt


def told(folder: Path) -> list[dict[str, Any]]:
    reports = []
    for path in sorted(folder.glob("gen-*/report.json")):
        report = json.loads(path.read_text())
        report = {key: value for key, value in report.items() if not key.startswith("seconds")}
        report["selfplay"].pop("manifest", None)  # an interruption makes two shards of one
        reports.append(report)
    return reports


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    steps = list(TrainingLoop(CONFIG, folder, Fake()).run())
    assert [step.generation for step in steps if step.stage == "finished"] == [1, 2]
    return folder


def test_generations_follow_each_other(whole: Path) -> None:
    reports = told(whole)
    assert [report["generation"] for report in reports] == [0, 1, 2]
    assert reports[0]["promoted"]
    for number, report in enumerate(reports):
        assert report["network"] == digest_of(whole / f"gen-{number:04d}" / "net.bin")
        assert report["made"]["config"] == CONFIG.digest
    for report in reports[1:]:
        assert report["parent"] in {other["network"] for other in reports}
        assert report["selfplay"]["games"] == 3
        gate = report["gate"]
        assert gate["wins"] + gate["draws"] + gate["losses"] == 2
        samples = whole / f"gen-{report['generation']:04d}" / "samples"
        full = json.loads((samples.parent / "report.json").read_text())
        assert full["selfplay"]["manifest"] == digest_of(samples / "manifest.json")
        assert len(next(SampleReader([samples], batch=4, seed=1).batches())) == 4
    page = (whole / "index.html").read_text()
    assert page.count("<svg") == 2
    assert "policy" in page
    assert "<script" not in page


@pytest.mark.parametrize("stage", ["selfplay", "train", "gate"])
def test_an_interruption_anywhere_changes_nothing(whole: Path, tmp_path: Path, stage: str) -> None:
    with pytest.raises(KeyboardInterrupt):
        run_until(TrainingLoop(CONFIG, tmp_path, Fake("gen-0002" if stage == "train" else "")), stage)
    assert not (tmp_path / "gen-0002" / "report.json").exists()
    list(TrainingLoop(CONFIG, tmp_path, Fake()).run())
    assert told(tmp_path) == told(whole)


def test_run_folder_with_a_comma(tmp_path: Path) -> None:
    """The gate's players are made from the networks' paths."""
    folder = tmp_path / "lr=0.1, wide"
    config = replace(CONFIG, generations=1, anchor=AnchorPart(games=2, player="random", visits=2))
    (step,) = [step for step in TrainingLoop(config, folder, Fake()).run() if step.stage == "finished"]
    assert step.generation == 1
    assert (folder / "gen-0001" / "gate.jsonl").is_file()


def test_a_finished_loop_has_nothing_to_do(whole: Path) -> None:
    trainer = Fake()
    assert list(TrainingLoop(CONFIG, whole, trainer).run()) == []
    assert trainer.trained == []
    other = replace(CONFIG, seed=4)
    with pytest.raises(BadOption, match="of another training loop: seed differ"):
        TrainingLoop(other, whole, trainer)


def test_configurations_are_checked(tmp_path: Path) -> None:
    file = tmp_path / "loop.toml"

    def read(text: str) -> LoopConfig:
        file.write_text(text)
        return read_loop_config(file)

    config = read('game = "othello"\n[selfplay]\nvisits = 16\noptions = { rule = "gumbel" }\n')
    assert config.selfplay.budget.visits == 16
    assert config.games_of(3, "net", resign=False).options == {"rule": "gumbel"}
    for text, message in (
        ("seed = 1", "the game is missing"),
        ('game = "junqi"', "no networks to train"),
        ('game = "othello"\nspeed = 3', "unknown field 'speed'"),
        ('game = "othello"\n[gate]\ngames = 3', "even number"),
        ('game = "othello"\n[gate]\ngames = "many"', r"'games' in \[gate\] must be a int"),
        ('game = "othello"\n[selfplay]\ntemperature = -1', "temperature must be from 0"),
        ('game = "othello"\n[selfplay]\nvisits = "all"', "visits must be a whole number"),
        ('game = "othello"\n[selfplay]\nseed = 3', "'seed' in .selfplay.; the loop decides it"),
        ('game = "othello"\n[selfplay]\nshard_games = 0', "shard_games must be at least 1"),
        ('game = "othello"\n[fleet]\ngate = 1', "fleet.processes must be at least 1"),
        ("game = ", "loop.toml"),
    ):
        with pytest.raises(BadOption, match=message):
            read(text)


def test_the_shipped_configuration_is_read() -> None:
    path = Path(__file__).parents[2] / "examples" / "othello-loop.toml"
    assert read_loop_config(path).game == "othello"


def test_charts_of_nothing_and_of_one_point() -> None:
    assert chart("nothing", []).endswith("</svg>")
    assert "<polyline" in chart("one", [Curve("a", [(1.0, 2.0)], [0.5])])


def test_trainer_goes_on_from_generation_to_generation(tmp_path: Path) -> None:
    """From random weights through two generations; the second training is interrupted and ends the same."""
    pytest.importorskip("torch", reason="training needs PyTorch")
    from kibitz.training.loop_trainer import LoopTrainer

    config = LoopConfig(
        SelfplaySettings(
            "othello", games=2, budget=Budget(visits=4), options={"rule": "gumbel", "solve_leaves": 0}
        ),
        generations=2,
        train=TrainPart(steps=3, batch=8, threads=1, holdout=0),
        model={"filters": 8, "blocks": 1, "pool_filters": 4, "policy_filters": 4, "value_filters": 4},
        optimizer={"warmup": 2},
        gate=GatePart(games=2, visits=2),
        fleet=LoopPlace(parallel=2),
    )
    assert list(TrainingLoop(config, tmp_path / "a", LoopTrainer(config)).run())
    first, second = (told(tmp_path / "a")[number] for number in (1, 2))
    assert (first["train"]["steps"], second["train"]["steps"]) == (3, 6)
    assert first["network"] != second["network"]
    again = TrainingLoop(config, tmp_path / "b", LoopTrainer(config))
    with pytest.raises(KeyboardInterrupt):
        run_until(again, "gate")
    list(TrainingLoop(config, tmp_path / "b", LoopTrainer(config)).run())
    assert [report["network"] for report in told(tmp_path / "b")] == [
        report["network"] for report in told(tmp_path / "a")
    ]
