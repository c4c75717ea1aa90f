"""Jobs in the thread of the caller, one at a time: no start-up time, and easy to debug."""

from __future__ import annotations

from typing import Any

from kibitz.fleet.jobs import Done, Event, Note, Task


class InlineRunner:
    """Runs a job when it is waited for. A crash in native code takes the caller with it, and a job that
    hangs is waited for; what a job says is handed on when it has ended."""

    def __init__(self, task: Task) -> None:
        self._worker = task.start()
        self._job: Any = None

    @property
    def free(self) -> int:
        return 1 if self._job is None else 0

    def give(self, job: Any) -> None:
        assert self._job is None, "there is no room for another job"
        self._job = job

    def wait(self, seconds: float | None = None) -> list[Event]:
        if self._job is None:
            return []
        job, self._job = self._job, None
        events: list[Event] = []
        result = self._worker.run(job, lambda content: events.append(Note(job, content)))
        return [*events, Done(job, result)]

    def close(self) -> None:
        self._worker.close()
