"""Simulated workers for the real dispatcher: how a run behaves on machines that are not there.

Time is simulated: nothing sleeps. A worker takes `start_seconds` to start and fetch its files (the first of a
machine over the sender's link, which all machines share), `job_seconds` for a job on average, dies now and
then, and sends each result back over the same link. The sender, which is the one process that hands out jobs
and keeps results, takes `sender_seconds` for each result; where that is more than there is, results queue up.

    >>> from benchmarks.simulated_fleet import Machines, simulate
    >>> outcome = simulate(Machines(machines=2, slots=4, job_seconds=10.0), jobs=100)
    >>> outcome.results, outcome.lost_workers
    (100, 0)
"""

from __future__ import annotations

import heapq
import itertools
import random
from dataclasses import dataclass, field
from typing import Any

from kibitz.fleet.dispatch import Dispatcher, Finished, Gone, Message, Ready
from kibitz.fleet.jobs import Done, run_jobs


@dataclass(frozen=True)
class Machines:
    """What the fleet is like."""

    machines: int = 100
    slots: int = 32
    """Jobs at once on a machine, which is one worker."""
    job_seconds: float = 30.0
    """A job's mean duration with all slots busy; one job takes from half to one and a half of that."""
    start_seconds: float = 10.0
    file_bytes: int = 0
    """What a machine fetches before its first job."""
    result_bytes: int = 0
    link_bytes: float = 125e6
    """Bytes a second of the sender's link, for everything together."""
    sender_seconds: float = 0.0
    """The sender's own work for one result."""
    hours_to_death: float = 0.0
    """A machine's mean time to its end; 0 never dies."""
    seed: int = 0


@dataclass(frozen=True)
class Outcome:
    """What a simulated run came to."""

    results: int
    seconds: float
    lost_workers: int
    jobs_begun: int
    """More than the results where jobs were lost with their machines."""
    fetched_bytes: int
    sent_bytes: int
    sender_share: float
    """Of the time, how much the sender was busy: at 1 it is what limits the run."""
    worker_share: float
    """Of the time of all slots, how much went into jobs that were finished."""

    @property
    def jobs_per_second(self) -> float:
        return self.results / self.seconds if self.seconds else 0.0


@dataclass(frozen=True)
class _Number:
    id: int


@dataclass(order=True)
class _Due:
    at: float
    order: int
    message: Any = field(compare=False)
    worker: int = field(compare=False)


class _Backend:
    """The backend (fleet/dispatch.py) with a clock of its own."""

    def __init__(self, fleet: Machines) -> None:
        self._fleet = fleet
        self._chance = random.Random(fleet.seed)
        self._numbers = itertools.count()
        self._order = itertools.count()
        self._due: list[_Due] = []
        self._alive: set[int] = set()
        self.now = 0.0  # of the sender
        self._link_free = 0.0
        self.busy = 0.0
        self.begun = 0
        self.fetched = self.sent = 0
        self.worked = 0.0

    def start(self) -> int:
        number = next(self._numbers)
        self._alive.add(number)
        fleet = self._fleet
        self.fetched += fleet.file_bytes
        ready = max(self._over_link(self.now, fleet.file_bytes), self.now + fleet.start_seconds)
        self._later(ready, Ready(number), number)
        if fleet.hours_to_death > 0:
            life = self._chance.expovariate(1.0 / (3600.0 * fleet.hours_to_death))
            self._later(ready + life, Gone(number, "the machine ended"), number)
        return number

    def give(self, worker: int, job: Any) -> None:
        self.begun += 1
        seconds = self._fleet.job_seconds * self._chance.uniform(0.5, 1.5)
        self._later(self.now + seconds, Finished(worker, job.id, seconds), worker)

    def wait(self, seconds: float | None = None) -> list[Message]:
        while True:
            due = heapq.heappop(self._due)
            if due.worker not in self._alive:
                continue  # it died before
            message = due.message
            arrived = due.at
            if isinstance(message, Finished):
                arrived = self._over_link(due.at, self._fleet.result_bytes)
                self.sent += self._fleet.result_bytes
                self.worked += message.result
                self.busy += self._fleet.sender_seconds
                self.now = max(self.now, arrived) + self._fleet.sender_seconds
            else:
                self.now = max(self.now, arrived)
                if isinstance(message, Gone):
                    self._alive.discard(due.worker)
            return [message]

    def end(self, worker: int) -> None:
        self._alive.discard(worker)

    def close(self) -> None:
        self._due.clear()

    def _over_link(self, begin: float, size: int) -> float:
        """When so many bytes that come to the link at `begin` have passed it."""
        if size <= 0:
            return begin
        self._link_free = max(self._link_free, begin) + size / self._fleet.link_bytes
        return self._link_free

    def _later(self, at: float, message: Message, worker: int) -> None:
        heapq.heappush(self._due, _Due(at, next(self._order), message, worker))


def simulate(fleet: Machines, jobs: int) -> Outcome:
    """Run so many jobs through the real dispatcher."""
    backend = _Backend(fleet)
    dispatcher = Dispatcher(backend, fleet.machines, slots=fleet.slots)
    results = sum(isinstance(event, Done) for event in run_jobs(dispatcher, map(_Number, range(jobs))))
    seconds = backend.now
    return Outcome(
        results,
        seconds,
        dispatcher.lost,
        backend.begun,
        backend.fetched,
        backend.sent,
        backend.busy / seconds if seconds else 0.0,
        backend.worked / (seconds * fleet.machines * fleet.slots) if seconds else 0.0,
    )
