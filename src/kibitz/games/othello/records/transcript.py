"""Transcripts: a game as a row of squares, `f5d6c3d3c4`.

    games = transcript.read("F5D6C3")            # one game a line
    transcript.write(games)                      # 'f5d6c3\\n'

Case does not matter; blanks, commas and move numbers (`1. f5 2. d6`) are skipped. Passes may be
marked (`pass`, `pa`, `ps`, `--`) or left out. A line that begins with a blank continues the line
before it, `%` and `#` begin a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from kibitz.errors import BadRecord
from kibitz.games.othello.records.record import START, Record, replay

_TOKEN = re.compile(r"(?P<move>[a-h][1-8]|pass|pa|ps|--)|(?P<skip>[\s,]+|\d+\s*\.+)", re.IGNORECASE)


def squares(text: str, where: str) -> list[str]:
    """The moves written in one transcript, lower case, pass marks as they stand."""
    moves: list[str] = []
    at = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise BadRecord(
                f"{where}: expected a square such as f5 at column {at + 1}, got {text[at : at + 8]!r}"
            )
        if token["move"]:
            moves.append(token["move"].lower())
        at = token.end()
    return moves


def read(text: str, name: str = "transcript") -> tuple[Record, ...]:
    """All games of a text; BadRecord with the line's number when one is not a game."""
    records: list[Record] = []
    for number, line in _lines(text):
        where = f"{name}, line {number}"
        moves = squares(line, where)
        if not moves:
            raise BadRecord(f"{where}: expected moves such as f5d6c3")
        run = replay(START, moves, where)
        score = float(run.position.score) if run.position.is_over else None
        records.append(Record(moves=tuple(run.moves), score=score))
    if not records:
        raise BadRecord(f"{name}: expected a game such as f5d6c3, found none")
    return tuple(records)


def write(records: Iterable[Record], *, passes: bool = False) -> str:
    """One game a line; `passes=True` marks each pass with `--`."""
    lines = []
    for number, record in enumerate(records, 1):
        if record.start != START:
            raise BadRecord(f"game {number}: a transcript can only hold a game from the start position")
        if not record.moves:
            raise BadRecord(f"game {number}: a transcript needs at least one move")
        marks = ("--" if move == "pass" else move for move in record.moves if passes or move != "pass")
        lines.append("".join(marks) + "\n")
    return "".join(lines)


def _lines(text: str) -> list[tuple[int, str]]:
    games: list[tuple[int, str]] = []
    for number, raw in enumerate(text.split("\n"), 1):
        line = re.split("[%#]", raw, maxsplit=1)[0].rstrip()
        if not line.strip():
            continue
        if games and line[0].isspace():
            games[-1] = (games[-1][0], f"{games[-1][1]} {line}")
        else:
            games.append((number, line))
    return games
