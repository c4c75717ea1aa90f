"""Ray on three hosts with addresses of their own (network namespaces): a run of self-play during which a host
is cut off and comes back, one is killed, and the head is killed and replaced. The store is that of a local
run, byte for byte. KIBITZ_HOSTS_GAMES=2000 makes the run longer."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hosts import Host, hosts, why_not

pytest.importorskip("ray", reason="Ray is not installed (pip install 'kibitz[ray]')")
pytest.importorskip("pyarrow", reason="samples need pyarrow")

from kibitz.request import Budget
from kibitz.training.settings import SelfplaySettings
from kibitz.training.shard_run import run_shards

pytestmark = [pytest.mark.slow, pytest.mark.alone, pytest.mark.timeout(600)]

GAMES = int(os.environ.get("KIBITZ_HOSTS_GAMES", "150"))
SETTINGS = SelfplaySettings("othello", games=GAMES, budget=Budget(visits=50), seed=2, preset="uct")
PORT = 6379
DRIVE = """
import socket, sys, threading, time
from test_hosts import SETTINGS, Slow
from kibitz.training import shard_run
from kibitz.training.shard_run import Place, run_shards

def watch():
    import ray
    known = None
    while True:
        if ray.is_initialized():
            alive = sum(node["Alive"] for node in ray.nodes())
            if alive != known:
                known = alive
                print(f"alive {alive}", flush=True)
        time.sleep(0.2)

if __name__ == "__main__":
    socket.sethostname(sys.argv[3])
    threading.Thread(target=watch, daemon=True).start()
    records = shard_run._records
    shard_run._records = lambda task, *more: records(Slow(task, float(sys.argv[4])), *more)
    place = Place(processes=2, parallel=1, fleet=sys.argv[2])
    for done in run_shards(SETTINGS, sys.argv[1], place=place, shard_games=1, wait=True):
        print(f"games {done}", flush=True)
"""


@dataclass(frozen=True)
class Slow:
    """A task whose jobs take so long at least, so that there is a run to disturb."""

    task: Any
    seconds: float

    def start(self) -> SlowWorker:
        return SlowWorker(self.task.start(), self.seconds)


class SlowWorker:
    def __init__(self, worker: Any, seconds: float) -> None:
        self._worker, self._seconds = worker, seconds

    def run(self, job: Any, say: Any) -> Any:
        time.sleep(self._seconds)
        return self._worker.run(job, say)

    def close(self) -> None:
        self._worker.close()


@pytest.fixture
def machines() -> Iterator[list[Host]]:
    if reason := why_not():
        pytest.skip(reason)
    with hosts(3) as made:
        yield made


class RayHosts:
    """Ray on a head, which plays no games, and nodes of one CPU."""

    def __init__(self, machines: list[Host], folder: Path) -> None:
        self.head, *self.nodes = machines
        self.folder = folder
        self.address = f"{self.head.address}:{PORT}"
        self.heads = 0
        #: Paths of sockets are short.
        self.short = Path(tempfile.mkdtemp(prefix="kibitz-"))
        self.environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *filter(None, sys.path)]),
            "RAY_USAGE_STATS_ENABLED": "0",
            # A cluster of this machine alone, started before in this process, has turned others off.
            "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "1",
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN": "0123456789abcdef0123456789abcdef",
            "KIBITZ_CACHE": str(folder / "cache"),
            # A host that is silent for so long is dead; Ray's own limits are minutes.
            "RAY_health_check_initial_delay_ms": "1000",
            "RAY_health_check_period_ms": "1000",
            "RAY_health_check_timeout_ms": "4000",
            "RAY_health_check_failure_threshold": "3",
            "RAY_gcs_rpc_server_reconnect_timeout_s": "5",
        }

    def start(self, *hosts: Host) -> None:
        """Start Ray on hosts at the same time, and wait for it; the head first."""
        if self.head in hosts:
            self._started([self.head])
        self._started([host for host in hosts if host is not self.head])

    def _started(self, hosts: list[Host], tries: int = 3) -> None:
        ray = str(Path(sys.executable).with_name("ray"))
        starting = {}
        for host in hosts:
            words = [ray, "start", "--node-ip-address", host.address, "--disable-usage-stats"]
            words += ["--object-store-memory", str(80 << 20)]
            if host is self.head:
                self.heads += 1
                words += ["--head", "--port", str(PORT), "--num-cpus", "0", "--include-dashboard", "false"]
                words += ["--temp-dir", f"{self.short}/{self.heads}"]
            else:
                words += ["--address", self.address, "--num-cpus", "1"]
            with (self.folder / "ray.txt").open("ab") as log:
                starting[host.name] = host.start(*words, env=self.environment, stdout=log, stderr=log)
        # Ray waits 30 s for its own processes, which a busy machine does not always keep.
        failed = [host for host in hosts if starting[host.name].wait()]
        assert not failed or tries > 1, (self.folder / "ray.txt").read_text()
        if failed:
            for host in failed:
                host.kill()
            self._started(failed, tries - 1)

    def drive(self, store: Path, name: str, slow: float = 0.0) -> subprocess.Popen[str]:
        """A driver on the head, on a machine of this name: its lease must run out before another has it."""
        words = ("unshare", "--uts", sys.executable, "-c", DRIVE, str(store), f"ray:{self.address}", name)
        words += (str(slow),)
        with (self.folder / f"driver-{name}.txt").open("wb") as log:
            return self.head.start(
                *words, env=self.environment, stdout=subprocess.PIPE, stderr=log, text=True
            )


class Driver:
    """What a driver prints; Ray writes lines of its own."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.games = self.alive = -1

    def wait_for(self, holds: Callable[[Driver], bool]) -> None:
        assert self._process.stdout is not None
        while not holds(self):
            line = self._process.stdout.readline()
            assert line, "the driver ended too early"
            word, _, number = line.strip().rpartition(" ")
            if word in ("games", "alive"):
                setattr(self, word, int(number))

    def more(self, games: int) -> None:
        """Wait for so many more games than there are now."""
        least = self.games + games
        self.wait_for(lambda driver: driver.games >= least)


