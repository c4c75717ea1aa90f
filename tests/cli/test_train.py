"""`kibitz train`: from a teacher to a network file, each command in small."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from kibitz.cli.app import make_app

pytest.importorskip("torch")
pytest.importorskip("pyarrow")


def kibitz(*words: object) -> Any:
    done = CliRunner().invoke(make_app(str(words[0])), [str(word) for word in words])
    assert done.exit_code == 0, done.output
    return done.output


CONFIG = """
[run]
folder = "run"
steps = 4
threads = 1
[data]
folders = ["data"]
batch = 4
holdout = 0
[model]
game = "uttt"
filters = 8
blocks = 1
"""


def test_the_whole_way(tmp_path: Path) -> None:
    data, config, file = tmp_path / "data", tmp_path / "uttt.toml", tmp_path / "uttt.knet"
    words = ("train", "label", "uttt", data, "--teacher", "solver", "--games", 3, "-o", "random_plies=60")
    labelled = re.search(r": (\d+) positions of ([1-9]\d*) games", kibitz(*words))
    assert labelled
    told = json.loads(kibitz("train", "samples", data, "--json"))
    assert told["positions"] == int(labelled[1]) >= 4
    config.write_text(CONFIG)
    kibitz("train", "run", "--config", config, "--steps", 2)
    kibitz("train", "run", "--config", config)  # goes on
    kibitz("train", "export", tmp_path / "run", "--output", file, "--name", "small")
    info = json.loads(kibitz("nets", "info", file, "--json"))
    assert (info["family"], info["game"], info["name"], info["steps"]) == ("kibitz", "uttt", "small", 4)
