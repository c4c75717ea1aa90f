"""The dispatcher over workers that come and go, with a backend that does what a test says; the simulation of
a fleet, which is the same dispatcher; files that travel."""

from __future__ import annotations

import threading
from collections import deque
from pathlib import Path
from typing import Any

import pytest
from fake_task import Number, Squares

from benchmarks.simulated_fleet import Machines, simulate
from kibitz.errors import BadOption, BadRequest
from kibitz.fleet.content import Travelling
from kibitz.fleet.dispatch import Dispatcher, Finished, Gone, Message, Ready
from kibitz.fleet.jobs import Done, run_jobs
from kibitz.fleet.runners import make_runner


class Scripted:
    """Workers that finish what they are given at the next wait, unless the script says that one dies."""

    def __init__(self, deaths: dict[int, int] | None = None, never_ready: bool = False) -> None:
        self.deaths = deaths or {}  # worker -> how many jobs it finishes before it dies
        self.never_ready = never_ready
        self.started = 0
        self.given: list[tuple[int, int]] = []
        self.closed = False
        self._messages: deque[Message] = deque()
        self._done: dict[int, int] = {}

    def start(self) -> int:
        number = self.started
        self.started += 1
        self._messages.append(Gone(number, "no such machine") if self.never_ready else Ready(number))
        return number

    def give(self, worker: int, job: Any) -> None:
        self.given.append((worker, job.id))
        finished = self._done[worker] = self._done.get(worker, 0) + 1
        if finished > self.deaths.get(worker, 1 << 30):
            self._messages.append(Gone(worker, "switched off"))
        else:
            self._messages.append(Finished(worker, job.id, job.id**2))

    def wait(self, seconds: float | None = None) -> list[Message]:
        return [self._messages.popleft()]

    def end(self, worker: int) -> None:
        raise AssertionError("nobody is watched")

    def close(self) -> None:
        self.closed = True


def results(dispatcher: Dispatcher, count: int) -> list[int]:
    events = run_jobs(dispatcher, [Number(i) for i in range(count)])
    return sorted(event.result for event in events if isinstance(event, Done))


def test_jobs_of_dead_workers_are_done_by_others() -> None:
    backend = Scripted(deaths={0: 2, 1: 0, 3: 5})
    dispatcher = Dispatcher(backend, 3, slots=2)
    assert results(dispatcher, 30) == [i * i for i in range(30)]
    assert dispatcher.lost == 3
    assert backend.started == 6
    assert backend.closed
    assert {job for _, job in backend.given} == set(range(30))


def test_results_of_a_worker_counted_as_dead_are_not_counted_twice() -> None:
    class Late(Scripted):
        def wait(self, seconds: float | None = None) -> list[Message]:
            (message,) = super().wait()
            # The result was on its way when the connection broke.
            late = [Finished(message.worker, 0, -1)] if isinstance(message, Gone) else []
            return [message, *late]

    assert results(Dispatcher(Late(deaths={0: 0}), 1), 3) == [0, 1, 4]


def test_a_job_that_ends_every_worker_ends_the_run() -> None:
    with pytest.raises(BadRequest, match="job 0 was lost 5 times; the last time switched off"):
        results(Dispatcher(Scripted(deaths=dict.fromkeys(range(50), 0)), 1), 1)
    with pytest.raises(BadRequest, match=r"5 workers could not start .no such machine"):
        results(Dispatcher(Scripted(never_ready=True), 2), 1)


def test_error_of_a_job_is_raised() -> None:
    class Refusing(Scripted):
        def give(self, worker: int, job: Any) -> None:
            self._messages.append(Finished(worker, job.id, None, BadOption("no such number")))

    with pytest.raises(BadOption, match="no such number"):
        results(Dispatcher(Refusing(), 1), 1)


def test_unknown_fleets_are_refused() -> None:
    with pytest.raises(BadOption, match="unknown fleet 'moon'"):
        make_runner(Squares(), 1, fleet="moon")


def test_simulation_scales_until_the_sender_is_busy() -> None:
    def rate(machines: int, **changes: Any) -> float:
        fleet = Machines(machines=machines, slots=4, job_seconds=8.0, start_seconds=1.0, **changes)
        return simulate(fleet, jobs=100 * machines).jobs_per_second

    assert rate(1) == pytest.approx(0.5, rel=0.1)
    assert rate(20) == pytest.approx(20 * rate(1), rel=0.1)
    # Ten results a second are what a sender of 0.1 s each can take, however many machines there are.
    assert rate(200, sender_seconds=0.1) == pytest.approx(10.0, rel=0.05)


def test_simulated_deaths_cost_jobs_and_no_results() -> None:
    fleet = Machines(machines=10, slots=4, job_seconds=60.0, start_seconds=5.0, hours_to_death=0.5)
    outcome = simulate(fleet, jobs=2000)
    assert outcome.results == 2000
    assert outcome.lost_workers > 0
    assert outcome.jobs_begun > 2000
    assert 0.5 < outcome.worker_share < 1.0
    assert simulate(fleet, jobs=2000) == outcome


def test_files_travel_once_and_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "net.pb.gz"
    source.write_bytes(b"weights" * 1000)
    file = Travelling.of(str(source))
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path / "machine"))
    fetched: list[int] = []
    places: list[str] = []

    def fetch() -> bytes:
        fetched.append(1)
        return source.read_bytes()

    callers = [threading.Thread(target=lambda: places.append(file.here(fetch))) for _ in range(4)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert len(fetched) == 1
    assert len(set(places)) == 1
    assert Path(places[0]).name == "net.pb.gz"
    assert Path(places[0]).read_bytes() == source.read_bytes()
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path / "other"))
    with pytest.raises(BadRequest, match="did not arrive whole"):
        file.here(lambda: b"weights")
    with pytest.raises(BadRequest, match="bad name or digest"):
        Travelling("x", "../evil", 1, file.digest).here(fetch)
    with pytest.raises(BadRequest, match="bad name or digest"):
        Travelling("x", "net", 1, "../../" + file.digest[6:]).here(fetch)
