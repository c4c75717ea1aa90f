"""The record of one game, and the file a match leaves behind.

The file has one JSON object a line: first the settings of the match, then a line for each finished game, in
the order in which they finished. Each line is on the disk before the next game is reported, so a match that
was killed can be resumed; a last line that was cut off in the middle is dropped and its game is played
again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from os import PathLike, fspath
from typing import Any

from kibitz.errors import BadOption, BadRecord

__all__ = ["GameRecord", "ResultsFile", "read_results"]

FORMAT = "kibitz-match"
VERSION = 1


@dataclass(frozen=True)
class GameRecord:
    """One finished game. A plays the first side in the games with an even number, the second in the
    others."""

    game: int
    opening: Mapping[str, Any]
    moves: tuple[str, ...]
    """Moves after the opening."""
    result: float
    """For the first side: 1, 0.5 or 0."""
    end: str
    """`rules`, `length` (too long, counted as a draw), or why a player forfeited: `illegal`, `timeout`,
    `crashed`, `protocol`."""
    forfeit: str | None
    """The player who forfeited, `a` or `b`."""
    detail: str | None
    """What the forfeiting player did, in words."""
    seconds: tuple[float, float]
    """Time A and B thought, in all."""
    turns: tuple[int, int]
    """How often A and B were asked for a move."""

    @property
    def pair(self) -> int:
        return self.game // 2

    @property
    def score(self) -> float:
        """What A scored: 1, 0.5 or 0."""
        return self.result if self.game % 2 == 0 else 1.0 - self.result

    @property
    def plies(self) -> int:
        return len(self.opening["moves"]) + len(self.moves)

    def to_dict(self) -> dict[str, Any]:
        first = "a" if self.game % 2 == 0 else "b"
        return {"game": self.game, "pair": self.pair, "first": first, "score": self.score, **asdict(self)}

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> GameRecord:
        """The record of one line; raises BadRecord naming the field that is missing or wrong."""
        seconds, turns = _pair(fields, "seconds"), _pair(fields, "turns")
        record = cls(
            game=_field(fields, "game", int),
            opening=_field(fields, "opening", dict),
            moves=tuple(_field(fields, "moves", list)),
            result=float(_field(fields, "result", (int, float))),
            end=_field(fields, "end", str),
            forfeit=_field(fields, "forfeit", (str, type(None))),
            detail=_field(fields, "detail", (str, type(None))),
            seconds=(float(seconds[0]), float(seconds[1])),
            turns=(int(turns[0]), int(turns[1])),
        )
        if record.game < 0 or record.result not in (0.0, 0.5, 1.0) or record.forfeit not in ("a", "b", None):
            raise BadRecord("game, result or forfeit is out of range")
        if not isinstance(record.opening.get("moves"), list):
            raise BadRecord("field 'opening' has no list of moves")
        return record


def _field(fields: Mapping[str, Any], name: str, kind: type | tuple[type, ...]) -> Any:
    if name not in fields:
        raise BadRecord(f"field {name!r} is missing")
    value = fields[name]
    if not isinstance(value, kind) or isinstance(value, bool):
        raise BadRecord(f"field {name!r} has a wrong value {value!r}")
    return value


def _pair(fields: Mapping[str, Any], name: str) -> list[float]:
    values = _field(fields, name, list)
    if len(values) != 2 or not all(isinstance(value, (int, float)) for value in values):
        raise BadRecord(f"field {name!r} must be two numbers, got {values!r}")
    return list(values)


def read_results(path: str | PathLike[str]) -> tuple[dict[str, Any], list[GameRecord]]:
    """Settings and games of a results file: `settings, games = read_results("match.jsonl")`."""
    settings, records, _ = _read(path)
    return settings, records


def _read(path: str | PathLike[str]) -> tuple[dict[str, Any], list[GameRecord], int]:
    """Settings, games and the length of the part that is whole."""
    with open(path, "rb") as file:
        data = file.read()
    name = fspath(path)
    whole = data.rfind(b"\n") + 1
    lines = data[:whole].splitlines()
    if not lines:
        if data:
            raise BadRecord(f"{name} is not a results file of a match: it has no whole line")
        return {}, [], 0
    header = _object(lines[0], f"{name}, line 1")
    if header.get("format") != FORMAT or not isinstance(header.get("settings"), dict):
        raise BadRecord(f"{name} is not a results file of a match: its first line is no {FORMAT} header")
    if header.get("version") != VERSION:
        raise BadRecord(f"{name} has version {header.get('version')!r} of the format, expected {VERSION}")
    records: dict[int, GameRecord] = {}
    for number, line in enumerate(lines[1:], start=2):
        try:
            record = GameRecord.from_dict(_object(line, "bad line"))
        except BadRecord as error:
            raise BadRecord(f"{name}, line {number}: {error}") from error
        if record.game in records:
            raise BadRecord(f"{name}, line {number}: game {record.game} is there twice")
        records[record.game] = record
    return dict(header["settings"]), list(records.values()), whole


def _object(line: bytes, where: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError as error:
        raise BadRecord(f"{where}: not JSON") from error
    if not isinstance(value, dict):
        raise BadRecord(f"{where}: expected a JSON object")
    return value


class ResultsFile:
    """The file being written: `ResultsFile(path, settings, resume=True)`; `.games` holds what was there
    before."""

    def __init__(self, path: str | PathLike[str], settings: Mapping[str, Any], *, resume: bool) -> None:
        self.games: list[GameRecord] = []
        name = fspath(path)
        # Through JSON and back, so that tuples and lists compare alike.
        settings = json.loads(json.dumps(settings))
        whole = 0
        if os.path.exists(path) and os.path.getsize(path) > 0:
            if not resume:
                raise BadOption(f"{name} exists; resume it or choose another file")
            if not _is_cut_header(path):
                old, self.games, whole = _read(path)
                _compare(name, old, settings)
                beyond = [record.game for record in self.games if record.game >= settings["games"]]
                if beyond:
                    raise BadRecord(
                        f"{name} has game {beyond[0]}, but the match has {settings['games']} games"
                    )
        self._file = open(path, "ab")  # noqa: SIM115 - closed by close()
        self._file.truncate(whole)
        if whole == 0:
            self._write({"format": FORMAT, "version": VERSION, "settings": settings})

    def add(self, record: GameRecord) -> None:
        """Append one game; it is on the disk when this returns."""
        self._write(record.to_dict())

    def close(self) -> None:
        self._file.close()

    def _write(self, value: Mapping[str, Any]) -> None:
        self._file.write(json.dumps(value, separators=(",", ":")).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())


def _is_cut_header(path: str | PathLike[str]) -> bool:
    """A match killed while it wrote its first line has lost nothing; any other file is not ours to
    overwrite."""
    with open(path, "rb") as file:
        data = file.read(4096)
    return b"\n" not in data and data.startswith(b'{"format":"kibitz-match"')


def _compare(name: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
    differing = _differences(old, new)
    if differing:
        listed = "; ".join(f"{key} was {_short(was)}, now {_short(now)}" for key, was, now in differing)
        raise BadOption(f"{name} is of another match: {listed}")


def _differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterable[tuple[str, Any, Any]]:
    keys = list(dict.fromkeys([*old, *new]))
    return [(key, old.get(key), new.get(key)) for key in keys if old.get(key) != new.get(key)]


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."
