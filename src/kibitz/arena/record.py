"""The record of one game, and the file a match leaves behind: a log of the fleet with a game a line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from os import PathLike
from typing import Any

from kibitz.errors import BadRecord
from kibitz.fleet.log import LogKind, read_log


@dataclass(frozen=True)
class GameRecord:
    """One finished game. A plays the first side in the games with an even number, the second in the
    others.

    >>> events = kibitz.arena.run_match("uttt", "random", "random", games=2, seed=1, processes=0)
    >>> [event.record.forfeit for event in events if isinstance(event, kibitz.arena.GameFinished)]
    [None, None]
    """

    game: int
    opening: Mapping[str, Any]
    moves: tuple[str, ...]
    """Moves after the opening."""
    result: float
    """For the first side: 1, 0.5 or 0."""
    end: str
    """`rules`, `length` (too long, counted as a draw), `resigned`, or why a player forfeited: `illegal`,
    `timeout`, `crashed`, `protocol`."""
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


#: The file of a match.
RESULTS = LogKind("kibitz-match", 1, "match", "game", GameRecord.to_dict, GameRecord.from_dict)


def read_results(path: str | PathLike[str]) -> tuple[dict[str, Any], list[GameRecord]]:
    """Settings and games of a results file: `settings, games = read_results("match.jsonl")`.

    >>> from kibitz.arena import run_match
    >>> _ = list(run_match("uttt", "random", "random", games=2, processes=0, output="two.jsonl"))
    >>> settings, games = read_results("two.jsonl")
    >>> len(games)
    2
    """
    return read_log(path, RESULTS)
