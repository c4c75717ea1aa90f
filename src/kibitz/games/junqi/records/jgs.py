"""`.jgs` records of four-player games as files: read and written byte by byte.

    >>> record = read_jgs("game.jgs")                                                 # doctest: +SKIP
    >>> dump_jgs(record) == open("game.jgs", "rb").read()                             # doctest: +SKIP
    True

The layout: `QQGame JQS\\0`, the number of records at 0x1a, four blocks of 88 bytes from 0x20 (colour, name in
GBK at +8, set-up at +28), records of ten bytes from 0x19c, and what follows them. What is not understood
is kept as it is. `replay.py` plays a record by the rules.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from os import PathLike, fspath
from pathlib import Path

from kibitz.errors import BadRecord
from kibitz.games.junqi.picture import grid_of
from kibitz.games.junqi.pieces import SEATS
from kibitz.games.junqi.records.jql import layout_bytes, layout_of_bytes

_MAGIC = b"QQGame JQS\0"
_COUNT_AT = 0x1A
_PLAYERS_AT = 0x20
_BLOCK = 88
_RECORDS_AT = 0x19C
_RECORD = 10
_NAME = slice(8, 28)
_LAYOUT = slice(28, 58)
_EMPTY = 0xFF
_MOVE, _EVENT = 0x5F, 0xF5
#: Ends a file we make; others have other bytes there.
_TAIL = bytes(8)
#: The most a file may be: 65,535 records and as much again.
_MOST_BYTES = 1 << 21

#: Seats in the order of the file's arms, and the colour each of them has.
ARMS = "SWNE"
COLOURS = {seat: (arm + 1) % 4 for arm, seat in enumerate(ARMS)}
#: Colour 0 begins.
FIRST = next(seat for seat, colour in COLOURS.items() if colour == 0)
NOBODY = 0xFF
OUTCOMES = "move", "won", "lost", "both"
#: Kinds of events that are understood: a turn was skipped, a seat is out, the game is over.
SKIPPED, OUT, END = 2, 3, 5


@cache
def node_at(x: int, y: int) -> str:
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


def _place(node: str) -> tuple[int, int]:
    """Column and row of a node, (0, 0) of none."""
    if not node:
        return 0, 0
    row, column = grid_of(node)
    return column, row


@dataclass(frozen=True)
class JgsMove:
    """A move as recorded: `outcome` is move, won, lost or both."""

    move: str
    outcome: str
    #: The attacker's flag and the defender's, where that side's commander died; else "".
    attacker_flag: str = ""
    defender_flag: str = ""
    #: The other bits of the second byte: in 3 and 4 the arm before the one that moves next.
    bits: int = 0


@dataclass(frozen=True)
class JgsEvent:
    """Something else: kind 2 a skipped turn, 3 a seat is out, 5 the end; other kinds are kept as they are."""

    kind: int
    colour: int
    reason: int = 0
    #: The six bytes after the reason; the first is the colour that moves next, 0xff for nobody.
    rest: bytes = bytes(6)

    @property
    def seat(self) -> str:
        """The seat of the colour; "" when there is none."""
        return next((seat for seat, colour in COLOURS.items() if colour == self.colour), "")

    @property
    def known(self) -> bool:
        return self.kind in (SKIPPED, OUT, END)

    def __str__(self) -> str:
        return self.data.hex(" ")

    @property
    def data(self) -> bytes:
        return bytes((_EVENT, self.kind, self.colour, self.reason)) + self.rest


@dataclass(frozen=True)
class JgsFile:
    """A file's content; names and layouts by seat."""

    names: Mapping[str, str]
    layouts: Mapping[str, str]
    records: tuple[JgsMove | JgsEvent, ...]
    #: Seats in the order of the blocks.
    order: tuple[str, ...] = tuple(sorted(COLOURS, key=COLOURS.__getitem__))
    #: Everything before the records as it was read, for bytes that nobody understands; b"" for a new file.
    head: bytes = b""
    #: What follows the records.
    tail: bytes = _TAIL


