"""Jobs on workers that come and go, such as the machines of a cluster.

`Dispatcher` is a runner (fleet/jobs.py) over a *backend*, which starts workers somewhere and tells what
becomes of them. Jobs wait here until a worker is ready for them; a worker that dies is replaced, and its jobs
go to whoever has room. The same code runs on a Ray cluster (fleet/ray_cluster.py) and, with simulated workers
and a simulated clock, in `benchmarks/simulated_fleet.py`.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any, Protocol

from kibitz.errors import BadRequest, KibitzError
from kibitz.fleet.jobs import Done, Event

#: How often a job may lose its worker before the run is given up: it may be the job that kills them.
MOST_TRIES = 5

#: Workers in a row that may die before they are ready.
_MOST_FAILED_STARTS = 5


@dataclass(frozen=True)
class Ready:
    """A worker has started."""

    worker: int


@dataclass(frozen=True)
class Finished:
    """A worker has the result of a job, or an error that ends the run."""

    worker: int
    job: int
    result: Any
    error: KibitzError | None = None


@dataclass(frozen=True)
class Gone:
    """A worker is no more, and what it had under way with it."""

    worker: int
    detail: str


Message = Ready | Finished | Gone


class Backend(Protocol):
    """Starts workers and tells what becomes of them. Belongs to one thread."""

    def start(self) -> int:
        """Begin to start a worker; its number, never used before."""

    def give(self, worker: int, job: Any) -> None:
        """Send a job to a worker that is ready."""

    def wait(self, seconds: float | None = None) -> list[Message]:
        """Wait for at least one message, or for so many seconds. Raises KibitzError when a worker refuses the
        task."""

    def close(self) -> None:
        """End all workers; may be called twice."""


@dataclass
class _Member:
    ready: bool = False
    running: dict[int, Any] = field(default_factory=dict)


class Dispatcher:
    """`workers` workers of `slots` jobs at once."""

    def __init__(self, backend: Backend, workers: int, *, slots: int = 1) -> None:
        self._backend = backend
        self._slots = slots
        self._room = workers * slots
        self._waiting: deque[Any] = deque()
        self._tries: dict[int, int] = {}
        self._failed_starts = 0
        self._members: dict[int, _Member] = {}
        #: Workers that are ready, by how many jobs they run: with thousands of them nobody is searched for.
        self._by_load: list[dict[int, None]] = [{} for _ in range(self._slots + 1)]
        #: Workers that died so far.
        self.lost = 0
        try:
            for _ in range(workers):
                self._members[backend.start()] = _Member()
        except BaseException:
            self.close()
            raise

    @property
    def free(self) -> int:
        return self._room - len(self._tries)

    def give(self, job: Any) -> None:
        assert self.free > 0, "there is no room for another job"
        self._tries[job.id] = 0
        self._waiting.append(job)
        self._hand_out()

    def wait(self, seconds: float | None = None) -> list[Event]:
        events: list[Event] = []
        while not events and self._tries:
            messages = self._backend.wait(seconds)
            for message in messages:
                if isinstance(message, Finished):
                    events += self._finish(message)
                elif isinstance(message, Ready):
                    self._failed_starts = 0
                    self._members[message.worker].ready = True
                    self._by_load[0][message.worker] = None
                else:
                    self._replace(message)
            self._hand_out()
            if seconds is not None:
                break
        return events

    def close(self) -> None:
        self._backend.close()

    def _finish(self, message: Finished) -> list[Event]:
        if message.error is not None:
            raise message.error
        member = self._members.get(message.worker)
        if member is None or message.job not in member.running:
            return []  # it was counted as lost before: whoever has the job now will finish it
        job = member.running.pop(message.job)
        self._moved(message.worker, len(member.running) + 1, len(member.running))
        del self._tries[job.id]
        return [Done(job, message.result)]

    def _replace(self, message: Gone) -> None:
        member = self._members.pop(message.worker, None)
        if member is None:
            return
        self.lost += 1
        self._by_load[len(member.running)].pop(message.worker, None)
        if not member.ready:
            self._failed_starts += 1
            if self._failed_starts >= _MOST_FAILED_STARTS:
                raise BadRequest(f"{self._failed_starts} workers could not start; the last: {message.detail}")
        for job in reversed(member.running.values()):
            self._tries[job.id] += 1
            if self._tries[job.id] >= MOST_TRIES:
                raise BadRequest(f"job {job.id} was lost {MOST_TRIES} times; the last time {message.detail}")
            self._waiting.appendleft(job)
        self._members[self._backend.start()] = _Member()

    def _hand_out(self) -> None:
        """Give the jobs that wait to the workers with most room, as far as there is any."""
        while self._waiting:
            load = next((load for load in range(self._slots) if self._by_load[load]), None)
            if load is None:
                return
            number = next(iter(self._by_load[load]))
            job = self._waiting.popleft()
            self._members[number].running[job.id] = job
            self._moved(number, load, load + 1)
            self._backend.give(number, job)

    def _moved(self, worker: int, before: int, after: int) -> None:
        """A worker that is ready runs more jobs or fewer."""
        del self._by_load[before][worker]
        self._by_load[after][worker] = None
