"""Othello's records as the page opens them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from kibitz.games.othello import records
from kibitz.games.othello.position import Position
from kibitz.games.othello.records import wthor
from kibitz.games.record_kinds import Form, GameTree, OpenedGame, RecordKind

_BOARD = re.compile(r"\s*([-.*xXoO0]\s*){64}")
_SQUARES = re.compile(r"\s*([a-hA-H][1-8][\s,]*)+$")


def _is_ggf(data: bytes, text: str) -> bool:
    head = text[: text.find("]") + 200]
    begins = text.lstrip(" \t\r\n0123456789").startswith("(;")
    return begins and ("GM[Othello]" in head or "TY[" in head)


def _reader(kind: str | None) -> Callable[[bytes, str], Iterator[OpenedGame]]:
    def read(data: bytes, text: str) -> Iterator[OpenedGame]:
        for one in records.read(data, kind):
            yield _opened(one)

    return read


def _read_wthor(data: bytes, beside: Mapping[str, bytes]) -> Iterator[OpenedGame]:
    """The games of a year, with names from a `.jou` and a `.trn` file where they are given."""
    tables: dict[str, tuple[str, ...]] = {}
    for name, table in beside.items():
        for suffix, width in ((".jou", wthor.PLAYER_BYTES), (".trn", wthor.TOURNAMENT_BYTES)):
            if name.lower().endswith(suffix):
                tables[suffix] = wthor.read_names(table, width, name[:100])
    players, tournaments = tables.get(".jou", ()), tables.get(".trn", ())
    file = wthor.WthorFile.from_bytes(data, players=players, tournaments=tournaments)
    yield from map(_opened, file.records())


def _opened(one: records.Record) -> OpenedGame:
    return OpenedGame(f"{one.black} - {one.white}".strip(" -"), one.position(), None, _headers(one))


def _headers(record: records.Record) -> dict[str, str]:
    """Names, event and result by PGN's tag names."""
    score = "" if record.score is None else f"{record.score:+g}"
    found = {"Black": record.black, "White": record.white, "Event": record.event, "Date": record.date}
    return {name: value for name, value in {**found, "Result": score}.items() if value}


def save(tree: GameTree, kind: str) -> bytes:
    """The main line as GGF, which has no variations; evaluations are those of who made the move."""
    last, line = tree.last(), tree.main_line()
    assert isinstance(last, Position)
    leads = [tree.rows[number].lead for number in line]
    evals, position = [], tree.start
    for number, lead in zip(line, leads, strict=True):
        evals.append(lead if lead is None or position.to_move == 0 else -lead)
        position = position.play(tree.rows[number].move)
    # What GGF cannot hold.
    headers = {name: " ".join(text.replace("]", ")").split()) for name, text in tree.headers.items()}
    record = records.Record.of(last, black=headers.get("Black", ""), white=headers.get("White", ""))
    date, event = headers.get("Date", ""), headers.get("Event", "")
    noted = tuple(evals) if any(one is not None for one in evals) else ()
    return records.ggf.write([replace(record, date=date, event=event, evals=noted)]).encode()


RECORD_KINDS = (
    RecordKind("wthor", Form.BOARD, lambda data, text: b"\0" in data[:16], read_beside=_read_wthor),
    RecordKind("ggf", Form.SIGNED, _is_ggf, _reader("ggf")),
    RecordKind("obf", Form.BOARD, lambda data, text: _BOARD.match(text) is not None, _reader("obf")),
    # e2e4 are squares too.
    RecordKind(
        "transcript",
        Form.MOVES,
        lambda data, text: _SQUARES.match(text) is not None,
        _reader(None),
        tentative=True,
    ),
)
