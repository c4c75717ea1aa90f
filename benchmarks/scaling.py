"""What a fleet does, by simulation: the real dispatcher with simulated machines (simulated_fleet.py).

    python benchmarks/scaling.py                      tables of the four workloads
    python benchmarks/scaling.py --check              the simulation against real runs with 1, 2 and 4 workers
    python benchmarks/scaling.py --check --hosts 2    and on Ray's nodes on hosts of their own (by root)

A job is a block of games (or of reviews) that one worker plays and writes to the store; the driver takes a
record of it. Figures of the workloads are those of docs/scaling.md, for one core; a worker is one core. The
check runs the real driver, worker processes and store with workers that sleep as long as a block takes, so
that it says something of the machinery and nothing of how busy this machine is.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

sys.path.pop(0)
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.simulated_fleet import Machines, simulate
from kibitz.files.store import open_store
from kibitz.fleet.dispatch import Dispatcher, Ready
from kibitz.fleet.jobs import Done, run_jobs
from kibitz.fleet.runners import make_runner
from kibitz.training.samples.ledger import Ledger
from kibitz.training.samples.manifest import Shard


@dataclass(frozen=True)
class Workload:
    """What a core does of it."""

    name: str
    games_per_second: float
    block: int
    positions: float
    """Of a game."""
    stored: float
    """Bytes of a position in the store."""
    network: int
    """Bytes that a machine fetches."""


WORKLOADS = (
    Workload("Othello self-play, 16 visits, 32x4 network", 8.6, 64, 60, 52, 162_000),
    Workload("Chess self-play, 400 visits, maia", 0.07, 4, 100, 300, 3_500_000),
    Workload("Go 19x19 self-play, 100 visits, b18c384nbt int8", 0.0009, 1, 220, 400, 98_000_000),
    Workload("Reviews of chess games, normal effort", 0.03, 4, 80, 200, 3_500_000),
)
#: Cores of a machine, which share the files that it fetches; blocks of a worker in a run, at least.
_CORES, _BLOCKS = 16, 60
#: A cloud core and hour, and a GB of an object store and month, in euros.
CORE_HOUR, GB_MONTH = 0.02, 0.02


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--hosts", type=int, default=0, help="network namespaces, each a node of a CPU")
    parser.add_argument("--fleet", default="", help="where the workers of a check are")
    parser.add_argument("--workers", type=int, nargs="+", default=[10, 100, 1000, 10_000])
    parser.add_argument("--only", default="", help="the workload whose name begins so")
    parser.add_argument("--block", type=int, default=0, help="games of a block instead of the workload's")
    parser.add_argument("--hours", type=float, default=0.5, help="that the run lasts, about")
    parser.add_argument("--start-seconds", type=float, default=20.0)
    parser.add_argument("--record-seconds", type=float, default=0.003, help="the driver's CPU time a block")
    parser.add_argument("--link-mbit", type=float, default=1000.0, help="of the driver")
    parser.add_argument("--store-mbit", type=float, default=10_000.0, help="of the store, for all writers")
    parser.add_argument("--hours-to-death", type=float, default=24.0)
    asked = parser.parse_args()
    if asked.check and asked.hosts:
        check_on_hosts(asked.hosts)
    elif asked.check:
        check(asked.workers if asked.fleet else [1, 2, 4], asked.fleet)
    if asked.check:
        return
    for workload in WORKLOADS:
        if not workload.name.startswith(asked.only):
            continue
        workload = replace(workload, block=asked.block or workload.block)
        print(f"\n{workload.name}\n")
        print(
            "| workers | games/s | of ideal | driver busy | network sent | to the store | stored/day "
            "| blocks redone | euros/h | next limit |\n|---|---|---|---|---|---|---|---|---|---|"
        )
        for workers in asked.workers:
            print(row(workload, workers, asked), flush=True)


def row(work: Workload, workers: int, asked: argparse.Namespace) -> str:
    seconds = max(3600 * asked.hours, _BLOCKS * work.block / work.games_per_second)
    fleet = Machines(
        machines=workers,
        slots=2,
        job_seconds=2 * work.block / work.games_per_second,
        start_seconds=asked.start_seconds,
        file_bytes=work.network // _CORES,
        result_bytes=1000,
        link_bytes=asked.link_mbit * 125e3,
        sender_seconds=asked.record_seconds,
        hours_to_death=asked.hours_to_death,
    )
    blocks = int(work.games_per_second / work.block * seconds * workers)
    outcome = simulate(fleet, blocks)
    games = outcome.jobs_per_second * work.block
    stored = games * work.positions * work.stored
    share = games / (workers * work.games_per_second)
    limits = {
        "driver": outcome.sender_share,
        "driver's link at the start": outcome.fetched_bytes / fleet.link_bytes / outcome.seconds,
        "store": stored / (asked.store_mbit * 125e3),
    }
    day = stored * 86400 / 1e9
    cost = workers * CORE_HOUR + day * GB_MONTH / 30 / 24
    return (
        f"| {workers:,} | {games:,.2f} | {100 * share:.0f}% | {100 * outcome.sender_share:.1f}% "
        f"| {outcome.fetched_bytes / 1e9:,.2f} GB | {stored / 1e6:,.3f} MB/s | {day:,.1f} GB "
        f"| {outcome.jobs_begun - outcome.results:,} | {cost:,.2f} | {max(limits, key=limits.__getitem__)} "
        f"({100 * max(limits.values()):.1f}%) |"
    )


# -- the check ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Nap:
    """A block that takes so long, between half and one and a half of the mean as in the simulation."""

    id: int
    seconds: float


@dataclass(frozen=True)
class NapTask:
    place: str

    def start(self) -> NapTask:
        return self

    def run(self, job: Nap, say: Any) -> Shard:
        time.sleep(job.seconds)
        name = f"shard-{job.id:06d}-{job.id:012x}.parquet"
        open_store(self.place).write(name, bytes(20_000))
        return Shard(name, "", 20_000, 1, 1, 0, 0, job.id)

    def close(self) -> None:
        pass


def check_on_hosts(count: int) -> None:
    """The same with a driver on the head of a Ray cluster and a worker on each of the other hosts."""
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "fleet"))
    from hosts import hosts
    from test_hosts import RayHosts

    with hosts(count + 1) as machines, tempfile.TemporaryDirectory() as folder:
        cluster = RayHosts(machines, Path(folder))
        cluster.start(*machines)
        words = (__file__, "--check", "--fleet", f"ray:{cluster.address}", "--workers", str(count))
        with machines[0].start(sys.executable, *words, env=cluster.environment) as driver:
            sys.exit(driver.wait())


def wait_for_workers(runner: Dispatcher) -> None:
    """Until all of them have started, which is not what is checked."""
    while not all(member.ready for member in runner._members.values()):
        for message in runner._backend.wait():
            assert isinstance(message, Ready), message
            runner._hear(message)


def check(counts: list[int], fleet: str, seconds: float = 4.0, blocks: int = 12) -> None:
    """Real runs of sleeping workers, from the first record to the last, beside what the simulation says."""
    import random

    print("| workers | measured blocks/s | predicted | off by |\n|---|---|---|---|")
    for workers in counts:
        machines = Machines(machines=workers, slots=2, job_seconds=seconds, start_seconds=0.0)
        count = blocks * workers
        predicted = simulate(replace(machines, sender_seconds=0.003), count).seconds
        chance = random.Random(0)
        jobs = [Nap(number, seconds * chance.uniform(0.5, 1.5)) for number in range(count)]
        with tempfile.TemporaryDirectory() as folder, Ledger(folder, "othello") as ledger:
            runner = make_runner(NapTask(folder), workers, slots=2, fleet=fleet)
            wait_for_workers(runner)
            began = time.monotonic()
            for event in run_jobs(runner, jobs):
                if isinstance(event, Done):
                    ledger.add(event.result)
                    ended = time.monotonic()
        measured = ended - began
        off = 100 * (predicted / measured - 1)
        print(f"| {workers} | {count / measured:.3f} | {count / predicted:.3f} | {off:+.1f}% |", flush=True)


if __name__ == "__main__":
    main()
