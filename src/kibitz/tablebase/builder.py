"""Builds table files, level by level.

>>> from pathlib import Path; import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     built = build(Path(folder), max_empty=2)
>>> [item.header.positions for item in built]
[3, 76, 180]

Each level is solved in slices by threads of this process; the native core works without the interpreter's
lock. A finished slice is written to `NAME.part` and noted, with its checksum, in `NAME.slices`; a build that
was killed starts again from what these two hold. A finished level is synced and renamed. What is written
depends on the level only: not on the number of threads, nor on how often the build was interrupted.

`python -m kibitz.tablebase.builder --max-empty 10 --output DIR` is `kibitz tablebase build`.
"""

from __future__ import annotations

import os
import shutil
import struct
import sys
import threading
import zlib
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import BinaryIO

import numpy as np

from kibitz import _native
from kibitz.errors import BadOption, BadRequest
from kibitz.tablebase.enumerator import Level, levels
from kibitz.tablebase.folder_lock import FolderLock
from kibitz.tablebase.format import BLOCK_BYTES, UNKNOWN, Header, Statistics, checksums, read_header, sync

__all__ = ["Built", "build"]

#: Positions in a slice: what a kill can cost. A multiple of a block.
_SLICE = 64 * BLOCK_BYTES
_NOTE = struct.Struct("<QI")
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


