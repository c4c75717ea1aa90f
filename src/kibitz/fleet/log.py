"""The log of a run: what a run that was killed is resumed from.

A text file with one JSON object a line: first what the run is (its format and settings), then a result a
line, in the order in which they came. A line is on the disk before `add` returns. A last line that was cut
off is dropped when the log is opened again, and its job is run again; any other damage is an error that
names the line. No result is counted twice: a number that comes again is an error, and only one process at a
time has the log.

    >>> log = ResultLog("games.jsonl", KIND, {"seed": 1}, resume=True)                # doctest: +SKIP
    >>> log.ids                                                                       # doctest: +SKIP
    {0, 1, 2}
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import Any, BinaryIO, Generic, TypeVar

from kibitz.errors import BadOption, BadRecord, BadRequest
from kibitz.files.whole_file import naming
from kibitz.fleet.lock import lock_file

R = TypeVar("R")

#: The longest line that is read; a whole game with the data of its searches is far below it.
_LONGEST_LINE = 1 << 26


@dataclass(frozen=True)
class LogKind(Generic[R]):
    """What a log holds."""

    format: str
    version: int
    noun: str
    """What a run is called in messages, such as `match`."""
    key: str
    """The field of a result that is its job's number."""
    encode: Callable[[R], Mapping[str, Any]]
    decode: Callable[[Mapping[str, Any]], R]
    """Raises BadRecord naming the field that is wrong."""


def read_log(path: str | PathLike[str], kind: LogKind[R]) -> tuple[dict[str, Any], list[R]]:
    """Settings and results of a log."""
    with open(path, "rb") as file:
        read = _read(file, fspath(path), kind)
        return read.settings, [kind.decode(_at(file, place)) for place in read.places.values()]


@dataclass(frozen=True)
class _Contents:
    settings: dict[str, Any]
    places: dict[int, int]
    """Where the line of each result begins."""
    whole: int
    """The length of the part that is whole."""


def _read(file: BinaryIO, name: str, kind: LogKind[Any]) -> _Contents:
    file.seek(0)
    first = file.readline(_LONGEST_LINE)
    if not first.endswith(b"\n"):
        if first:
            raise BadRecord(f"{name} is no log of a {kind.noun}: it has no whole line")
        return _Contents({}, {}, 0)
    header = _object(first, f"{name}, line 1")
    if header.get("format") != kind.format or not isinstance(header.get("settings"), dict):
        raise BadRecord(f"{name} is no log of a {kind.noun}: its first line is no {kind.format} header")
    if header.get("version") != kind.version:
        raise BadRecord(
            f"{name} has version {header.get('version')!r} of the format, expected {kind.version}"
        )
    places: dict[int, int] = {}
    number, whole = 1, len(first)
    while line := file.readline(_LONGEST_LINE):
        number += 1
        if not line.endswith(b"\n"):
            if len(line) < _LONGEST_LINE:
                break  # cut off
            raise BadRecord(f"{name}, line {number}: the line is too long")
        try:
            fields = _object(line, "bad line")
            kind.decode(fields)
            key = fields.get(kind.key)
            if isinstance(key, bool) or not isinstance(key, int):
                raise BadRecord(f"field {kind.key!r} has a wrong value {key!r}")
        except BadRecord as error:
            raise BadRecord(f"{name}, line {number}: {error}") from error
        if key in places:
            raise BadRecord(f"{name}, line {number}: {kind.key} {key} is there twice")
        places[key] = whole
        whole += len(line)
    return _Contents(dict(header["settings"]), places, whole)


def _at(file: BinaryIO, place: int) -> dict[str, Any]:
    file.seek(place)
    return _object(file.readline(_LONGEST_LINE), "bad line")


def _object(line: bytes, where: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadRecord(f"{where}: not JSON") from error
    if not isinstance(value, dict):
        raise BadRecord(f"{where}: expected a JSON object")
    return value


class ResultLog(Generic[R]):
    """The log being written. `resume` goes on with one that is there (and begins it when it is not)."""

    def __init__(
        self, path: str | PathLike[str], kind: LogKind[R], settings: Mapping[str, Any], *, resume: bool
    ) -> None:
        self.path = Path(path)
        self._kind = kind
        # Through JSON and back, so that tuples and lists compare alike.
        settings = json.loads(json.dumps(settings))
        header = {"format": kind.format, "version": kind.version, "settings": settings}
        if not resume and self.path.exists() and self.path.stat().st_size > 0:
            raise BadOption(f"{self.path} exists; resume it or choose another file")
        fresh = not self.path.exists()
        self._file: BinaryIO = open(path, "a+b")  # noqa: SIM115 - closed by close()
        try:
            if not lock_file(self._file):
                raise BadRequest(f"{self.path}: another {kind.noun} is writing it")
            contents = _Contents({}, {}, 0)
            if not self._is_cut_header(_line(header)):
                contents = _read(self._file, fspath(path), kind)
                if contents.whole:
                    _compare(fspath(path), kind.noun, contents.settings, settings)
            self._places = contents.places
            self._end = contents.whole
            self._file.truncate(contents.whole)
            if contents.whole == 0:
                self._write(header)
            if fresh:
                _sync_folder(self.path.parent)
        except BaseException:
            self.close()
            raise

    @property
    def ids(self) -> set[int]:
        """The numbers of the results that are there."""
        return set(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, number: int) -> bool:
        return number in self._places

    def __getitem__(self, number: int) -> R:
        """A result, read from the file."""
        return self._kind.decode(_at(self._file, self._places[number]))

    def results(self) -> Iterator[R]:
        """All results that are there, in the order in which they came."""
        for number in list(self._places):
            yield self[number]

    def add(self, result: R) -> None:
        """Append one result; it is on the disk when this returns."""
        fields = self._kind.encode(result)
        number = fields[self._kind.key]
        if number in self._places:
            raise BadRecord(f"{self.path}: {self._kind.key} {number} is there already")
        place = self._end
        self._write(fields)
        self._places[number] = place

    def close(self) -> None:
        self._file.close()

    def remove(self) -> None:
        """Close and delete it: its results are in a better place now."""
        self.close()
        self.path.unlink()

    def _write(self, value: Mapping[str, Any]) -> None:
        line = _line(value)
        with naming(self.path):
            self._file.write(line)
            self._file.flush()
            os.fsync(self._file.fileno())
        self._end += len(line)

    def _is_cut_header(self, header: bytes) -> bool:
        """A run killed while it wrote its first line has lost nothing; any other file is not ours to
        overwrite."""
        self._file.seek(0)
        start = self._file.read(4096)
        beginning = header[: header.index(b",") + 1]  # the format
        return b"\n" not in start and start.startswith(beginning)


def _line(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def _compare(name: str, noun: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
    keys = dict.fromkeys([*old, *new])
    differing = [(key, old.get(key), new.get(key)) for key in keys if old.get(key) != new.get(key)]
    if differing:
        listed = "; ".join(f"{key} was {_short(was)}, now {_short(now)}" for key, was, now in differing)
        raise BadOption(f"{name} is of another {noun}: {listed}")


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _sync_folder(folder: Path) -> None:
    """A new name is on the disk only when its folder is."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
