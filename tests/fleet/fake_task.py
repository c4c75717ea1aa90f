"""A task whose jobs square numbers, and that can be told to fail."""

from __future__ import annotations

import os
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kibitz.errors import BadOption
from kibitz.fleet.jobs import Loss, Policy


@dataclass(frozen=True)
class Number:
    id: int
    fault: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class Squares:
    """Leaves a file `pid-N` for each worker and `ran-N-PID` for each job in `folder`, if there is one."""

    folder: str = ""
    fault: str = ""

    def start(self) -> Squarer:
        if self.folder:
            (Path(self.folder) / f"pid-{os.getpid()}").touch()
        if self.fault == "refuses":
            raise BadOption("no such task")
        if self.fault == "slow to start":
            time.sleep(600)
        return Squarer(self)


class Squarer:
    def __init__(self, task: Squares) -> None:
        self._task = task
        self._closed = threading.Event()

    def run(self, job: Number, say: Any) -> tuple[int, int]:
        say(f"begin {job.id}")
        first = not self._task.folder or not list(Path(self._task.folder).glob(f"ran-{job.id}-*"))
        if self._task.folder:
            (Path(self._task.folder) / f"ran-{job.id}-{os.getpid()}").touch()
        if job.fault == "dies" or (job.fault == "dies once" and first):
            os._exit(17)
        if job.fault == "hangs":
            time.sleep(600)
        if job.fault == "refuses":
            raise BadOption("no such number")
        if job.fault == "fails":
            raise RuntimeError("no idea")
        self._closed.wait(job.seconds)
        return job.id, job.id**2

    def close(self) -> None:
        self._closed.set()


class Impatient(Policy):
    """A job that hangs after its first word is to blame for it."""

    def patience(self, job: Any, notes: Any) -> float | None:
        return 0.5 if notes and job.fault == "hangs" else None

    def lost(self, job: Any, loss: Loss) -> Any:
        return job.id, -1
