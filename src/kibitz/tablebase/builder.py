"""Builds table files, level by level.

>>> from pathlib import Path; import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     built = build(Path(folder), max_empty=2)
>>> [item.header.positions for item in built]
[3, 76, 180]

Each level is solved in slices (tablebase/slices.py) by threads of this process, the native core working
without the interpreter's lock, or by the workers of a fleet (`kibitz.fleet`). A finished slice is written to
`NAME.part` and noted, with its checksum, in the log `NAME.slices`; a build that was killed starts again from
what these two hold. A finished level is synced and renamed. What is written depends on the level only: not on
the fleet, nor on how often the build was interrupted.

`python -m kibitz.tablebase.builder --max-empty 10 --output DIR` is `kibitz tablebase build`.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import time
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from kibitz.errors import BadOption, BadRecord, BadRequest
from kibitz.files.whole_file import naming, whole_file
from kibitz.fleet.jobs import Done, Runner, run_jobs
from kibitz.fleet.log import LogKind, ResultLog
from kibitz.fleet.runners import connected, make_runner
from kibitz.fleet.threads import Threads
from kibitz.tablebase.enumerator import Level, levels
from kibitz.tablebase.folder_lock import FolderLock
from kibitz.tablebase.format import BLOCK_BYTES, UNKNOWN, Header, Statistics, checksums, read_header, sync
from kibitz.tablebase.slices import SliceJob, SolveTask

#: Positions in a slice: what a kill can cost. A multiple of a block.
_SLICE = 64 * BLOCK_BYTES
#: Seconds between two words of progress.
_TICK = 0.25


@dataclass(frozen=True)
class Built:
    """A level that is there: its file, and whether this build made it."""

    level: Level
    path: Path
    header: Header
    fresh: bool


#: Called with the level under way, its finished positions, and all finished positions of the build.
Progress = Callable[[Level, int, int], None]


@dataclass(frozen=True)
class _Slice:
    """A finished slice."""

    id: int
    checksum: int


def _read_slice(fields: Mapping[str, Any]) -> _Slice:
    number, checksum = fields.get("slice"), fields.get("crc32")
    if not isinstance(number, int) or not isinstance(checksum, int):
        raise BadRecord("fields 'slice' and 'crc32' must be numbers")
    return _Slice(number, checksum)


_SLICES = LogKind(
    "kibitz-table-slices",
    1,
    "table build",
    "slice",
    lambda done: {"slice": done.id, "crc32": done.checksum},
    _read_slice,
)


class _Draft:
    """A level being built, of which the first `known` positions are solved: the part file, the slices it has,
    what is still to do."""

    def __init__(self, level: Level, known: int, part: Path, notes: Path) -> None:
        self.level = level
        self.known = known
        self.part = part
        self.notes = notes
        self.log = self._resume()

    @property
    def slices(self) -> range:
        return range(-(-self.known // _SLICE))

    @property
    def missing(self) -> list[SliceJob]:
        return [
            SliceJob(index, index * _SLICE, self.size(index))
            for index in self.slices
            if index not in self.log
        ]

    def size(self, index: int) -> int:
        return min(_SLICE, self.level.positions - index * _SLICE)

    def _resume(self) -> ResultLog[_Slice]:
        """Takes over the slices that a killed build finished; anything doubtful is solved again."""
        settings = {"level": self.level.file_name, "positions": self.level.positions, "slice": _SLICE}
        good: list[_Slice] = []
        if self.part.exists() and self.notes.exists():
            with contextlib.suppress(BadRecord, BadOption):  # not ours, or damaged
                log = ResultLog(self.notes, _SLICES, settings, resume=True)
                good = [done for done in log.results() if self._is_there(done)]
                if good and len(good) == len(log):
                    return log
                log.close()
        if not good:
            self.part.write_bytes(b"")
        self.notes.unlink(missing_ok=True)
        log = ResultLog(self.notes, _SLICES, settings, resume=False)
        for done in good:
            log.add(done)
        return log

    def _is_there(self, done: _Slice) -> bool:
        if done.id not in self.slices:
            return False
        with self.part.open("rb") as file:
            file.seek(done.id * _SLICE)
            data = file.read(self.size(done.id))
        return len(data) == self.size(done.id) and zlib.crc32(data) == done.checksum

    def keep(self, index: int, worths: bytes) -> None:
        """Writes a slice, makes sure of it, then notes that it is there."""
        with naming(self.part), self.part.open("r+b") as file:
            file.seek(index * _SLICE)
            file.write(worths)
            _flush(file)
        self.log.add(_Slice(index, zlib.crc32(worths)))

    def remove(self) -> None:
        self.log.remove()
        self.part.unlink()


def _flush(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())


def build(
    output: Path,
    max_empty: int = 10,
    max_open: int | None = None,
    *,
    rules: str = "standard",
    threads: int | None = None,
    fleet: str = "",
    max_per_level: int | None = None,
    progress: Progress | None = None,
    wait_for_others: bool = False,
) -> list[Built]:
    """Builds every level up to the limits into a folder and returns them; finished ones are kept.

    On a `fleet` (`ray`, `ray:ADDRESS`) there are as many workers as `threads`, without them one for each CPU
    of it. `max_per_level` solves only so many positions of each level, for trials; the others stay unknown,
    and a later build without it solves the level anew. A level of which nothing is known has no file. One
    build at a time works in a folder: another one is refused, or waits its turn.
    """
    wanted = levels(max_empty, max_open, rules)
    if (threads is not None and threads < 1) or (max_per_level is not None and max_per_level < 1):
        raise BadOption("threads and max-per-level must be at least 1")
    output.mkdir(parents=True, exist_ok=True)
    with FolderLock(output, wait_for_others), connected(fleet, threads or 0):
        return _Build(output, wanted, threads, fleet, max_per_level, progress).run()


class _Build:
    """One build: who works for it, and how far it is."""

    def __init__(
        self,
        output: Path,
        wanted: list[Level],
        workers: int | None,
        fleet: str,
        max_per_level: int | None,
        progress: Progress | None,
    ) -> None:
        self.output = output
        self.wanted = wanted
        self.workers = workers
        self.fleet = fleet
        self.max_per_level = max_per_level
        self.progress = progress or (lambda *_: None)
        self.before = 0  # positions of the levels that are finished

    def check_room(self) -> None:
        """Refuses what the disk cannot hold, before hours are spent on it."""
        missing = [
            level for level in self.wanted if not self.is_finished(level, self.output / level.file_name)
        ]
        # A byte a position, and the largest level twice: its part is there until its file is.
        needed = sum(level.positions for level in missing) + max(
            (level.positions for level in missing), default=0
        )
        free = shutil.disk_usage(self.output).free
        parts = sum(path.stat().st_size for path in self.output.glob("*.part"))
        if needed > free + parts:
            raise BadRequest(
                f"{self.output}: the build needs {needed / 1e9:,.1f} GB and only {free / 1e9:,.1f} GB are "
                "free; lower --max-empty or --max-open"
            )

    def run(self) -> list[Built]:
        self.check_room()
        built = []
        for level in self.wanted:
            path = self.output / level.file_name
            fresh = not self.is_finished(level, path)
            if fresh:
                self.make(level, path)
            self.before += level.positions
            self.progress(level, level.positions, self.before)
            if path.exists():
                built.append(Built(level, path, read_header(path), fresh))
        return built

    def is_finished(self, level: Level, path: Path) -> bool:
        """Is the level there, with all that this build is to know?"""
        if not path.exists():
            return False
        known = level.positions - read_header(path).statistics.unknown
        return known >= self.known(level)

    def known(self, level: Level) -> int:
        """How many positions of a level are solved."""
        return min(level.positions, self.max_per_level or level.positions)

    def make(self, level: Level, path: Path) -> None:
        trial = self.max_per_level is not None
        kind = ".trial-" if trial else "."
        part = path.with_suffix(f"{kind}part")
        if trial:
            # What a trial knows depends on what the levels below it know: nothing is taken over.
            part.unlink(missing_ok=True)
        draft = _Draft(level, self.known(level), part, path.with_suffix(f"{kind}slices"))
        try:
            self.solve(draft)
            _finish(draft, path)
        finally:
            draft.log.close()

    def solve(self, draft: _Draft) -> None:
        """Solves the slices that are missing. Only as many as there are workers are held in memory at a time.
        Ctrl-C ends those under way after the block they are at; they are solved again another time."""
        level, missing = draft.level, draft.missing
        solved = sum(map(draft.size, draft.slices)) - sum(job.positions for job in missing)
        said: dict[int, int] = {}  # what the slices under way have solved; workers of a cluster do not say
        reported = 0.0
        with contextlib.closing(run_jobs(self.runner(level, len(missing)), missing)) as events:
            for event in events:
                if isinstance(event, Done):
                    draft.keep(event.job.id, event.result)
                    solved += event.job.positions
                    said.pop(event.job.id, None)
                else:
                    said[event.job.id] = said.get(event.job.id, 0) + event.content
                if time.monotonic() - reported > _TICK:
                    reported = time.monotonic()
                    now = solved + sum(said.values())
                    self.progress(level, now, self.before + now)

    def runner(self, level: Level, jobs: int) -> Runner:
        # A move leaves fewer empty cells and opens no sub-board.
        below = [other for other in self.wanted if other.empties < level.empties and other.open <= level.open]
        files = [self.output / other.file_name for other in below]
        # A trial has no file of a level that it knows nothing of.
        task = SolveTask(level, self.known(level), tuple(str(path) for path in files if path.exists()))
        if self.fleet in ("", "local") or jobs < 2:  # one job is done before it has travelled
            return Threads(task, self.workers or os.cpu_count() or 1)
        return make_runner(task, min(self.workers or 0, jobs), fleet=self.fleet, name="kibitz-tablebase")


def _finish(draft: _Draft, path: Path) -> None:
    """Puts header, checksums and worths together under a temporary name, then renames it. Nothing is written
    of a level of which all is unknown."""
    level = draft.level
    histogram = np.zeros(256, np.int64)
    sums: list[bytes] = []

    def data() -> Iterable[bytes]:
        with draft.part.open("rb") as file:
            while chunk := file.read(_SLICE):
                yield chunk
            left = level.positions - file.tell()
        while left > 0:  # what a trial did not look at
            yield bytes([UNKNOWN]) * min(left, _SLICE)
            left -= _SLICE

    for chunk in data():
        histogram += np.bincount(np.frombuffer(chunk, np.uint8), minlength=256)
        sums.append(checksums(chunk))
    statistics = Statistics.of([int(count) for count in histogram])
    if statistics.unknown == level.positions:
        draft.remove()
        return
    header = Header(level.rule_id, level.empties, level.open, level.positions, statistics)
    with whole_file(path) as file:
        file.write(header.pack())
        file.write(b"".join(sums))
        file.write(b"\0" * (header.data_offset - file.tell()))
        for chunk in data():
            file.write(chunk)
    sync(path.parent)
    draft.remove()


if __name__ == "__main__":
    # The command line stands above this package, so it is only looked up when this file is the program.
    sys.argv = ["kibitz", "tablebase", "build", *sys.argv[1:]]
    import_module("kibitz.cli").main()