def test_hosts_that_are_cut_off_killed_and_replaced(machines: list[Host], tmp_path: Path) -> None:
    ray = RayHosts(machines, tmp_path)
    first, second = ray.nodes
    clock = Clock()
    ray.start(*machines)
    clock.note("three hosts started")
    with ray.drive(tmp_path / "store", "one", 1.0) as process:
        driver = Driver(process)
        driver.wait_for(lambda driver: driver.alive == 3 and driver.games >= 4)
        clock.note(f"{driver.games} games; a host is cut off")
        first.cut()
        driver.wait_for(lambda driver: driver.alive == 2)
        clock.note(f"{driver.games} games; it is taken for dead")
        driver.more(6)  # the second host plays alone: no host is waited for
        first.join()
        while any(b"raylet/raylet" in first.words(process) for process in first.processes()):
            time.sleep(0.2)  # Ray ends itself there, since the others have gone on without it
        first.kill()
        clock.note(f"{driver.games} games; it is back, and its Ray has ended")
        ray.start(first)
        driver.wait_for(lambda driver: driver.alive == 3)
        second.kill()
        clock.note(f"{driver.games} games; Ray runs there again, and the other host is killed")
        driver.wait_for(lambda driver: driver.alive == 2)
        driver.more(6)  # now the first one plays
        clock.note(f"{driver.games} games; the head is killed")
        ray.head.kill()
    for host in machines:
        host.kill()
    ray.start(*machines)
    clock.note("three hosts started again")
    with ray.drive(tmp_path / "store", "two") as process:
        driver = Driver(process)
        driver.wait_for(lambda driver: driver.games >= 0)
        clock.note(f"the second driver has the run, with {driver.games} games")
        # What the first one counted in its last moments may not have been in the store yet: it is made again.
        assert 0 < driver.games < GAMES
        driver.wait_for(lambda driver: driver.games == GAMES)
        assert process.wait() == 0
    clock.note("all games")
    list(run_shards(SETTINGS, tmp_path / "local", shard_games=1))
    assert files(tmp_path / "store") == files(tmp_path / "local")
    shutil.rmtree(ray.short, ignore_errors=True)


class Clock:
    """What happened when, for whoever runs this with -s."""

    def __init__(self) -> None:
        self._began = time.monotonic()

    def note(self, text: str) -> None:
        print(f"{time.monotonic() - self._began:6.1f} s: {text}", flush=True)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}
