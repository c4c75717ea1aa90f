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
import struct
import sys
import zlib
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

import numpy as np

from kibitz import _native
from kibitz.errors import BadOption
from kibitz.tablebase.enumerator import Level, levels
from kibitz.tablebase.format import BLOCK_BYTES, UNKNOWN, Header, Statistics, checksums, read_header, sync

__all__ = ["Built", "build"]

#: Positions in a slice: what a kill can cost. A multiple of a block.
_SLICE = 64 * BLOCK_BYTES
_NOTE = struct.Struct("<QI")


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
    known: int
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
            _flush(file.fileno())

    def keep(self, index: int, worths: bytes) -> None:
        """Writes a slice, makes sure of it, then notes that it is there."""
        with self.part.open("r+b") as file:
            file.seek(index * _SLICE)
            file.write(worths)
            file.flush()
            _flush(file.fileno())
        checksum = zlib.crc32(worths)
        with self.notes.open("ab") as file:
            file.write(_NOTE.pack(index, checksum))
            file.flush()
            _flush(file.fileno())
        self.done[index] = checksum


def _flush(handle: int) -> None:
    os.fsync(handle)


def build(
    output: Path,
    max_empty: int = 10,
    max_open: int | None = None,
    *,
    rules: str = "standard",
    threads: int | None = None,
    max_per_level: int | None = None,
    progress: Progress | None = None,
) -> list[Built]:
    """Builds every level up to the limits into a folder and returns them; finished ones are kept.

    `max_per_level` solves only so many positions of each level, for trials; the others stay unknown.
    """
    wanted = levels(max_empty, max_open, rules)
    workers = threads or os.cpu_count() or 1
    if workers < 1 or (max_per_level is not None and max_per_level < 1):
        raise BadOption("threads and max-per-level must be at least 1")
    output.mkdir(parents=True, exist_ok=True)
    tables = _native.UtttTables()
    built: list[Built] = []
    before = 0
    with ThreadPoolExecutor(workers) as pool:
        for level in wanted:
            path = output / level.file_name
            fresh = not path.exists()
            if fresh:
                _build_level(level, path, tables, pool, workers, max_per_level, progress, before)
            tables.add(str(path))
            before += level.positions
            if progress:
                progress(level, level.positions, before)
            built.append(Built(level, path, read_header(path), fresh))
    return built


def _build_level(
    level: Level,
    path: Path,
    tables: _native.UtttTables,
    pool: ThreadPoolExecutor,
    workers: int,
    max_per_level: int | None,
    progress: Progress | None,
    before: int,
) -> None:
    known = min(level.positions, max_per_level or level.positions)
    draft = _Draft(level, path.with_suffix(".part"), path.with_suffix(".slices"), known)
    draft.resume()

    def solve(index: int) -> tuple[int, bytes]:
        worths = np.full(draft.size(index), UNKNOWN, np.uint8)
        count = max(0, min(len(worths), known - index * _SLICE))
        if count:
            tables.solve(level.rule_id, level.empties, level.open, index * _SLICE, worths[:count])
        return index, worths.tobytes()

    # Only a few slices are in the air at a time: each is held in memory until it is written.
    waiting = iter([index for index in draft.slices if index not in draft.done])
    running: set[Future[tuple[int, bytes]]] = set()

    def submit() -> None:
        index = next(waiting, None)
        if index is not None:
            running.add(pool.submit(solve, index))

    for _ in range(workers + 1):
        submit()
    while running:
        finished, running = wait(running, return_when=FIRST_COMPLETED)
        for future in finished:
            draft.keep(*future.result())
            submit()
        if progress:
            solved = sum(draft.size(index) for index in draft.done)
            progress(level, solved, before + solved)
    _finish(draft, path)


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
        file.flush()
        _flush(file.fileno())
    temporary.replace(path)
    sync(path.parent)
    draft.part.unlink()
    draft.notes.unlink()


if __name__ == "__main__":
    # The command line stands above this package, so it is only looked up when this file is the program.
    sys.argv = ["kibitz", "tablebase", "build", *sys.argv[1:]]
    import_module("kibitz.cli").main()
