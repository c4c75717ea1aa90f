"""`.jgs` records of four-player games, read, written and replayed.

    >>> record = read_jgs("game.jgs")                                                 # doctest: +SKIP
    >>> record.check()                                                                # doctest: +SKIP
    Replay(moves=271, battles=51, ...)

The layout: `QQGame JQS\\0`, the number of records at 0x1a, four blocks of 88 bytes from 0x20 (colour, name in
GBK at +8, set-up at +28), then records of ten bytes from 0x19c. The mover of a move is the owner of the piece
that moved: the seat bits of a record are wrong once somebody is out, so they are neither read nor written.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from os import PathLike, fspath
from pathlib import Path

from kibitz.errors import BadRecord, KibitzError
from kibitz.games.junqi.picture import grid_of
from kibitz.games.junqi.pieces import SEATS
from kibitz.games.junqi.position import Position
from kibitz.games.junqi.records.jql import layout_bytes, layout_of_bytes

__all__ = [
    "JgsEvent",
    "JgsMove",
    "JgsRecord",
    "Replay",
    "dump_jgs",
    "parse_jgs",
    "read_jgs",
    "record_of",
    "write_jgs",
]

_MAGIC = b"QQGame JQS\0"
_COUNT_AT = 0x1A
_PLAYERS_AT = 0x20
_BLOCK = 88
_RECORDS_AT = 0x19C
_RECORD = 10
_NAME = slice(8, 28)
_LAYOUT = slice(28, 58)
_EMPTY = 0xFF
#: Seats in the order of the file's arms.
_ARMS = "SWNE"
_OUTCOMES = "move", "won", "lost", "both"
_MARKS = {"+": 1, "-": 2, "=": 3}
_SKIPPED, _OUT, _END = 2, 3, 5
_FLAG_TAKEN, _DRAWN, _DECIDED = 1, 2, 4


@cache
def _node_at(x: int, y: int) -> str:
    """The node with this global column and row."""
    places = {}
    for arm in SEATS:
        for row in range(1, 7):
            for column in range(1, 6):
                places[grid_of(f"{arm}{row}{column}")] = f"{arm}{row}{column}"
    for i in range(1, 4):
        for j in range(1, 4):
            places[grid_of(f"C{i}{j}")] = f"C{i}{j}"
    if (y, x) not in places:
        raise BadRecord(f"no node has column {x} and row {y}")
    return places[(y, x)]


@dataclass(frozen=True)
class JgsMove:
    """A move as recorded: `outcome` is move, won, lost or both."""

    move: str
    outcome: str
    commander_died: bool = False


@dataclass(frozen=True)
class JgsEvent:
    """Something else: kind 2 a skipped turn, 3 a seat is out (reason 1: its flag was taken), 5 the end."""

    kind: int
    seat: str
    reason: int = 0


@dataclass(frozen=True)
class Replay:
    """What a replay found."""

    moves: int
    battles: int
    eliminated: tuple[str, ...]
    end: str
    position: Position


@dataclass(frozen=True)
class JgsRecord:
    """A recorded game; names and layouts by seat."""

    names: dict[str, str]
    layouts: dict[str, str]
    records: tuple[JgsMove | JgsEvent, ...]

    def start(self) -> Position:
        return Position.deal([self.layouts[seat] for seat in SEATS], options="draw=0")

    def position(self) -> Position:
        """The last position, which knows its moves."""
        return self.check().position

    def check(self) -> Replay:
        """Replays every record and compares each outcome with the rules; BadRecord names the first that
        differs."""
        position = self.start()
        moves = battles = 0
        gone: list[str] = []
        end = "unfinished"
        for number, item in enumerate(self.records, 1):
            try:
                if isinstance(item, JgsMove):
                    position = self._step(position, item)
                    moves += 1
                    battles += item.outcome != "move"
                elif item.kind == _SKIPPED:
                    position = _skipped(position, item.seat)
                elif item.kind == _OUT:
                    position = _eliminated(position, item)
                    gone.append(item.seat)
                elif item.kind == _END:
                    end = {_DRAWN: "draw", _DECIDED: "decided"}.get(item.reason, f"reason {item.reason}")
            except KibitzError as error:
                raise BadRecord(f"record {number}: {error}") from None
        if end == "decided" and not position.is_over:
            raise BadRecord("the record says the game was decided, but both sides are still there")
        return Replay(moves, battles, tuple(gone), end, position)

    @staticmethod
    def _step(position: Position, item: JgsMove) -> Position:
        owner = next((seat for node, seat, _, _ in position.state.standing() if node == item.move[:3]), None)
        if owner is not None and SEATS[owner] != position.mover:
            raise BadRecord(
                f"{item.move} is a move of {SEATS[owner]}, but it is the turn of {position.mover}"
            )
        after = position.play(item.move)
        seen = after.events[-1]
        outcome = _OUTCOMES[_MARKS[seen[7]]] if seen[3] == "x" else "move"
        if outcome != item.outcome:
            raise BadRecord(f"{item.move} is recorded as {item.outcome}, by the rules it is {outcome}")
        if item.commander_died != ("!" in seen):
            raise BadRecord(f"{item.move}: record and rules differ on whether a commander died")
        return after


def _skipped(position: Position, seat: str) -> Position:
    if position.mover != seat:
        raise BadRecord(f"{seat} is skipped, but it is the turn of {position.mover}")
    return position.play(f"skip:{seat}")


def _eliminated(position: Position, item: JgsEvent) -> Position:
    if not position.alive(item.seat):
        return position
    if item.reason == _FLAG_TAKEN:
        raise BadRecord(f"{item.seat} is out by its flag, which still stands")
    return position.resign(item.seat)


def parse_jgs(data: bytes, where: str = "record") -> JgsRecord:
    """A record from a file's bytes."""
    if not data.startswith(_MAGIC):
        raise BadRecord(f"{where}: not a .jgs file, it does not begin with 'QQGame JQS'")
    if len(data) < _RECORDS_AT:
        raise BadRecord(f"{where}: cut off, {len(data)} bytes of at least {_RECORDS_AT}")
    (count,) = struct.unpack_from("<H", data, _COUNT_AT)
    if len(data) < _RECORDS_AT + count * _RECORD:
        raise BadRecord(f"{where}: cut off, it should have {count} records")
    names, layouts, colours = {}, {}, {}
    for block in range(4):
        part = data[_PLAYERS_AT + block * _BLOCK : _PLAYERS_AT + (block + 1) * _BLOCK]
        colour = part[0]
        if colour == _EMPTY:
            raise BadRecord(f"{where}: player {block + 1} is missing; only games of four can be replayed")
        seat = _ARMS[(colour - 1) % 4]
        if seat in layouts:
            raise BadRecord(f"{where}: two players have the seat {seat}")
        colours[colour] = seat
        names[seat] = part[_NAME].split(b"\0")[0].decode("gbk", "replace")
        layouts[seat] = layout_of_bytes(part[_LAYOUT], f"{where}: set-up of {seat}")
    records = tuple(_records(data, count, colours, where))
    return JgsRecord(names, layouts, records)


