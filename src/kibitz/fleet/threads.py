"""Jobs in threads of this process, for work that leaves the interpreter's lock alone.

A worker process runs its jobs by the same `Crew`, so that its main thread is always free to hear that it is
to end.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from kibitz.fleet.jobs import Done, Event, Note, Task, Worker

#: Seconds a wait may hold up Ctrl-C where the system does not interrupt it.
_TICK = 0.5

#: Seconds for the jobs under way to end when they are stopped.
_STOP_SECONDS = 20.0


class Crew:
    """`size` threads that run the jobs of one worker. `deliver` gets events and errors, in those threads."""

    def __init__(self, worker: Worker, size: int, deliver: Callable[[Event | BaseException], None]) -> None:
        self._worker = worker
        self._size = size
        self._deliver = deliver
        self._jobs: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []

    def give(self, job: Any) -> None:
        if len(self._threads) < self._size:
            # Daemons: a job that does not hear its end must not keep the process.
            thread = threading.Thread(target=self._run, daemon=True, name="kibitz-job")
            self._threads.append(thread)
            thread.start()
        self._jobs.put(job)

    def close(self, seconds: float, *, kill: bool = False) -> None:
        """End the jobs, and wait so long for the threads. With `kill` what they have started is not asked."""
        for _ in self._threads:
            self._jobs.put(None)
        (getattr(self._worker, "kill", self._worker.close) if kill else self._worker.close)()
        for thread in self._threads:
            thread.join(seconds)

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                self._deliver(Done(job, self._worker.run(job, partial(self._say, job))))
            except BaseException as error:
                self._deliver(error)

    def _say(self, job: Any, content: Any) -> None:
        self._deliver(Note(job, content))


class Threads:
    """Runs up to `threads` jobs at once in this process."""

    def __init__(self, task: Task, threads: int) -> None:
        self._events: queue.SimpleQueue[Event | BaseException] = queue.SimpleQueue()
        self._crew = Crew(task.start(), threads, self._events.put)
        self._size = threads
        self._running = 0

    @property
    def free(self) -> int:
        return self._size - self._running

    def give(self, job: Any) -> None:
        assert self.free > 0, "there is no room for another job"
        self._running += 1
        self._crew.give(job)

    def wait(self, seconds: float | None = None) -> list[Event]:
        while self._running:
            try:
                event = self._events.get(timeout=_TICK if seconds is None else seconds)
            except queue.Empty:
                if seconds is None:
                    continue
                return []
            if isinstance(event, BaseException):
                raise event
            self._running -= isinstance(event, Done)
            return [event]
        return []

    def close(self) -> None:
        self._crew.close(_STOP_SECONDS)
