"""Processes that train together: the weights of one with the same batch, also after one was killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kibitz.errors import BadOption
from kibitz.training.samples import SampleReader, SampleWriter
from kibitz.training.train.config import ModelConfig, TrainConfig
from tests.training.test_samples import samples

torch = pytest.importorskip("torch")

from kibitz.training.train.checkpoint import latest  # noqa: E402
from kibitz.training.train.parallel import train_together  # noqa: E402
from kibitz.training.train.trainer import Trainer  # noqa: E402
from tests.training.test_train import config, data, weights  # noqa: E402, F401

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
ROOT = Path(__file__).parents[2]


def with_model(settings: TrainConfig, game: str) -> TrainConfig:
    if game == "othello":
        return settings
    # Batch norms: their statistics are the whole batch's.
    model = ModelConfig(game="chess", filters=8, blocks=1, policy_filters=8, value_filters=4, value_hidden=8)
    return replace(settings, model=model)


@pytest.mark.parametrize("game", ["othello", "chess"])
def test_two_processes_make_the_weights_of_one(tmp_path: Path, game: str) -> None:
    with SampleWriter(tmp_path / "data", game, shard_positions=60) as writer:
        for seed in range(8):
            writer.add(samples(game, seed))
    runs = {
        count: with_model(config(tmp_path / str(count), tmp_path / "data", processes=count), game)
        for count in (1, 2)
    }
    Trainer(runs[1]).run()
    train_together(runs[2])
    one, two = weights(tmp_path / "1"), weights(tmp_path / "2")
    assert one.keys() == two.keys()
    for name, value in one.items():
        # What a batch norm takes away again, such as a plane that is the same everywhere, has a gradient of
        # zero but for rounding, of which Adam makes steps of full size.
        if not ((game == "chess" and ".first." in f".{name}") or name.startswith("optimizer.")):
            torch.testing.assert_close(two[name], value, rtol=2e-3, atol=2e-5, msg=name)
    folders = [replace(runs[1].run, folder=str(tmp_path / count)) for count in ("1", "2")]
    losses = [Trainer(replace(runs[1], run=run), resume=True).evaluate() for run in folders]
    assert losses[0] == pytest.approx(losses[1], rel=2e-3)
    begun = Trainer(replace(runs[1], run=replace(runs[1].run, folder=str(tmp_path / "0"))))
    moved = max(
        float((one[f"net.{name}"] - value).abs().max()) for name, value in begun.net.state_dict().items()
    )
    assert moved > 0.01  # far more than what the comparison allows


DRIVE = """
import sys
from pathlib import Path
from tests.training.test_parallel import config, train_together
if __name__ == "__main__":
    folder, data = map(Path, sys.argv[1:])
    train_together(config(folder, data, steps=60, processes=2, checkpoint_minutes=0))
"""


def test_killed_process_is_replaced(tmp_path: Path, data: Path) -> None:  # noqa: F811
    folder = tmp_path / "two"
    with subprocess.Popen([sys.executable, "-c", DRIVE, str(folder), str(data)], cwd=ROOT) as driver:
        while (found := latest(folder) if folder.is_dir() else None) is None or step(found) < 5:
            assert driver.poll() is None
            time.sleep(0.01)
        victim = workers_of(driver.pid)[-1]
        os.kill(victim, signal.SIGKILL)
        killed_at = step(latest(folder))
        assert driver.wait() == 0
    assert 5 <= killed_at < 60
    Trainer(config(tmp_path / "one", data, steps=60)).run()
    one, two = weights(tmp_path / "one"), weights(folder)
    for name, value in one.items():
        if not name.startswith("optimizer."):
            torch.testing.assert_close(two[name], value, rtol=1e-2, atol=1e-4, msg=name)


def step(checkpoint: Any) -> int:
    return int(checkpoint.stem.partition("-")[2])


def workers_of(process: int) -> list[int]:
    """The processes that train, children of the launcher."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    named = {int(child): Path(f"/proc/{child}/cmdline").read_bytes() for child in children}
    return [child for child, words in named.items() if b"spawn_main" in words]


def test_parts_of_a_batch_are_the_batch(tmp_path: Path, data: Path) -> None:  # noqa: F811
    whole = next(SampleReader([data], batch=16, seed=4).batches(start=2))
    parts = [next(SampleReader([data], batch=16, seed=4, part=(at, 4)).batches(start=2)) for at in range(4)]
    assert [len(part) for part in parts] == [4] * 4
    for at, part in enumerate(parts):
        assert (part.planes == whole.planes[4 * at : 4 * at + 4]).all()
        assert (part.policy == whole.policy[4 * at : 4 * at + 4]).all()
    with pytest.raises(BadOption, match="cannot be shared by 3"):
        SampleReader([data], batch=16, part=(0, 3))
    with pytest.raises(BadOption, match="cannot be shared by 3"):
        train_together(config(tmp_path, data, processes=3))
    with pytest.raises(BadOption, match="a rendezvous"):
        train_together(config(tmp_path, data, processes=2, hosts=2))
