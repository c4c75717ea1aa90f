"""The training loop as a pipeline: who is slow is not waited for, and a kill anywhere loses nothing that was
decided. What every generation says of itself is compared with what another program makes of it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kibitz.errors import BadRequest
from kibitz.fleet.content import digest_of
from kibitz.fleet.jobs import Done, Quiet, run_jobs_beside
from kibitz.fleet.runners import make_runner
from kibitz.training.loop import TrainingLoop
from kibitz.training.loop_config import LoopPlace
from kibitz.training.loop_games import LoopBlock, LoopGames, LoopTask
from kibitz.training.run_state import run_state
from kibitz.training.samples.ledger import Ledger
from kibitz.training.shard_run import run_shards
from kibitz.training.shard_task import Block, SampleNames
from tests.fleet.fake_task import Number, Squares
from tests.training.test_loop import CONFIG, Fake

pytest.importorskip("pyarrow", reason="samples need pyarrow")
pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

ROOT = Path(__file__).parents[2]
GENERATIONS = 5
PIPELINE = replace(
    CONFIG,
    generations=GENERATIONS,
    window=2,
    shard_games=2,
    fleet=LoopPlace(processes=1, parallel=2, gate=1),
)


class Slow(Fake):
    """Trains until the games of two generations more are there."""

    def train(
        self, data: Sequence[Path], number: int, folder: Path, network: Path, seed: int
    ) -> Mapping[str, Any]:
        newest = data[-1].parent
        generation = int(newest.name[4:]) + 2
        while not (newest.parent / f"gen-{generation:04d}" / "selfplay.json").is_file():
            time.sleep(0.02)
        return super().train(data, number, folder, network, seed)


class Dies(Fake):
    """Its process dies when it trains for the first time."""

    def train(
        self, data: Sequence[Path], number: int, folder: Path, network: Path, seed: int
    ) -> Mapping[str, Any]:
        folder.mkdir(exist_ok=True)
        if not (folder / "died").is_file():
            (folder / "died").touch()
            os._exit(17)
        return super().train(data, number, folder, network, seed)


def reports_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_text()) for path in sorted(folder.glob("gen-*/report.json"))]


def check(folder: Path, generations: int = GENERATIONS) -> None:
    """What the reports say is what lies there, and the games are those that their network plays."""
    reports = reports_of(folder)
    assert [report["generation"] for report in reports] == list(range(len(reports)))
    assert sum(bool(report["network"]) for report in reports) == 1 + generations
    networks = {digest_of(path): path for path in folder.glob("gen-*/net.bin")}
    best = reports[0]
    for report in reports[1:]:
        place = folder / f"gen-{report['generation']:04d}"
        begun = json.loads((place / "begun.json").read_text())
        assert report["parent"] == best["network"]
        if not (place / "selfplay.json").is_file():  # the loop was over before
            assert report["network"] is None
            continue
        assert report["selfplay"]["games"] == CONFIG.selfplay.games
        assert report["selfplay"]["network"] == begun["network"]
        assert (report["network"] is None) == (not (place / "net.bin").is_file())
        assert report["network"] is None or report["network"] in networks
        if report["gate"] is None:
            assert not report["promoted"]
        if report["promoted"]:
            best = report
        # A run of its own with that network, in one process, writes the same files.
        network = str(networks[begun["network"]])
        settings = PIPELINE.games_of(report["generation"], network, resign=begun["resign"])
        source = f"go loop {PIPELINE.digest}, network {begun['network']}"
        names = SampleNames(source, report["generation"])
        again = place / "again"
        list(run_shards(settings, again, names=names, shard_games=2))
        assert shards(again) == shards(place / "samples")
        assert len(shards(again)) == 2


def shards(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("shard-*.parquet")}


def test_nobody_waits_for_the_trainer(tmp_path: Path) -> None:
    """With a slow trainer the games of later generations go on, and networks are made of the newest."""
    steps = list(TrainingLoop(PIPELINE, tmp_path, Slow()).run())
    check(tmp_path)
    trained = [step.generation for step in steps if step.stage == "train" and step.done]
    finished = [step.generation for step in steps if step.stage == "finished"]
    state = run_state(tmp_path)
    assert state["run"] == str(max(tmp_path.glob("gen-*/samples")))
    assert (state["game"], state["of"]) == ("go", CONFIG.selfplay.games)
    assert len(trained) == GENERATIONS
    assert trained[-1] > GENERATIONS  # generations were played while a network was trained
    assert finished == list(range(1, trained[-1] + 1))
    for report in reports_of(tmp_path)[1:]:
        assert (report["network"] is not None) == (report["generation"] in trained)


def test_trainer_that_dies_is_replaced(tmp_path: Path) -> None:
    config = replace(PIPELINE, generations=2)
    list(TrainingLoop(config, tmp_path, Dies()).run())
    assert (tmp_path / "train" / "died").is_file()
    check(tmp_path, 2)


DRIVE = """
import sys
from tests.training.test_pipeline import PIPELINE, Fake, TrainingLoop
if __name__ == "__main__":
    for step in TrainingLoop(PIPELINE, sys.argv[1], Fake()).run():
        print(step.stage, step.generation, step.done, flush=True)
