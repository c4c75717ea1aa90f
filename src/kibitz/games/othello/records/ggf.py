"""GGF, the Generic Game Format of GGS and NBoard.

    (;GM[Othello]PC[GGS/os]PB[Ann]PW[Bob]RE[+12.00]BO[8 ---...--- *]B[F5/1.50/0.3]W[F6]B[PA];)

    games = ggf.read(text)
    ggf.write(games)

A file holds any number of games; GGS writes their number before them, which is skipped. Properties
that have no field in Record are kept in `extras` under their own name and written back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from kibitz.errors import BadRecord
from kibitz.games.othello.records.record import (
    START,
    Record,
    Replay,
    is_pass,
    number_of,
    number_text,
    position_of,
)

_PROPERTY = re.compile(r"\s*(?P<key>[A-Za-z]{1,8})\s*\[(?P<value>[^\]]*)\]")
_BETWEEN = re.compile(r"[\s\d\ufeff]*")
_MOVE = re.compile(r"[a-h][1-8]|pass|pa|ps|--", re.IGNORECASE)
_END = re.compile(r"\s*;\s*\)")
_RESULT = re.compile(
    r"(?P<score>[-+]?\d+(?:\.\d*)?(?:e[-+]?\d{1,3})?)\s*(?::\s*(?P<ending>[a-z]))?", re.IGNORECASE
)

# The order GGS writes them in; what is not listed follows behind, before the moves.
_LEADING = ("PC", "DT", "PB", "PW", "RB", "RW", "TI", "TB", "TW", "TY", "RE", "BO")
_FIELDS = {"DT": "date", "PB": "black", "PW": "white", "PC": "event"}


def read(text: str, name: str = "GGF") -> tuple[Record, ...]:
    """All games of a text; BadRecord with the game's number when one cannot be read."""
    records = []
    for number, properties in enumerate(_games(text, name), 1):
        records.append(_record(properties, f"{name}, game {number}"))
    if not records:
        raise BadRecord(f"{name}: expected a game such as (;GM[Othello]...;), found none")
    return tuple(records)


def write(records: Iterable[Record]) -> str:
    """The text of a GGF file, one game a line."""
    return "".join(game_text(record) + "\n" for record in records)


def game_text(record: Record) -> str:
    """One game without a line end, as NBoard's `set game` wants it."""
    values = {key: record.extras[key] for key in record.extras if key not in _FIELDS and key.isupper()}
    values |= {key: getattr(record, attribute) for key, attribute in _FIELDS.items()}
    values.setdefault("TY", "8")
    values["RE"] = "?" if record.score is None else number_text(record.score, sign=True)
    if record.score is not None and record.ending:
        values["RE"] += f":{record.ending}"
    squares, side = record.start.split()
    values["BO"] = f"8 {squares} {side}".replace("X", "*")
    order = [key for key in _LEADING if values.get(key) or key in record.extras]
    order += [key for key in values if key not in _LEADING]
    parts = ["(;GM[Othello]"] + [f"{key}[{_value(key, values[key])}]" for key in order]
    return "".join(parts) + "".join(_moves_text(record)) + ";)"


def _games(text: str, name: str) -> Iterator[list[tuple[str, str]]]:
    at = 0
    number = 0
    while True:
        between = _BETWEEN.match(text, at)
        at = between.end() if between else at
        if at >= len(text):
            return
        number += 1
        where = f"{name}, game {number}"
        if not text.startswith("(;", at):
            raise BadRecord(f"{where}: expected (; at offset {at}, got {text[at : at + 10]!r}")
        at += 2
        properties: list[tuple[str, str]] = []
        while (match := _PROPERTY.match(text, at)) is not None:
            properties.append((match["key"].upper(), match["value"].strip()))
            at = match.end()
        end = _END.match(text, at)
        if end is None:
            raise BadRecord(
                f"{where}: expected a property such as B[F5] or ;) at offset {at}, got {text[at : at + 10]!r}"
            )
        at = end.end()
        yield properties


