"""The runners keep one contract: every job has one result, whatever happens to the workers."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fake_task import Impatient, Number, Squares

from kibitz.errors import BadOption, BadRequest
from kibitz.fleet.dispatch import Dispatcher
from kibitz.fleet.inline import InlineRunner
from kibitz.fleet.jobs import Done, Loss, Note, Policy, Runner, run_jobs
from kibitz.fleet.processes import process_runner
from kibitz.fleet.runners import make_runner
from kibitz.fleet.threads import Threads
from kibitz.fleet.watched import run_watched

RUNNERS: dict[str, Callable[[Squares], Runner]] = {
    "here": InlineRunner,
    "threads": lambda task: Threads(task, 3),
    "processes": lambda task: process_runner(task, 2),
    "slots": lambda task: process_runner(task, 2, slots=3),
}
every_runner = pytest.mark.parametrize("make", RUNNERS.values(), ids=RUNNERS)


def results(runner: Runner, jobs: list[Number]) -> list[Any]:
    return sorted(event.result for event in run_jobs(runner, jobs) if isinstance(event, Done))


@every_runner
def test_every_job_has_its_result(make: Callable[[Squares], Runner]) -> None:
    events = list(run_jobs(make(Squares()), [Number(i) for i in range(20)]))
    done = [event for event in events if isinstance(event, Done)]
    assert sorted(event.result for event in done) == [(i, i * i) for i in range(20)]
    assert all(event.job.id == event.result[0] for event in done)
    notes = [(event.job.id, event.content) for event in events if isinstance(event, Note)]
    assert sorted(notes) == [(i, f"begin {i}") for i in range(20)]


@every_runner
def test_no_jobs(make: Callable[[Squares], Runner]) -> None:
    assert list(run_jobs(make(Squares()), [])) == []


@every_runner
def test_error_of_a_job_ends_the_run(make: Callable[[Squares], Runner]) -> None:
    jobs = [Number(i, "refuses" if i == 3 else "") for i in range(50)]
    with pytest.raises(BadOption, match="no such number"):
        results(make(Squares()), jobs)


@every_runner
def test_error_of_the_task_ends_the_run(make: Callable[[Squares], Runner]) -> None:
    with pytest.raises(BadOption, match="no such task"):
        results(make(Squares(fault="refuses")), [Number(1)])


def test_unforeseen_error_in_a_worker_process_is_one_line() -> None:
    with pytest.raises(BadRequest, match=r"^a worker process failed: RuntimeError: no idea$"):
        results(process_runner(Squares(), 1), [Number(1, "fails")])


@pytest.mark.parametrize("slots", [1, 3])
def test_lost_jobs_are_run_again(tmp_path: Path, slots: int) -> None:
    jobs = [Number(i, "dies once" if i in (2, 5) else "", seconds=0.05) for i in range(9)]
    assert results(process_runner(Squares(str(tmp_path)), 2, slots=slots), jobs) == [
        (i, i * i) for i in range(9)
    ]
    workers = {path.name for path in tmp_path.glob("pid-*")}
    assert len(workers) >= 3  # those that died were replaced


def test_a_job_that_kills_every_worker_ends_the_run() -> None:
    with pytest.raises(BadRequest, match="job 4 was lost 3 times; the last time the process"):
        results(process_runner(Squares(), 1), [Number(4, "dies")])


class Blame(Policy):
    def __init__(self) -> None:
        self.losses: list[tuple[int, Loss]] = []

    def patience(self, job: Any, notes: Any) -> float | None:
        return 0.5 if notes and job.fault == "hangs" else None

    def lost(self, job: Any, loss: Loss) -> Any:
        self.losses.append((job.id, loss))
        return job.id, -1


def test_policy_blames() -> None:
    policy = Blame()
    runner = process_runner(Squares(), 2, policy=policy)
    jobs = [Number(0), Number(1, "hangs"), Number(2, "dies"), Number(3)]
    assert results(runner, jobs) == [(0, 0), (1, -1), (2, -1), (3, 9)]
    assert sorted(policy.losses, key=lambda loss: loss[0]) == [
        (1, Loss("silent", "no sign of life for 0.5 s", ("begin 1",))),
        (2, Loss("crashed", "the process ended with code 17", ("begin 2",))),
    ]


def test_other_jobs_of_a_silent_worker_are_run_again() -> None:
    policy = Blame()
    jobs = [Number(1, "hangs"), Number(2, seconds=2.0), Number(3, seconds=2.0)]
    assert results(process_runner(Squares(), 1, slots=3, policy=policy), jobs) == [(1, -1), (2, 4), (3, 9)]
    assert [number for number, _ in policy.losses] == [1]


def test_a_job_is_watched_where_it_runs() -> None:
    """As on a cluster, whose runner hears of no notes."""
    worker = Squares().start()
    assert run_watched(worker, Number(3), Impatient()) == ((3, 9), False)
    assert run_watched(worker, Number(1, "hangs"), Impatient()) == ((1, -1), True)
    with pytest.raises(RuntimeError, match="no idea"):
        run_watched(worker, Number(2, "fails"), Impatient())


def test_worker_that_does_not_start() -> None:
    with pytest.raises(BadRequest, match=r"could not start .no sign of life"):
        results(process_runner(Squares(fault="slow to start"), 1, start_seconds=1.0), [Number(1)])


@every_runner
def test_leaving_early_ends_the_jobs(make: Callable[[Squares], Runner]) -> None:
    began = time.monotonic()
    events = run_jobs(
        make(Squares()), [Number(0), Number(1), *(Number(i, seconds=60.0) for i in range(2, 20))]
    )
    for event in events:
        if isinstance(event, Done):
            break
    events.close()
    assert time.monotonic() - began < 50


def test_choosing_a_runner() -> None:
    kinds = []
    for processes, slots in ((0, 1), (0, 4), (1, 4)):
        runner = make_runner(Squares(), processes, slots=slots)
        kinds.append((type(runner), runner.free))
        runner.close()
    assert kinds == [(InlineRunner, 1), (Threads, 4), (Dispatcher, 4)]
    with pytest.raises(BadOption, match="processes must be 0 or more"):
        make_runner(Squares(), -1)
