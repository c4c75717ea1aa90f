"""The table file: header, checksums, worths. docs/tablebase-format.md is the specification.

The native core reads these files (native/games/uttt/solve/tables.h); this module writes them and reads
headers.
"""

from __future__ import annotations

import os
import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kibitz import _native
from kibitz.errors import BadTable
from kibitz.games.uttt.position import RULES

MAGIC = b"KIBUTTT\n"
VERSION = _native.UTTT_TABLE_VERSION
HEADER_BYTES = 4096
BLOCK_BYTES = 65536
PARTIAL = 1
UNKNOWN = 255
LOSS = 128

_FIELDS = struct.Struct("<8s6IQ2IQ5QI")
_NAME = re.compile(r"uttt-(standard|codingame)-n(\d\d)-k(\d)\.ktb")


@dataclass(frozen=True)
class Statistics:
    """How many positions of a level are won, drawn and lost for the side to move."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    unknown: int = 0
    #: Plies of the longest win.
    longest_win: int = 0

    @classmethod
    def of(cls, histogram: list[int]) -> Statistics:
        """From the number of positions of each worth (256 of them)."""
        wins = [n for n in range(1, LOSS) if histogram[n]]
        return cls(
            wins=sum(histogram[1:LOSS]),
            draws=histogram[0],
            losses=sum(histogram[LOSS:UNKNOWN]),
            unknown=histogram[UNKNOWN],
            longest_win=wins[-1] if wins else 0,
        )


@dataclass(frozen=True)
class Header:
    """What a file says of itself."""

    rule_id: int
    empties: int
    open: int
    positions: int
    statistics: Statistics
    version: int = VERSION
    reduction: int = _native.UTTT_REDUCTION_VERSION
    block_bytes: int = BLOCK_BYTES

    @property
    def blocks(self) -> int:
        return -(-self.positions // self.block_bytes)

    @property
    def data_offset(self) -> int:
        """Worths begin at the next multiple of 4,096 bytes after the checksums."""
        return HEADER_BYTES + -(-4 * self.blocks // HEADER_BYTES) * HEADER_BYTES

    @property
    def partial(self) -> bool:
        return self.statistics.unknown > 0

    def pack(self) -> bytes:
        s = self.statistics
        fields = _FIELDS.pack(
            MAGIC,
            self.version,
            self.rule_id,
            self.reduction,
            self.empties,
            self.open,
            PARTIAL if self.partial else 0,
            self.positions,
            self.block_bytes,
            self.blocks,
            self.data_offset,
            s.wins,
            s.draws,
            s.losses,
            s.unknown,
            0,
            s.longest_win,
        )
        body = fields.ljust(HEADER_BYTES - 4, b"\0")
        return body + struct.pack("<I", zlib.crc32(body))


def read_header(path: Path) -> Header:
    """The header of a file; BadTable says what is wrong with it."""
    with path.open("rb") as file:
        data = file.read(HEADER_BYTES)
    if len(data) < HEADER_BYTES or data[:8] != MAGIC:
        raise BadTable(f"{path}: not a table of ultimate tic-tac-toe")
    if zlib.crc32(data[:-4]) != struct.unpack("<I", data[-4:])[0]:
        raise BadTable(f"{path}: the header is damaged (checksum)")
    fields = _FIELDS.unpack(data[: _FIELDS.size])
    _, version, rule_id, reduction, empties, open_boards, _, positions, block_bytes = fields[:9]
    if version != VERSION:
        raise BadTable(f"{path}: version {version}, expected {VERSION}")
    wins, draws, losses, unknown, _, longest = fields[11:]
    statistics = Statistics(wins, draws, losses, unknown, longest)
    return Header(rule_id, empties, open_boards, positions, statistics, version, reduction, block_bytes)


def file_name(rule_id: int, empties: int, open_boards: int) -> str:
    return f"uttt-{RULES[rule_id]}-n{empties:02d}-k{open_boards}.ktb"


def list_tables(folder: Path) -> Iterator[Path]:
    """The table files of a folder, lowest level first."""
    if not folder.is_dir():
        raise BadTable(f"{folder}: no such folder of tables")
    yield from sorted(path for path in folder.iterdir() if _NAME.fullmatch(path.name))


def checksums(data: bytes | memoryview, block_bytes: int = BLOCK_BYTES) -> bytes:
    """The checksum of each block, four bytes each."""
    view = memoryview(data)
    sums = [zlib.crc32(view[at : at + block_bytes]) for at in range(0, len(view), block_bytes)]
    return struct.pack(f"<{len(sums)}I", *sums)


def sync(folder: Path) -> None:
    """Makes a rename in a folder last, where the system can."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
