"""Choosing a runner."""

from __future__ import annotations

from kibitz.errors import BadOption
from kibitz.fleet.here import Here
from kibitz.fleet.jobs import Policy, Runner, Task
from kibitz.fleet.processes import START_SECONDS, Processes
from kibitz.fleet.threads import Threads

__all__ = ["make_runner"]


def make_runner(
    task: Task,
    processes: int,
    *,
    slots: int = 1,
    policy: Policy | None = None,
    name: str = "kibitz-worker",
    start_seconds: float | None = START_SECONDS,
) -> Runner:
    """A runner with so many worker processes of so many jobs at once; 0 processes run the jobs in this
    one."""
    if processes < 0 or slots < 1:
        raise BadOption(
            f"processes must be 0 or more and jobs at once 1 or more, got {processes} and {slots}"
        )
    if processes:
        return Processes(task, processes, slots=slots, policy=policy, name=name, start_seconds=start_seconds)
    return Threads(task, slots) if slots > 1 else Here(task)
