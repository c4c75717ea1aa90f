"""Jobs in worker processes, and the watch over them.

Each worker process has a pipe of its own, so one that dies breaks nothing that others use. When it dies (a
crash in native code takes the whole process with it), or a job is silent for longer than the policy allows,
it is replaced; the policy says whether its job is run again or has a result.

Workers are started by `spawn` on every system: nothing of the parent's threads or native state leaks into
them.
"""

from __future__ import annotations

import contextlib
import math
import multiprocessing
import os
import threading
import time
from dataclasses import dataclass, field
from multiprocessing import connection
from typing import Any

from kibitz.errors import BadRequest, KibitzError
from kibitz.fleet.jobs import Done, Event, Loss, Note, Policy, Task
from kibitz.fleet.worker_process import serve

#: Time for a worker to start and load what it needs.
START_SECONDS = 120.0

#: How often a job is run before the run is given up: it is the job that kills the workers.
_MOST_TRIES = 3

_STOP_SECONDS = 7.0


@dataclass
class _Running:
    job: Any
    notes: list[Any] = field(default_factory=list)
    since: float = field(default_factory=time.monotonic)


@dataclass
class _Member:
    process: multiprocessing.process.BaseProcess
    pipe: connection.Connection[Any, Any]
    since: float
    ready: bool = False
    running: dict[int, _Running] = field(default_factory=dict)


class Processes:
    """`processes` workers, started at once and replaced when they die; each runs up to `slots` jobs at once.
    `start_seconds` is the longest a worker may take to start, None for no limit."""

    def __init__(
        self,
        task: Task,
        processes: int,
        *,
        slots: int = 1,
        policy: Policy | None = None,
        name: str = "kibitz-worker",
        start_seconds: float | None = START_SECONDS,
    ) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._task = task
        self._slots = slots
        self._policy = policy or Policy()
        self._name = name
        self._start_seconds = start_seconds
        self._tries: dict[int, int] = {}
        self._error: KibitzError | None = None
        self._members: list[_Member] = []
        try:
            for _ in range(processes):
                self._members.append(self._start())
        except BaseException:
            self.close()
            raise

    def _start(self) -> _Member:
        ours, theirs = self._context.Pipe()
        main = threading.current_thread() is threading.main_thread()
        process = self._context.Process(
            target=serve,
            args=(theirs, self._task, self._slots, os.getpid(), main),
            daemon=True,
            name=self._name,
        )
        process.start()
        # The worker's end is the worker's alone, so that its death reads as the end of the pipe.
        theirs.close()
        return _Member(process, ours, since=time.monotonic())

    @property
    def free(self) -> int:
        return sum(self._slots - len(member.running) for member in self._members)

    def give(self, job: Any) -> None:
        member = min(self._members, key=lambda member: len(member.running))
        assert len(member.running) < self._slots, "there is no room for another job"
        self._tries[job.id] = 0
        _send(member, job)

    def wait(self, seconds: float | None = None) -> list[Event]:
        if self._error is not None:
            raise self._error
        events: list[Event] = []
        until = math.inf if seconds is None else time.monotonic() + seconds
        while not events and any(member.running for member in self._members):
            pipes = [member.pipe for member in self._members]
            left = min(until, *map(self._due, self._members)) - time.monotonic()
            readable = connection.wait(pipes, timeout=None if math.isinf(left) else max(0.0, left))
            try:
                for member in list(self._members):
                    if member.pipe in readable:
                        events += self._hear(member)
                    elif time.monotonic() > self._due(member):
                        events += self._end_silent(member)
            except KibitzError as error:
                if not events:
                    raise
                self._error = error  # after the results that came before it
            if time.monotonic() >= until:
                break
        return events

    def _due(self, member: _Member) -> float:
        """When this worker must have been heard of again."""
        if not member.ready:
            return member.since + (self._start_seconds or math.inf)
        return min(map(self._job_due, member.running.values()), default=math.inf)

    def _job_due(self, running: _Running) -> float:
        patience = self._policy.patience(running.job, running.notes)
        return math.inf if patience is None else running.since + patience

    def _hear(self, member: _Member) -> list[Event]:
        """Take in one message of a worker, or its death."""
        try:
            kind, number, content = member.pipe.recv()
        except (EOFError, OSError):
            member.process.join(_STOP_SECONDS)
            code = member.process.exitcode
            return self._lose(
                member, "crashed", f"the process ended with code {code}", member.running.values()
            )
        if kind == "error":
            raise content
        if kind == "ready":
            member.ready = True
            for running in member.running.values():
                running.since = time.monotonic()
            return []
        running = member.running[number]
        if kind == "note":
            running.since = time.monotonic()
            running.notes.append(content)
            return [Note(running.job, content)]
        del member.running[number], self._tries[number]
        return [Done(running.job, content)]

    def _end_silent(self, member: _Member) -> list[Event]:
        now = time.monotonic()
        silent = [running for running in member.running.values() if now > self._job_due(running)]
        waited = max((now - running.since for running in silent), default=now - member.since)
        if silent:
            waited = self._policy.patience(silent[0].job, silent[0].notes) or waited
        return self._lose(member, "silent", f"no sign of life for {waited:.4g} s", silent)

    def _lose(self, member: _Member, reason: str, detail: str, at_fault: Any) -> list[Event]:
        """Replace a worker. The jobs `at_fault` go by the policy, its others are run again."""
        blamed = list(at_fault)
        _end(member.process)
        member.pipe.close()
        if not member.ready:
            self._members.remove(member)
            raise BadRequest(
                f"a worker process could not start ({detail}); a script that starts workers must do so under "
                "`if __name__ == '__main__':`"
            )
        successor = self._members[self._members.index(member)] = self._start()
        events: list[Event] = []
        for running in member.running.values():
            job = running.job
            if running in blamed:
                result = self._policy.lost(job, Loss(reason, detail, tuple(running.notes)))
                if result is not None:
                    del self._tries[job.id]
                    events.append(Done(job, result))
                    continue
                self._tries[job.id] += 1
                if self._tries[job.id] >= _MOST_TRIES:
                    raise BadRequest(f"job {job.id} was lost {_MOST_TRIES} times; the last time {detail}")
            _send(successor, job)
        return events

    def close(self) -> None:
        members, self._members = self._members, []
        for member in members:
            member.process.terminate()
        for member in members:
            _end(member.process)
            member.pipe.close()


def _send(member: _Member, job: Any) -> None:
    member.running[job.id] = _Running(job)
    # Should it have died while idle, `wait` finds the end of the pipe and gives the job to its successor.
    with contextlib.suppress(OSError):
        member.pipe.send(job)


def _end(process: multiprocessing.process.BaseProcess) -> None:
    """Politely first: a worker that is asked to stop ends the programs it has started."""
    if process.is_alive():
        process.terminate()
        process.join(_STOP_SECONDS)
    if process.is_alive():
        process.kill()
        process.join()
