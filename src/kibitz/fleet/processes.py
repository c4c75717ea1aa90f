"""Worker processes, as the backend of a dispatcher (fleet/dispatch.py).

Each worker process has a pipe of its own, so one that dies (a crash in native code takes the whole process
with it) breaks nothing that others use. Workers are started by `spawn` on every system: nothing of the
parent's threads or native state leaks into them.
"""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import os
import threading
from multiprocessing import connection
from typing import Any

from kibitz.fleet.dispatch import Dispatcher, Gone, Message, Ready
from kibitz.fleet.jobs import Policy, Task
from kibitz.fleet.worker_process import serve

#: Time for a worker to start and load what it needs.
START_SECONDS = 120.0

#: How often a job is run before the run is given up: it is the job that kills the workers.
_MOST_TRIES = 3

_STOP_SECONDS = 7.0


def process_runner(
    task: Task,
    processes: int,
    *,
    slots: int = 1,
    policy: Policy | None = None,
    name: str = "kibitz-worker",
    start_seconds: float | None = START_SECONDS,
) -> Dispatcher:
    """A runner with so many worker processes, each of up to `slots` jobs at once. What keeps one worker from
    starting keeps the others, too."""
    return Dispatcher(
        _Processes(task, slots, name),
        processes,
        slots=slots,
        policy=policy or Policy(),
        start_seconds=start_seconds,
        most_tries=_MOST_TRIES,
        most_failed_starts=1,
    )


class _Processes:
    def __init__(self, task: Task, slots: int, name: str) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._task = task
        self._slots = slots
        self._name = name
        self._numbers = itertools.count()
        self._processes: dict[int, multiprocessing.process.BaseProcess] = {}
        self._pipes: dict[int, connection.Connection[Any, Any]] = {}
        self._ready: set[int] = set()

    def start(self) -> int:
        number = next(self._numbers)
        ours, theirs = self._context.Pipe()
        main = threading.current_thread() is threading.main_thread()
        process = self._context.Process(
            target=serve,
            args=(theirs, number, self._task, self._slots, os.getpid(), main),
            daemon=True,
            name=self._name,
        )
        process.start()
        # The worker's end is the worker's alone, so that its death reads as the end of the pipe.
        theirs.close()
        self._processes[number], self._pipes[number] = process, ours
        return number

    def give(self, worker: int, job: Any) -> None:
        # Should it have died while idle, `wait` finds the end of the pipe.
        with contextlib.suppress(OSError):
            self._pipes[worker].send(job)

    def wait(self, seconds: float | None = None) -> list[Message]:
        readable = connection.wait(list(self._pipes.values()), timeout=seconds)
        return [self._hear(number) for number, pipe in list(self._pipes.items()) if pipe in readable]

    def _hear(self, number: int) -> Message:
        """One message of a worker, or its death."""
        try:
            message: Message = self._pipes[number].recv()
        except (EOFError, OSError):
            process = self._processes[number]
            process.join(_STOP_SECONDS)
            detail = f"the process ended with code {process.exitcode}"
            if number not in self._ready:
                detail += "; a script that starts workers must do so under `if __name__ == '__main__':`"
            self.end(number)
            return Gone(number, detail)
        if isinstance(message, Ready):
            self._ready.add(number)
        return message

    def end(self, worker: int) -> None:
        """Politely first: a worker that is asked to stop ends the programs it has started."""
        process = self._processes.pop(worker)
        if process.is_alive():
            process.terminate()
            process.join(_STOP_SECONDS)
        if process.is_alive():
            process.kill()
            process.join()
        self._pipes.pop(worker).close()

    def close(self) -> None:
        for process in self._processes.values():
            process.terminate()
        for worker in list(self._processes):
            self.end(worker)
