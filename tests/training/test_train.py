"""Training in small: the loss falls, a run that was interrupted ends as one that was not."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from kibitz.errors import BadOption, BadRecord
from kibitz.nets import load
from kibitz.nets.own.architecture import tensor_shapes
from kibitz.training.plots import curves_picture, read_rows
from kibitz.training.samples import SampleWriter
from kibitz.training.train.config import (
    DataConfig,
    ModelConfig,
    OptimizerConfig,
    RunConfig,
    TrainConfig,
    architecture_of,
)
from kibitz.training.train.schedule import rate_at
from tests.training.test_samples import samples

torch = pytest.importorskip("torch")

from kibitz.training.export import export_network  # noqa: E402
from kibitz.training.train.checkpoint import latest, load_checkpoint  # noqa: E402
from kibitz.training.train.trainer import LOG, Trainer  # noqa: E402

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    with SampleWriter(folder, "othello", shard_positions=60) as writer:
        for seed in range(8):
            writer.add(samples("othello", seed))
    return folder


def config(folder: Path, data: Path, **run: Any) -> TrainConfig:
    return TrainConfig(
        RunConfig(str(folder), **{"steps": 12, "threads": 1, "log_every": 4, "precision": "fp32", **run}),
        DataConfig((str(data),), batch=16, holdout=4, shards_at_once=2),
        ModelConfig(game="othello", filters=8, blocks=2, pool_every=2, pool_filters=4, value_hidden=8),
        OptimizerConfig(rate=5e-3, warmup=2, average=0.9),
    )


def weights(folder: Path) -> dict[str, Any]:
    path = latest(folder)
    assert path is not None
    return load_checkpoint(path)[0]


def test_an_interrupted_run_ends_with_the_same_weights(tmp_path: Path, data: Path) -> None:
    """Bit for bit: weights, their average and the optimizer's state."""
    Trainer(config(tmp_path / "whole", data)).run()
    for _ in range(3):
        Trainer(config(tmp_path / "parts", data), resume=True).run(stop_after=4)
    whole, parts = weights(tmp_path / "whole"), weights(tmp_path / "parts")
    assert whole.keys() == parts.keys()
    assert any(name.startswith("optimizer.") for name in whole)
    for name, value in whole.items():
        assert torch.equal(value, parts[name]), name


def test_new_samples_do_not_change_a_run_that_goes_on(tmp_path: Path, data: Path) -> None:
    """Unless they are asked for: a run is repeatable while self-play goes on."""
    mine = tmp_path / "data"
    mine.mkdir()
    for path in data.iterdir():
        (mine / path.name).write_bytes(path.read_bytes())
    Trainer(config(tmp_path / "run", mine)).run(stop_after=4)
    with SampleWriter(mine, "othello", shard_positions=60) as writer:
        for seed in range(50, 53):
            writer.add(samples("othello", seed))
    same = Trainer(config(tmp_path / "run", mine), resume=True)
    more = Trainer(config(tmp_path / "run", mine), resume=True, new_data=True)
    assert more.reader.positions > same.reader.positions
    same.run()
    Trainer(config(tmp_path / "whole", data)).run()
    for name, value in weights(tmp_path / "whole").items():
        assert torch.equal(value, weights(tmp_path / "run")[name]), name


def test_the_loss_falls_and_is_logged(tmp_path: Path, data: Path) -> None:
    rows: list[dict[str, Any]] = []
    Trainer(config(tmp_path, data, steps=40, evaluate_every=20)).run(rows.append)
    logged = [json.loads(line) for line in (tmp_path / LOG).read_text().splitlines()]
    assert logged == rows
    trained = [row["total"] for row in rows if "total" in row]
    assert trained[-1] < trained[0]
    held = [row["evaluation"]["total"] for row in rows if "evaluation" in row]
    assert len(held) == 2
    assert held[-1] < held[0]


def test_a_run_becomes_a_network(tmp_path: Path, data: Path) -> None:
    Trainer(config(tmp_path / "run", data)).run()
    export_network(tmp_path / "run", tmp_path / "a.knet")
    network = load(tmp_path / "a.knet", game="othello")
    about = network.model.about
    assert about["steps"] == 12
    assert about["positions"] == 12 * 16
    assert about["configuration"]["model"]["filters"] == 8
    assert len(about["data"]) > 1
    assert str(data) not in json.dumps(about)
    policy, outcomes = network(np.zeros((1, 3, 8, 8), np.float32))
    assert policy.shape == (1, 65)
    assert np.isfinite(outcomes).all()


