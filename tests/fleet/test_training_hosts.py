"""Training on two hosts with addresses of their own (network namespaces): the weights of one process with the
same batch, also when one host is lost and comes back."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hosts import Host, hosts, why_not

torch = pytest.importorskip("torch")
pytest.importorskip("pyarrow", reason="samples need pyarrow")

from kibitz.training.samples import SampleWriter  # noqa: E402
from kibitz.training.train.checkpoint import latest  # noqa: E402
from kibitz.training.train.trainer import Trainer  # noqa: E402
from tests.training.test_samples import samples  # noqa: E402
from tests.training.test_train import config, weights  # noqa: E402

pytestmark = [pytest.mark.slow, pytest.mark.alone, pytest.mark.timeout(600)]
ROOT = Path(__file__).parents[2]
STEPS = 60
DRIVE = """
import sys
from pathlib import Path
from kibitz.training.train.parallel import train_together
from tests.training.test_train import config
if __name__ == "__main__":
    folder, data = map(Path, sys.argv[1:3])
    together = {"processes": 1, "hosts": 2, "rendezvous": sys.argv[3]}
    train_together(config(folder, data, steps=int(sys.argv[4]), checkpoint_minutes=0, **together))
"""


@pytest.fixture
def machines() -> Iterator[list[Host]]:
    if reason := why_not():
        pytest.skip(reason)
    with hosts(2) as made:
        yield made


def start(host: Host, machines: list[Host], folder: Path, log: Path) -> subprocess.Popen[Any]:
    meeting = f"{machines[0].address}:29500"
    words = (sys.executable, "-c", DRIVE, str(folder), str(folder.parent / "data"), meeting, str(STEPS))
    with log.open("ab") as file:
        return host.start(
            *words, cwd=ROOT, stdout=file, stderr=file, env={**os.environ, "OMP_NUM_THREADS": "1"}
        )


@pytest.mark.parametrize("fault", ["none", "the second host is lost"])
def test_two_hosts_make_the_weights_of_one(machines: list[Host], tmp_path: Path, fault: str) -> None:
    with SampleWriter(tmp_path / "data", "othello", shard_positions=60) as writer:
        for seed in range(8):
            writer.add(samples("othello", seed))
    folder, log = tmp_path / "two", tmp_path / "log.txt"
    began = time.monotonic()
    running = [start(host, machines, folder, log) for host in machines]
    if fault != "none":
        while (found := latest(folder) if folder.is_dir() else None) is None or step(found) < 5:
            assert running[0].poll() is None, log.read_text()
            time.sleep(0.01)
        machines[1].kill()
        running[1].wait()
        lost = step(latest(folder))
        print(f"\n{time.monotonic() - began:.1f} s: the second host is lost at step {lost}")
        assert 5 <= lost < STEPS
        running[1] = start(machines[1], machines, folder, log)
    assert [process.wait() for process in running] == [0, 0], log.read_text()
    print(f"{time.monotonic() - began:.1f} s: trained")
    Trainer(config(tmp_path / "one", tmp_path / "data", steps=STEPS)).run()
    one, two = weights(tmp_path / "one"), weights(folder)
    assert one.keys() == two.keys()
    farthest = 0.0
    for name, value in one.items():
        if not name.startswith("optimizer."):
            torch.testing.assert_close(two[name], value, rtol=1e-2, atol=1e-4, msg=name)
            farthest = max(farthest, float((two[name] - value).abs().max()))
    begun = Trainer(config(tmp_path / "0", tmp_path / "data", steps=STEPS))
    moved = max(float((one[f"net.{name}"] - old).abs().max()) for name, old in begun.net.state_dict().items())
    print(f"weights differ by at most {farthest:.1e}, training moved them by up to {moved:.1e}")
    assert moved > 100 * farthest


def step(checkpoint: Any) -> int:
    return int(checkpoint.stem.partition("-")[2])
