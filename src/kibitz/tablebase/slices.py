"""The slices of a level as jobs of the runner (`kibitz.fleet`): in threads of the build's process, or on a
cluster, where the table files of the levels below travel by digest to machines that do not have them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from kibitz import _native
from kibitz.errors import BadRequest
from kibitz.tablebase.enumerator import Level
from kibitz.tablebase.format import BLOCK_BYTES, UNKNOWN


@dataclass(frozen=True)
class SliceJob:
    """Positions of a level to solve: so many from `first` on, the first of a block."""

    id: int
    first: int
    positions: int


@dataclass(frozen=True)
class SolveTask:
    """A level of which the first `known` positions are solved, by the table files of the levels below it. A
    job says how many positions it has solved, block by block; its result is the worths of its slice."""

    level: Level
    known: int
    files: tuple[str, ...]

    def located(self, places: Mapping[str, str]) -> SolveTask:
        return replace(self, files=tuple(places[path] for path in self.files))

    def start(self) -> _Solver:
        return _Solver(self)


class _Solver:
    def __init__(self, task: SolveTask) -> None:
        self._task = task
        self._stopped = threading.Event()
        self._tables = _native.UtttTables()
        for path in task.files:
            self._tables.add(path)

    def run(self, job: SliceJob, say: Callable[[int], None]) -> bytes:
        """The worths of one slice, a block at a time so that a stop is soon heard."""
        level = self._task.level
        worths = np.full(job.positions, UNKNOWN, np.uint8)
        known = max(self._task.known - job.first, 0)
        for at in range(0, job.positions, BLOCK_BYTES):
            if self._stopped.is_set():
                raise BadRequest("the build was stopped")
            block = worths[at : min(at + BLOCK_BYTES, known)]
            if len(block):
                self._tables.solve(level.rule_id, level.empties, level.open, job.first + at, block)
            say(min(BLOCK_BYTES, job.positions - at))
        return worths.tobytes()

    def close(self) -> None:
        self._stopped.set()