def test_a_run_ends_with_its_time(tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that goes on by a second at each look: the run stops after two minutes, whatever the steps,
    with the rate at its end and an evaluation; time before an interruption counts."""
    clock = itertools.count(0.0, 1.0)
    mine = SimpleNamespace(monotonic=lambda: next(clock))
    monkeypatch.setattr("kibitz.training.train.trainer.time", mine)
    settings = {"steps": 10_000, "minutes": 2.0, "log_every": 10, "checkpoint_minutes": 1e4}
    Trainer(config(tmp_path, data, **settings)).run(stop_after=50)
    rows: list[dict[str, Any]] = []
    trainer = Trainer(config(tmp_path, data, **settings), resume=True)
    assert 40 < trainer.progress.seconds < 60
    trainer.run(rows.append)
    assert 100 < trainer.progress.step < 130
    assert trainer.progress.seconds >= 120
    rates = [row["rate"] for row in rows if "rate" in row]
    assert rates == sorted(rates, reverse=True)
    assert rates[-1] == pytest.approx(trainer.config.optimizer.rate * trainer.config.optimizer.final)
    assert "evaluation" in rows[-1]


def test_boards_of_several_sizes_train_together(tmp_path: Path) -> None:
    with SampleWriter(tmp_path / "data", "go") as writer:
        for size in (5, 7):
            writer.add(replace(samples("go", 1, size=size), game_id=str(size)))
    wanted = config(tmp_path / "run", tmp_path / "data", steps=3)
    wanted = replace(
        wanted,
        data=DataConfig((str(tmp_path / "data"),), batch=60, holdout=0),
        model=replace(wanted.model, game="go"),
    )
    rows: list[dict[str, Any]] = []
    Trainer(wanted).run(rows.append)
    assert np.isfinite(rows[-1]["total"])


def test_what_is_refused(tmp_path: Path, data: Path) -> None:
    Trainer(config(tmp_path / "run", data)).run(stop_after=1)
    with pytest.raises(BadOption, match="holds a run already"):
        Trainer(config(tmp_path / "run", data))
    other = config(tmp_path / "run", data)
    with pytest.raises(BadOption, match="does not fit"):
        Trainer(replace(other, model=replace(other.model, filters=12)), resume=True)
    with pytest.raises(BadOption, match="samples are of othello"):
        Trainer(replace(config(tmp_path / "x", data), model=replace(other.model, game="uttt")))
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "step-000000001.safetensors").write_bytes(b"nothing")
    with pytest.raises(BadRecord, match="damaged checkpoint"):
        Trainer(config(tmp_path / "bad", data), resume=True)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[run]\nstepz = 3\n[model]\ngame = 'go'", "unknown field 'stepz'"),
        ("[rum]\n", "unknown table"),
        ("[model]\ngame = 'go'\nfilters = 'many'", "'filters' in .model. must be a int"),
        ("[model]\ngame = 'go'\n[run]\nprecision = 'fp8'", "precision must be one of"),
        ("[model]\ngame = 'go'\nblocks = 0", "blocks must be"),
        ("[model]\ngame = 'go'\nfilters = 8\npool_filters = 8", "pool_filters must be less"),
        ("[model]\ngame = 'chess'\nlayout = 'pooling'", "policy of chess has 1858 outputs"),
        ("[model]\ngame = 'junqi'", "no samples"),
        ("not toml", "no TOML"),
    ],
)
def test_a_wrong_configuration_is_named(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "a.toml"
    path.write_text(text)
    with pytest.raises(ValueError, match=why):
        TrainConfig.read(path)


def test_a_configuration_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text("[run]\nfolder = 'r'\n[data]\nfolders = ['d']\n[model]\ngame = 'go'\n[loss]\nstyle = 1\n")
    read = TrainConfig.read(path)
    assert read.run.folder == str(tmp_path.resolve() / "r")
    assert read.data.folders == (str(tmp_path.resolve() / "d"),)
    assert TrainConfig.from_dict(json.loads(json.dumps(read.to_dict()))) == read


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("train-*.toml")), ids=lambda path: path.stem)
def test_the_example_configurations_are_sound(path: Path) -> None:
    """They describe the bundled networks, which have at most 4 MB."""
    read = TrainConfig.read(path)
    arch = architecture_of(read.model)
    weights = sum(int(np.prod(shape)) for shape in tensor_shapes(arch).values())
    assert 2 * weights < 4_000_000


def test_the_schedule() -> None:
    settings = OptimizerConfig(rate=1.0, warmup=10, final=0.1)
    rates = [rate_at(settings, step, 100) for step in range(101)]
    assert rates[9] == rates[10] == 1.0
    assert rates[:10] == sorted(rates[:10])
    assert rates[10:] == sorted(rates[10:], reverse=True)
    assert rates[100] == pytest.approx(0.1)


def test_curves_of_a_run(tmp_path: Path) -> None:
    rows = [
        {"step": 50, "total": 3.0, "policy": 2.0, "rate": 0.1},
        {"step": 100, "total": 2.5, "policy": 1.5, "rate": 0.1},
        {"step": 100, "evaluation": {"total": 2.75, "policy": 1.6}},
        {"step": 100, "total": 2.25, "policy": 1.25, "rate": 0.1},  # again, after a kill
    ]
    (tmp_path / LOG).write_text("".join(json.dumps(row) + "\n" for row in rows))
    read = read_rows(tmp_path)
    assert [row.get("total") for row in read] == [3.0, 2.25, None]
    picture = curves_picture("<run>", read)
    root = ElementTree.fromstring(picture)
    lines = [item for item in root.iter() if item.tag.endswith("polyline")]
    assert len(lines) == 4  # total and policy, in training and held back
    assert "<run>" not in picture
    (tmp_path / LOG).write_text("nonsense")
    with pytest.raises(BadRecord, match="line 1"):
        read_rows(tmp_path)
    with pytest.raises(BadRecord, match="no training run"):
        read_rows(tmp_path / "nothing")
