"""Choosing a runner."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from kibitz.errors import BadOption
from kibitz.fleet.inline import InlineRunner
from kibitz.fleet.jobs import Policy, Runner, Task
from kibitz.fleet.processes import START_SECONDS, process_runner
from kibitz.fleet.threads import Threads


def make_runner(
    task: Task,
    processes: int,
    *,
    slots: int = 1,
    policy: Policy | None = None,
    name: str = "kibitz-worker",
    start_seconds: float | None = START_SECONDS,
    fleet: str = "",
) -> Runner:
    """A runner with so many worker processes of so many jobs at once; 0 processes run the jobs in this
    one. `fleet` is empty for this machine, `ray` or `ray:ADDRESS` for a Ray cluster, where 0 processes are
    one for each CPU, and jobs of workers that died are run again."""
    if processes < 0 or slots < 1:
        raise BadOption(
            f"processes must be 0 or more and jobs at once 1 or more, got {processes} and {slots}"
        )
    address = ray_address(fleet)
    if address is not None:
        from kibitz.fleet.ray_cluster import ray_runner  # Ray is an extra, and slow to import

        return ray_runner(task, processes, slots=slots, address=address, policy=policy)
    if processes:
        return process_runner(
            task, processes, slots=slots, policy=policy, name=name, start_seconds=start_seconds
        )
    return Threads(task, slots) if slots > 1 else InlineRunner(task)


@contextlib.contextmanager
def connected(fleet: str, workers: int) -> Iterator[None]:
    """Stays connected to a fleet, so that several runners after one another find it there. `workers` is the
    number of CPUs of a cluster that is started for it, 0 for all."""
    address = ray_address(fleet)
    if address is None:
        yield
        return
    from kibitz.fleet.ray_cluster import ray_connection

    with ray_connection(address, workers):
        yield


def ray_address(fleet: str) -> str | None:
    """The address of a Ray cluster, empty for one of this machine; None where no cluster is meant."""
    kind, _, address = fleet.partition(":")
    if kind == "ray":
        return address
    if fleet not in ("", "local"):
        raise BadOption(f"unknown fleet {fleet!r}, expected local, ray or ray:ADDRESS")
    return None
