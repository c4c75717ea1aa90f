"""The contract of the job runner.

A *task* is what a run is about: it is sent to every worker process and makes a *worker* there. A worker runs
*jobs*: plain data with a number, such as a whole game to be played. A *runner* hands out jobs and brings back
results, in any order. What a job's result is must not depend on which worker ran it, so a job that was lost
with its worker can be run again by another.

Threads: a runner and its events belong to one thread. `Worker.run` is called from other threads, from
several at once where the runner is set to; `Worker.close` and `say` may be called while jobs run.

Blocking: `Runner.wait` blocks until there is an event, or for so many seconds; everything else returns at
once, apart from starting and ending processes. The job of a runner without threads or processes is run by
`wait`, whatever its limit.

Sent between processes: tasks, jobs, notes and results, as the pipes of `multiprocessing` send them. Nothing
is ever unpickled from a file. A runner on a cluster needs no more than this contract; it may drop notes.
A task that reads files may name them (`files`, a tuple of paths) and say what it is where they lie somewhere
else (`located(places)`): then a cluster brings them to machines that do not have them.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Protocol


class Job(Protocol):
    """Plain data that says what is to be done, with whatever random seed it takes."""

    @property
    def id(self) -> int:
        """The number of the job; no two jobs of a run have the same."""


#: Called by a job that runs, with plain data: how far it is, whose turn it is.
Say = Callable[[Any], None]


class Worker(Protocol):
    """Runs jobs; lives in one process. It may also have `kill()`: as `close`, but at once, since the parent
    was killed."""

    def run(self, job: Any, say: Say) -> Any:
        """The result of a job, as plain data. A KibitzError ends the whole run with its message."""

    def close(self) -> None:
        """End the jobs that still run, in whatever way, and free everything; may be called twice."""


class Task(Protocol):
    """What a run is about; travels to the worker processes."""

    def start(self) -> Worker:
        """A worker, made once in each process; raises KibitzError when the task cannot be carried out."""


@dataclass(frozen=True)
class Note:
    """What a running job said."""

    job: Any
    content: Any


@dataclass(frozen=True)
class Done:
    """A job has its result."""

    job: Any
    result: Any


Event = Note | Done


@dataclass(frozen=True)
class Quiet:
    """Nothing happened for a while."""


@dataclass(frozen=True)
class Loss:
    """A job whose worker is no more: `crashed`, or ended by us after it was `silent` for too long."""

    reason: str
    detail: str
    notes: tuple[Any, ...]
    """All that the job said before."""


class Policy:
    """What to do about workers that die or fall silent; this one waits for ever and runs lost jobs again."""

    def patience(self, job: Any, notes: Sequence[Any]) -> float | None:
        """Seconds a job that said `notes` may be silent now; None sets no limit."""
        return None

    def lost(self, job: Any, loss: Loss) -> Any | None:
        """The result of a job that was lost, where somebody is to blame for it; None runs it again."""
        return None


class Runner(Protocol):
    """Whoever runs the jobs."""

    @property
    def free(self) -> int:
        """How many more jobs can be given now."""

    def give(self, job: Any) -> None:
        """Begin a job; only when `free` is above 0."""

    def wait(self, seconds: float | None = None) -> list[Event]:
        """Wait for at least one event; empty when no job is under way, or after so many seconds. Raises what
        a job raised."""

    def close(self) -> None:
        """End all jobs at once; may be called twice."""


def run_jobs(runner: Runner, jobs: Iterable[Any]) -> Generator[Event, None, None]:
    """Run all jobs and yield what happens. The jobs are drawn when there is room for them. The runner is
    closed at the end, also when the reader leaves early."""
    with closing(run_jobs_beside(runner, jobs, None)) as events:
        for event in events:
            assert not isinstance(event, Quiet), "nobody asked for it"
            yield event


def run_jobs_beside(
    runner: Runner, jobs: Iterable[Any], seconds: float | None
) -> Generator[Event | Quiet, None, None]:
    """The same for a reader that has other work too: it hears `Quiet` when nothing happened for so many
    seconds. Jobs may be None: there is none at the moment."""
    waiting = iter(jobs)
    running, ended = 0, False
    try:
        while running or not ended:
            while not ended and runner.free > 0:
                try:
                    job = next(waiting)
                except StopIteration:
                    ended = True
                    break
                if job is None:
                    break
                runner.give(job)
                running += 1
            events = runner.wait(seconds) if running else []
            for event in events:
                running -= isinstance(event, Done)
                yield event
            if not events and (running or not ended):
                yield Quiet()
    finally:
        runner.close()