def _record(properties: list[tuple[str, str]], where: str) -> Record:
    single: dict[str, str] = {}
    moves: list[tuple[str, str]] = []
    for key, value in properties:
        if key in ("B", "W"):
            moves.append((key, value))
        elif key in single:
            raise BadRecord(f"{where}: property {key} is given twice")
        else:
            single[key] = value
    if single.pop("GM", "Othello").lower() not in ("othello", "reversi"):
        raise BadRecord(f"{where}: expected GM[Othello]")
    run = Replay(position_of(_board(single.pop("BO", None), where), where), where)
    start = run.position.notation
    evals: list[float | None] = []
    times: list[float | None] = []
    for key, value in moves:
        move, score, seconds = _move(value, where)
        before = len(run.moves)
        if run.add(move, 0 if key == "B" else 1):
            missing = len(run.moves) - before - 1
            evals += [None] * missing + [score]
            times += [None] * missing + [seconds]
    score, ending = _result(single.pop("RE", "?"), where)
    named = {key: single.pop(key, "") for key in _FIELDS}
    return Record(
        start=start,
        moves=tuple(run.moves),
        score=score,
        ending=ending,
        evals=tuple(evals) if any(value is not None for value in evals) else (),
        times=tuple(times) if any(value is not None for value in times) else (),
        black=named["PB"],
        white=named["PW"],
        date=named["DT"],
        event=named["PC"],
        extras=single,
    )


def _board(value: str | None, where: str) -> str:
    if value is None:
        return START
    size, _, rest = value.partition(" ")
    if size != "8":
        raise BadRecord(f"{where}: expected a board of size 8 in BO, got {size[:10]!r}")
    cells = "".join(rest.split())
    if len(cells) != 65:
        raise BadRecord(f"{where}: expected 64 squares and the side to move in BO, got {len(cells)} signs")
    if re.search(r"[^-.*xXoO0]", cells) or cells[64] in "-.":
        raise BadRecord(f"{where}: expected only *, O and - in BO, and * or O for the side to move")
    return f"{cells[:64]} {cells[64]}"


def _move(value: str, where: str) -> tuple[str, float | None, float | None]:
    square, *notes = (part.strip() for part in value.split("/"))
    if not _MOVE.fullmatch(square):
        raise BadRecord(f"{where}: expected a move such as F5 or PA, got {square[:20]!r}")
    if len(notes) > 2:
        raise BadRecord(f"{where}: expected move/eval/time, got {value[:40]!r}")
    eval_text, time_text = [*notes, "", ""][:2]
    return square.lower(), _number(eval_text, "an eval", where), _number(time_text, "a time", where)


def _number(text: str, what: str, where: str) -> float | None:
    return number_of(text, f"{what} as a number", where) if text else None


def _result(value: str, where: str) -> tuple[float | None, str]:
    if value in ("", "?"):
        return None, ""
    match = _RESULT.fullmatch(value)
    if match is None:
        raise BadRecord(f"{where}: expected a result such as +12.00, -3:r or ? in RE, got {value[:20]!r}")
    return _number(match["score"], "a result", where), (match["ending"] or "").lower()


def _moves_text(record: Record) -> Iterator[str]:
    side = "B" if record.start.endswith("X") else "W"
    for index, move in enumerate(record.moves):
        score = record.evals[index] if index < len(record.evals) else None
        seconds = record.times[index] if index < len(record.times) else None
        text = "PA" if is_pass(move) else move.upper()
        if score is not None or seconds is not None:
            text += "/" + ("" if score is None else number_text(score))
        if seconds is not None:
            text += "/" + number_text(seconds)
        yield f"{side}[{text}]"
        side = "W" if side == "B" else "B"


def _value(key: str, value: str) -> str:
    # GGF knows no escapes, so a bracket would end the property early.
    if "]" in value or "\n" in value:
        raise BadRecord(f"GGF cannot hold a ] or a line end in {key}: {value[:40]!r}")
    return value