@dataclass
class _Draft:
    """A level being built: the part file, the slices it has, what is still to do."""

    level: Level
    part: Path
    notes: Path
    done: dict[int, int] = field(default_factory=dict)

    @property
    def slices(self) -> range:
        return range(-(-self.level.positions // _SLICE))

    def size(self, index: int) -> int:
        return min(_SLICE, self.level.positions - index * _SLICE)

    def resume(self) -> None:
        """Takes over the slices that a killed build finished; anything doubtful is solved again."""
        if self.part.exists() and self.notes.exists():
            notes = self.notes.read_bytes()
            with self.part.open("rb") as file:
                for at in range(0, len(notes) - _NOTE.size + 1, _NOTE.size):
                    index, checksum = _NOTE.unpack_from(notes, at)
                    if index not in self.slices:
                        continue
                    file.seek(index * _SLICE)
                    data = file.read(self.size(index))
                    if len(data) == self.size(index) and zlib.crc32(data) == checksum:
                        self.done[index] = checksum
        else:
            self.part.write_bytes(b"")
        with self.notes.open("wb") as file:
            for index, checksum in sorted(self.done.items()):
                file.write(_NOTE.pack(index, checksum))
            _flush(file)

    def keep(self, index: int, worths: bytes) -> None:
        """Writes a slice, makes sure of it, then notes that it is there."""
        with self.part.open("r+b") as file:
            file.seek(index * _SLICE)
            file.write(worths)
            _flush(file)
        checksum = zlib.crc32(worths)
        with self.notes.open("ab") as file:
            file.write(_NOTE.pack(index, checksum))
            _flush(file)
        self.done[index] = checksum


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
    max_per_level: int | None = None,
    progress: Progress | None = None,
    wait_for_others: bool = False,
) -> list[Built]:
    """Builds every level up to the limits into a folder and returns them; finished ones are kept.

    `max_per_level` solves only so many positions of each level, for trials; the others stay unknown, and a
    later build without it solves the level anew. One build at a time works in a folder: another one is
    refused, or waits its turn.
    """
    wanted = levels(max_empty, max_open, rules)
    workers = (os.cpu_count() or 1) if threads is None else threads
    if workers < 1 or (max_per_level is not None and max_per_level < 1):
        raise BadOption("threads and max-per-level must be at least 1")
    output.mkdir(parents=True, exist_ok=True)
    with FolderLock(output, wait_for_others):
        return _Build(output, wanted, workers, max_per_level, progress).run()


class _Build:
    """One build: its threads, and how far it is."""

    def __init__(
        self,
        output: Path,
        wanted: list[Level],
        workers: int,
        max_per_level: int | None,
        progress: Progress | None,
    ) -> None:
        self.output = output
        self.wanted = wanted
        self.workers = workers
        self.max_per_level = max_per_level
        self.progress = progress or (lambda *_: None)
        self.tables = _native.UtttTables()
        self.stopped = threading.Event()
        self.before = 0  # positions of the levels that are finished
        self.solved = 0  # positions of this level that are solved, kept or not
        self.lock = threading.Lock()

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
        pool = ThreadPoolExecutor(self.workers)
        try:
            for level in self.wanted:
                path = self.output / level.file_name
                fresh = not self.is_finished(level, path)
                if fresh:
                    self.make(level, path, pool)
                self.tables.add(str(path))
                self.before += level.positions
                self.solved = 0
                self.progress(level, level.positions, self.before)
                built.append(Built(level, path, read_header(path), fresh))
        finally:
            # Ctrl-C: slices under way end after the block they are at, and are solved again another time.
            self.stopped.set()
            pool.shutdown(cancel_futures=True)
        return built

    def is_finished(self, level: Level, path: Path) -> bool:
        """Is the level there, with all that this build is to know?"""
        if not path.exists():
            return False
        known = level.positions - read_header(path).statistics.unknown
        return known >= min(level.positions, self.max_per_level or level.positions)

    def make(self, level: Level, path: Path, pool: ThreadPoolExecutor) -> None:
        trial = self.max_per_level is not None
        kind = ".trial-" if trial else "."
        draft = _Draft(level, path.with_suffix(f"{kind}part"), path.with_suffix(f"{kind}slices"))
        if trial:
            # What a trial knows depends on what the levels below it know: nothing is taken over.
            draft.part.unlink(missing_ok=True)
        draft.resume()
        self.solved = sum(map(draft.size, draft.done))
        # Only a few slices are in the air at a time: each is held in memory until it is written.
        waiting = iter([index for index in draft.slices if index not in draft.done])
        running: set[Future[tuple[int, bytes]]] = set()

        def submit() -> None:
            index = next(waiting, None)
            if index is not None:
                running.add(pool.submit(self.solve, draft, index))

        for _ in range(self.workers + 1):
            submit()
        while running:
            finished, running = wait(running, timeout=_TICK, return_when=FIRST_COMPLETED)
            for future in finished:
                draft.keep(*future.result())
                submit()
            self.progress(level, self.solved, self.before + self.solved)
        _finish(draft, path)

    def solve(self, draft: _Draft, index: int) -> tuple[int, bytes]:
        """The worths of one slice, a block at a time so that a stop is soon heard."""
        level, first = draft.level, index * _SLICE
        worths = np.full(draft.size(index), UNKNOWN, np.uint8)
        known = min(level.positions, self.max_per_level or level.positions)
        for at in range(0, len(worths), BLOCK_BYTES):
            if self.stopped.is_set():
                raise CancelledError
            block = worths[at : min(at + BLOCK_BYTES, max(known - first, 0))]
            if len(block):
                self.tables.solve(level.rule_id, level.empties, level.open, first + at, block)
            with self.lock:
                self.solved += min(BLOCK_BYTES, len(worths) - at)
        return index, worths.tobytes()


def _finish(draft: _Draft, path: Path) -> None:
    """Puts header, checksums and worths together under a temporary name, then renames it."""
    level = draft.level
    histogram = np.zeros(256, np.int64)
    sums: list[bytes] = []

    def data() -> Iterable[bytes]:
        with draft.part.open("rb") as file:
            while chunk := file.read(_SLICE):
                yield chunk

    for chunk in data():
        histogram += np.bincount(np.frombuffer(chunk, np.uint8), minlength=256)
        sums.append(checksums(chunk))
    statistics = Statistics.of([int(count) for count in histogram])
    header = Header(level.rule_id, level.empties, level.open, level.positions, statistics)
    temporary = path.with_suffix(".tmp")
    with temporary.open("wb") as file:
        file.write(header.pack())
        file.write(b"".join(sums))
        file.write(b"\0" * (header.data_offset - file.tell()))
        for chunk in data():
            file.write(chunk)
        _flush(file)
    temporary.replace(path)
    sync(path.parent)
    draft.part.unlink()
    draft.notes.unlink()


if __name__ == "__main__":
    # The command line stands above this package, so it is only looked up when this file is the program.
    sys.argv = ["kibitz", "tablebase", "build", *sys.argv[1:]]
    import_module("kibitz.cli").main()
