"""Jobs on workers that come and go, such as processes or the machines of a cluster.

`Dispatcher` is a runner (fleet/jobs.py) over a *backend*, which starts workers somewhere and reports what
becomes of them. Jobs wait here until a worker is ready for them. A worker that dies, or is silent for longer
than the policy allows, is replaced; the policy says whether its job has a result or goes to whoever has room.
The same code runs on worker processes (fleet/processes.py), on a Ray cluster (fleet/ray_cluster.py) and, with
simulated workers and a simulated clock, in `benchmarks/simulated_fleet.py`.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

from kibitz.errors import BadRequest, KibitzError
from kibitz.fleet.jobs import Done, Event, Loss, Note, Policy

#: How often a job may lose its worker before the run is given up: it may be the job that kills them.
MOST_TRIES = 5

#: Workers in a row that may die before they are ready.
_MOST_FAILED_STARTS = 5


@dataclass(frozen=True)
class Ready:
    """A worker has started."""

    worker: int


@dataclass(frozen=True)
class Said:
    """A job that runs said something."""

    worker: int
    job: int
    content: Any


@dataclass(frozen=True)
class Finished:
    """A worker has the result of a job, or an error that ends the run."""

    worker: int
    job: int | None
    result: Any
    error: KibitzError | None = None


@dataclass(frozen=True)
class Gone:
    """A worker is no more, and what it had under way with it."""

    worker: int
    detail: str


Message = Ready | Said | Finished | Gone


class Backend(Protocol):
    """Starts workers and reports what becomes of them. Belongs to one thread."""

    def start(self) -> int:
        """Begin to start a worker; its number, never used before."""

    def give(self, worker: int, job: Any) -> None:
        """Send a job to a worker that is ready."""

    def wait(self, seconds: float | None = None) -> list[Message]:
        """Wait for at least one message, or for so many seconds. Raises KibitzError when a worker refuses the
        task."""

    def end(self, worker: int) -> None:
        """End a worker that is silent; nothing more is heard of it."""

    def close(self) -> None:
        """End all workers; may be called twice."""


@dataclass(eq=False)
class _Running:
    job: Any
    notes: list[Any] = field(default_factory=list)
    since: float = field(default_factory=time.monotonic)


@dataclass(eq=False)
class _Member:
    ready: bool = False
    running: dict[int, _Running] = field(default_factory=dict)
    since: float = field(default_factory=time.monotonic)


class Dispatcher:
    """`workers` workers of `slots` jobs at once. Without a policy nobody is to blame for a lost job and no
    silence is too long. `start_seconds` is the longest a worker may take to start."""

    def __init__(
        self,
        backend: Backend,
        workers: int,
        *,
        slots: int = 1,
        policy: Policy | None = None,
        start_seconds: float | None = None,
        most_tries: int = MOST_TRIES,
        most_failed_starts: int = _MOST_FAILED_STARTS,
    ) -> None:
        self._backend = backend
        self._slots = slots
        self._policy = policy
        self._start_seconds = start_seconds
        self._most_tries = most_tries
        self._most_failed_starts = most_failed_starts
        self._room = workers * slots
        self._waiting: deque[Any] = deque()
        self._tries: dict[int, int] = {}
        self._failed_starts = 0
        self._error: KibitzError | None = None
        self._members: dict[int, _Member] = {}
        #: Workers that are ready, by how many jobs they run: with thousands of them nobody is searched for.
        self._by_load: list[dict[int, None]] = [{} for _ in range(self._slots + 1)]
        #: Workers that died so far.
        self.lost = 0
        try:
            for _ in range(workers):
                self._start()
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
        if self._error is not None:
            raise self._error
        events: list[Event] = []
        until = math.inf if seconds is None else time.monotonic() + seconds
        while not events and self._tries:
            left = min(until, self._next_due()) - time.monotonic()
            messages = self._backend.wait(None if math.isinf(left) else max(0.0, left))
            try:
                for message in messages:
                    events += self._hear(message)
                events += self._end_silent()
            except KibitzError as error:
                if not events:
                    raise
                self._error = error  # after the results that came before it
                break
            self._hand_out()
            if time.monotonic() >= until:
                break
        return events

    def close(self) -> None:
        self._backend.close()

    def _start(self) -> None:
        self._members[self._backend.start()] = _Member()

    def _hear(self, message: Message) -> list[Event]:
        """Take in one message of a worker, or its death."""
        if isinstance(message, Finished) and message.error is not None:
            raise message.error
        member = self._members.get(message.worker)
        if member is None:
            return []  # it was counted as lost before: whoever has its jobs now will finish them
        if isinstance(message, Gone):
            return self._lose(message.worker, "crashed", message.detail, member.running.values())
        if isinstance(message, Ready):
            self._failed_starts = 0
            member.ready = True
            self._by_load[0][message.worker] = None
            return []
        if message.job not in member.running:
            return []
        running = member.running[message.job]
        if isinstance(message, Said):
            running.since = time.monotonic()
            running.notes.append(message.content)
            return [Note(running.job, message.content)]
        del member.running[message.job], self._tries[message.job]
        self._moved(message.worker, len(member.running) + 1, len(member.running))
        return [Done(running.job, message.result)]

    # -- silence and death ------------------------------------------------------------------------

    def _next_due(self) -> float:
        if self._policy is None and self._start_seconds is None:
            return math.inf
        return min(map(self._due, self._members.values()))

    def _due(self, member: _Member) -> float:
        """When this worker must have been heard of again."""
        if not member.ready:
            return member.since + (self._start_seconds or math.inf)
        return min(map(self._job_due, member.running.values()), default=math.inf)

    def _job_due(self, running: _Running) -> float:
        patience = self._policy.patience(running.job, running.notes) if self._policy else None
        return math.inf if patience is None else running.since + patience

    def _end_silent(self) -> list[Event]:
        events: list[Event] = []
        now = time.monotonic()
        if now <= self._next_due():
            return events
        for number, member in list(self._members.items()):
            if now <= self._due(member):
                continue
            silent = [running for running in member.running.values() if now > self._job_due(running)]
            waited = min((self._job_due(one) - one.since for one in silent), default=now - member.since)
            self._backend.end(number)
            events += self._lose(number, "silent", f"no sign of life for {waited:.4g} s", silent)
        return events

    def _lose(self, number: int, reason: str, detail: str, at_fault: Iterable[_Running]) -> list[Event]:
        """Replace a worker. The jobs `at_fault` go by the policy, its others are run again."""
        blamed = list(at_fault)
        member = self._members.pop(number)
        self.lost += 1
        if member.ready:
            del self._by_load[len(member.running)][number]
        else:
            self._failed_starts += 1
            if self._failed_starts >= self._most_failed_starts:
                who = f"{self._failed_starts} workers" if self._failed_starts > 1 else "a worker"
                raise BadRequest(f"{who} could not start ({detail})")
        events: list[Event] = []
        for running in reversed(member.running.values()):
            job = running.job
            if running in blamed:
                loss = Loss(reason, detail, tuple(running.notes))
                result = self._policy.lost(job, loss) if self._policy else None
                if result is not None:
                    del self._tries[job.id]
                    events.append(Done(job, result))
                    continue
                self._tries[job.id] += 1
                if self._tries[job.id] >= self._most_tries:
                    raise BadRequest(
                        f"job {job.id} was lost {self._most_tries} times; the last time {detail}"
                    )
            self._waiting.appendleft(job)
        self._start()
        return events

    # -- handing out ------------------------------------------------------------------------------

    def _hand_out(self) -> None:
        """Give the jobs that wait to the workers with most room, as far as there is any."""
        while self._waiting:
            load = next((load for load in range(self._slots) if self._by_load[load]), None)
            if load is None:
                return
            number = next(iter(self._by_load[load]))
            job = self._waiting.popleft()
            self._members[number].running[job.id] = _Running(job)
            self._moved(number, load, load + 1)
            self._backend.give(number, job)

    def _moved(self, worker: int, before: int, after: int) -> None:
        """A worker that is ready runs more jobs or fewer."""
        del self._by_load[before][worker]
        self._by_load[after][worker] = None
