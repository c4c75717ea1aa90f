"""Opening lines of a style, to start self-play games from.

>>> book = load_openings()                       # the hypermodern lines that come with Kibitz
>>> book[0].eco, book[0].moves[:2]               # doctest: +SKIP
('A00', ('b2b4', 'e7e5'))
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from kibitz.errors import BadRecord, KibitzError
from kibitz.games.chess.position import Position

FORMAT = "kibitz-openings"
VERSION = 1


@dataclass(frozen=True)
class OpeningLine:
    """A named line from the start position, in UCI, and the position it leads to."""

    name: str
    eco: str
    moves: tuple[str, ...]
    fen: str


def injection_chance(strength: float, alpha: float = 0.5, base: float = 0.0) -> float:
    """The chance that a self-play game starts from a line: strength * alpha + base, within [0, 1]."""
    return min(1.0, max(0.0, strength * alpha + base))


def load_openings(path: str | os.PathLike[str] | None = None) -> tuple[OpeningLine, ...]:
    """The lines of a file, or the hypermodern ones that come with Kibitz. A file is JSON as ours, or text
    with the moves of a line (UCI or SAN) on each line."""
    if path is None:
        source = resources.files("kibitz.style").joinpath("lines").joinpath("hypermodern.json")
        return _read_json(json.loads(source.read_text(encoding="utf-8")), "hypermodern.json")
    name = os.fspath(path)
    text = Path(path).read_text(encoding="utf-8")
    if text.lstrip()[:1] == "{":
        try:
            data = json.loads(text)
        except ValueError as error:
            raise BadRecord(f"{name}: not JSON: {error}") from None
        return _read_json(data, name)
    lines = []
    for number, row in enumerate(text.splitlines(), 1):
        moves = [word.rpartition(".")[2] for word in row.partition("#")[0].split()]
        if any(moves):
            lines.append(_line(f"line {number}", "", [move for move in moves if move], name, number))
    return _some(lines, name)


def _read_json(data: Any, name: str) -> tuple[OpeningLine, ...]:
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise BadRecord(f"{name}: expected an object with format {FORMAT!r}")
    if data.get("version") != VERSION:
        raise BadRecord(f"{name}: version {data.get('version')!r}, this Kibitz reads {VERSION}")
    lines = []
    for number, row in enumerate(data.get("lines", ()), 1):
        try:
            moves = row["moves"].split()
            lines.append(_line(row["name"], row["eco"], moves, name, number))
            wanted = row.get("fen")
        except (KeyError, TypeError, AttributeError):
            raise BadRecord(f"{name}: line {number} needs name, eco and moves as text") from None
        if wanted is not None and wanted != lines[-1].fen:
            raise BadRecord(f"{name}: line {number} ({row['name']}) leads to {lines[-1].fen}, not {wanted}")
    return _some(lines, name)


def _line(title: str, eco: str, moves: list[str], name: str, number: int) -> OpeningLine:
    try:
        position = Position().play(*moves)
    except KibitzError as error:
        raise BadRecord(f"{name}: line {number} ({title}): {error}") from None
    return OpeningLine(title, eco, position.moves, position.fen)


def _some(lines: list[OpeningLine], name: str) -> tuple[OpeningLine, ...]:
    if not lines:
        raise BadRecord(f"{name}: no opening line in it")
    return tuple(lines)