"""


@pytest.mark.parametrize("point", ["selfplay 1 2", "selfplay 3 2", "train 2 1", "gate 1 1", "finished 3 1"])
def test_killed_loop_goes_on(tmp_path: Path, point: str) -> None:
    folder = tmp_path / "loop"
    words = [sys.executable, "-c", DRIVE, str(folder)]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as driver:
        assert driver.stdout is not None
        stage, number, _ = point.split()
        for line in driver.stdout:  # a generation may have been passed over
            now = line.split()
            if line.strip() == point or (now[0] == stage and int(now[1]) > int(number)):
                break
        os.kill(driver.pid, signal.SIGKILL)
    decided = {path: path.read_bytes() for path in folder.glob("gen-*/begun.json")}
    decided |= {path: path.read_bytes() for path in folder.glob("gen-*/training.json")}
    assert driver.returncode == -signal.SIGKILL
    list(TrainingLoop(PIPELINE, folder, Fake()).run())
    for path, content in decided.items():
        assert path.read_bytes() == content
    check(folder)
    # The same folder is that of the loop whose roles take turns; it has nothing left to do.
    assert list(TrainingLoop(replace(PIPELINE, fleet=LoopPlace()), folder, Fake()).run()) == []


def test_network_that_is_another_is_refused(tmp_path: Path) -> None:
    Fake().first(tmp_path / "net.bin", 1)
    settings = PIPELINE.games_of(1, str(tmp_path / "net.bin"), resign=True)
    Ledger(tmp_path / "samples", "go").close()
    games = LoopGames(settings, "0" * 64, str(tmp_path / "samples"), SampleNames())
    worker = LoopTask(parallel=1, threads=1).start()
    with pytest.raises(BadRequest, match="is not the network 000000000000"):
        worker.run(LoopBlock(0, 1, games, Block(0, 0, 1)), print)
    right = replace(games, digest=digest_of(tmp_path / "net.bin"))
    assert worker.run(LoopBlock(1, 1, right, Block(0, 0, 1)), print).games == 1
    worker.close()


@pytest.mark.parametrize("processes", [0, 2])
def test_reader_with_other_work_hears_that_nothing_happens(processes: int) -> None:
    """Jobs that come when they like: none at first, then some, then none for a while."""
    news = iter([None, Number(1), None, Number(2, seconds=0.3), None, None, Number(3)])
    events = list(run_jobs_beside(make_runner(Squares(), processes), news, 0.02))
    assert sorted(event.result for event in events if isinstance(event, Done)) == [(1, 1), (2, 4), (3, 9)]
    assert any(isinstance(event, Quiet) for event in events)