def _records(data: bytes, count: int, colours: dict[int, str], where: str) -> Iterator[JgsMove | JgsEvent]:
    for number in range(count):
        part = data[_RECORDS_AT + number * _RECORD : _RECORDS_AT + (number + 1) * _RECORD]
        try:
            if part[0] == 0x5F:
                outcome = part[1] & 7
                if outcome > 3:
                    raise BadRecord(f"outcome {outcome} is none of 0 to 3")
                move = f"{_node_at(part[2], part[3])}-{_node_at(part[4], part[5])}"
                yield JgsMove(move, _OUTCOMES[outcome], bool(part[1] & 0x40))
            elif part[0] == 0xF5:
                yield JgsEvent(part[1], colours.get(part[2], ""), part[3])
            else:
                raise BadRecord(f"it begins with {part[0]:#04x}, expected 0x5f or 0xf5")
        except BadRecord as error:
            raise BadRecord(f"{where}: record {number + 1}: {error}") from None


def dump_jgs(record: JgsRecord) -> bytes:
    """The bytes of a record; `parse_jgs` reads them back."""
    if len(record.records) > 0xFFFF:
        raise BadRecord(f"a .jgs file holds 65535 records, not {len(record.records)}")
    head = bytearray(_RECORDS_AT)
    head[: len(_MAGIC)] = _MAGIC
    struct.pack_into("<H", head, _COUNT_AT, len(record.records))
    colours = {seat: arm + 1 for arm, seat in enumerate(_ARMS)}
    for block, seat in enumerate(_ARMS):
        at = _PLAYERS_AT + block * _BLOCK
        head[at] = colours[seat]
        name = record.names.get(seat, "").encode("gbk", "replace")[:19]
        head[at + 8 : at + 8 + len(name)] = name
        head[at + 28 : at + 58] = layout_bytes(record.layouts[seat])
    body = bytearray()
    for item in record.records:
        if isinstance(item, JgsMove):
            (y1, x1), (y2, x2) = grid_of(item.move[:3]), grid_of(item.move[4:7])
            b = _OUTCOMES.index(item.outcome) | (0x40 if item.commander_died else 0)
            body += bytes((0x5F, b, x1, y1, x2, y2, 0, 0, 0, 0))
        else:
            body += bytes((0xF5, item.kind, colours.get(item.seat, 0), item.reason, 0, 0, 0, 0, 0, 0))
    return bytes(head + body)


def record_of(position: Position, names: dict[str, str] | None = None) -> JgsRecord:
    """The record of a game played from its set-up."""
    if position.players != 4:
        raise BadRecord("a .jgs file holds games of four players")
    start = position.start
    assert isinstance(start, Position)
    if start.ply:
        raise BadRecord("only a game that was played from its set-up can be written")
    records: list[JgsMove | JgsEvent] = []
    for event in position.events:
        if event.startswith("skip:"):
            records.append(JgsEvent(_SKIPPED, event[5]))
        elif event.startswith("resign:"):
            records.append(JgsEvent(_OUT, event[7], 2))
        else:
            outcome = _OUTCOMES[_MARKS[event[7]]] if event[3] == "x" else "move"
            records.append(JgsMove(f"{event[:3]}-{event[4:7]}", outcome, "!" in event))
        for mark, reason in (("~", _FLAG_TAKEN), ("^", 3)):
            records += [
                JgsEvent(_OUT, event[at + 1], reason) for at, letter in enumerate(event) if letter == mark
            ]
    if position.is_over:
        records.append(JgsEvent(_END, "", _DRAWN if position.result == 0.5 else _DECIDED))
    layouts = {seat: start.layout(seat) for seat in SEATS}
    return JgsRecord(names or {}, layouts, tuple(records))


def read_jgs(path: str | PathLike[str]) -> JgsRecord:
    return parse_jgs(Path(path).read_bytes(), fspath(path))


def write_jgs(path: str | PathLike[str], record: JgsRecord) -> None:
    Path(path).write_bytes(dump_jgs(record))