def parse(data: bytes, where: str = "record") -> JgsFile:
    """The content of a file's bytes."""
    if not data.startswith(_MAGIC):
        raise BadRecord(f"{where}: not a .jgs file, it does not begin with 'QQGame JQS'")
    if len(data) < _RECORDS_AT:
        raise BadRecord(f"{where}: cut off, {len(data)} bytes of at least {_RECORDS_AT}")
    if len(data) > _MOST_BYTES:
        raise BadRecord(f"{where}: {len(data)} bytes, a .jgs file has at most {_MOST_BYTES}")
    (count,) = struct.unpack_from("<H", data, _COUNT_AT)
    end = _RECORDS_AT + count * _RECORD
    if len(data) < end:
        raise BadRecord(f"{where}: cut off, it should have {count} records")
    names, layouts, order = {}, {}, []
    for block in range(4):
        part = _block(data, block)
        colour = part[0]
        if colour == _EMPTY:
            raise BadRecord(f"{where}: player {block + 1} is missing; only games of four can be replayed")
        if colour > 3:
            raise BadRecord(f"{where}: player {block + 1} has colour {colour}, expected 0 to 3")
        seat = ARMS[(colour - 1) % 4]
        if seat in layouts:
            raise BadRecord(f"{where}: two players have the seat {seat}")
        order.append(seat)
        names[seat] = _name(part)
        layouts[seat] = layout_of_bytes(part[_LAYOUT], f"{where}: set-up of {seat}")
    records = tuple(_records(data, count, where))
    return JgsFile(names, layouts, records, tuple(order), data[:_RECORDS_AT], data[end:])


def _block(data: bytes, number: int) -> bytes:
    return data[_PLAYERS_AT + number * _BLOCK : _PLAYERS_AT + (number + 1) * _BLOCK]


def _name(block: bytes) -> str:
    return block[_NAME].split(b"\0")[0].decode("gbk", "replace")


def _records(data: bytes, count: int, where: str) -> Iterator[JgsMove | JgsEvent]:
    for number in range(count):
        part = data[_RECORDS_AT + number * _RECORD : _RECORDS_AT + (number + 1) * _RECORD]
        try:
            if part[0] == _MOVE:
                yield _move(part)
            elif part[0] == _EVENT:
                yield JgsEvent(part[1], part[2], part[3], part[4:])
            else:
                raise BadRecord(f"it begins with {part[0]:#04x}, expected 0x5f or 0xf5")
        except BadRecord as error:
            raise BadRecord(f"{where}: record {number + 1}: {error}") from None


def _move(part: bytes) -> JgsMove:
    outcome = part[1] & 7
    if outcome > 3:
        raise BadRecord(f"outcome {outcome} is none of 0 to 3")
    attacker, defender = (
        node_at(x, y) if x or y else "" for x, y in ((part[6], part[7]), (part[8], part[9]))
    )
    if bool(part[1] & 0x40) != bool(defender):
        raise BadRecord("bit 6 and the defender's flag differ on whether its commander died")
    move = f"{node_at(part[2], part[3])}-{node_at(part[4], part[5])}"
    return JgsMove(move, OUTCOMES[outcome], attacker, defender, part[1] & 0xB8)


def dump(file: JgsFile) -> bytes:
    """The bytes of a file; `parse` reads them back."""
    if len(file.records) > 0xFFFF:
        raise BadRecord(f"a .jgs file holds 65535 records, not {len(file.records)}")
    body = b"".join(_data(item) for item in file.records)
    head = bytearray(file.head or _new_head(file, len(body)))
    struct.pack_into("<H", head, _COUNT_AT, len(file.records))
    for block, seat in enumerate(file.order):
        at = _PLAYERS_AT + block * _BLOCK
        head[at] = COLOURS[seat]
        name = file.names.get(seat, "")
        if name != _name(_block(bytes(head), block)):  # a name that GBK cannot read stays as it was
            head[at + 8 : at + 28] = name.encode("gbk", "replace")[:19].ljust(20, b"\0")
        head[at + 28 : at + 58] = layout_bytes(file.layouts[seat])
    return bytes(head) + body + file.tail


def _new_head(file: JgsFile, body: int) -> bytes:
    """The constant bytes as recorded games have them, with their two lengths and who would move next."""
    head = bytearray(_RECORDS_AT)
    head[: len(_MAGIC)] = _MAGIC
    head[0x0E] = 1
    struct.pack_into("<HH", head, 0x10, _RECORDS_AT - 16, (_RECORDS_AT + body + len(file.tail) - 24) & 0xFFFF)
    head[0x14:0x18] = b"\x01\0\x01\0"
    head[0x18] = NOBODY
    head[0x19] = 4
    return bytes(head)


def _data(item: JgsMove | JgsEvent) -> bytes:
    if isinstance(item, JgsEvent):
        return item.data
    second = OUTCOMES.index(item.outcome) | item.bits | (0x40 if item.defender_flag else 0)
    places = (item.move[:3], item.move[4:7], item.attacker_flag, item.defender_flag)
    return bytes((_MOVE, second, *(part for node in places for part in _place(node))))


def read_file(path: str | PathLike[str]) -> bytes:
    """A file's bytes, if it is not too long to be a record."""
    with Path(path).open("rb") as file:
        data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise BadRecord(f"{fspath(path)}: too long for a .jgs file")
    return data
