"""WTHOR, the database of the French Othello federation: `.wtb` games, `.jou` players, `.trn` tournaments.

    file = wthor.load("WTH_2001.wtb", players="WTHOR.JOU")
    file.games[0].score                  # what the file holds, byte for byte
    file.record(0)                       # the same game as a Record, passes inserted
    file.to_bytes()                      # identical to what was read

Layout: a 16-byte header (day of writing, counts, year, board size, kind, depth of the theoretical
score), then 68 bytes a game: tournament, black and white as indices into the other two files,
black's discs at the end (empty squares go to the winner), black's best result from `depth` empty
squares on, and 60 moves as 10 * row + column. Passes are left out.
"""

from __future__ import annotations

import datetime
import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kibitz.errors import BadRecord
from kibitz.games.othello.records.record import START, Record, replay

_HEADER = struct.Struct("<BBBBiHHBBBB")
_GAME = struct.Struct("<HHHBB60s")
PLAYER_BYTES = 20
TOURNAMENT_BYTES = 26


@dataclass(frozen=True)
class Header:
    """The 16 bytes every WTHOR file begins with.

    `games` counts the games of a `.wtb`, `names` the entries of a `.jou` or `.trn`. A board size of
    0 means 8, as in files older than the field. `depth` is where the theoretical score begins.
    """

    created: tuple[int, int, int, int]  # century, year, month, day, as written
    games: int = 0
    names: int = 0
    year: int = 0
    board: int = 8
    kind: int = 0
    depth: int = 24
    reserved: int = 0

    @classmethod
    def on(
        cls, day: datetime.date, *, games: int = 0, names: int = 0, year: int = 0, depth: int = 24
    ) -> Header:
        """A header for a file written on `day`."""
        return cls((day.year // 100, day.year % 100, day.month, day.day), games, names, year, depth=depth)

    def to_bytes(self) -> bytes:
        try:
            return _HEADER.pack(
                *self.created,
                self.games,
                self.names,
                self.year,
                self.board,
                self.kind,
                self.depth,
                self.reserved,
            )
        except struct.error as error:
            raise BadRecord(f"WTHOR header: a field is out of range ({error})") from None

    @classmethod
    def from_bytes(cls, data: bytes, name: str) -> Header:
        if len(data) < _HEADER.size:
            raise BadRecord(f"{name}: expected a header of 16 bytes, got {len(data)}")
        century, year, month, day, *rest = _HEADER.unpack_from(data)
        return cls((century, year, month, day), *rest)


@dataclass(frozen=True)
class Game:
    """One game as the file holds it; `squares` are the 60 raw move bytes."""

    tournament: int
    black: int
    white: int
    black_discs: int
    theoretical: int
    squares: bytes

    @property
    def score(self) -> int:
        """Black minus white, the empty squares counted for the winner."""
        return 2 * self.black_discs - 64

    def to_bytes(self) -> bytes:
        try:
            return _GAME.pack(
                self.tournament, self.black, self.white, self.black_discs, self.theoretical, self.squares
            )
        except struct.error as error:
            raise BadRecord(f"WTHOR game: a field is out of range ({error})") from None

    def moves(self, where: str) -> list[str]:
        """The squares in words; BadRecord when a byte is none."""
        played = self.squares.rstrip(b"\0")
        names = []
        for number, byte in enumerate(played, 1):
            row, column = divmod(byte, 10)
            if not (1 <= row <= 8 and 1 <= column <= 8):
                raise BadRecord(
                    f"{where}: move {number} is byte {byte}, expected 10 * row + column, 11 to 88"
                )
            names.append("abcdefgh"[column - 1] + str(row))
        return names


@dataclass(frozen=True)
class WthorFile:
    """A whole `.wtb` file, with the name tables when they were given."""

    header: Header
    games: tuple[Game, ...]
    players: tuple[str, ...] = ()
    tournaments: tuple[str, ...] = ()
    name: str = "WTHOR"

    @classmethod
    def from_bytes(
        cls, data: bytes, name: str = "WTHOR", *, players: Sequence[str] = (), tournaments: Sequence[str] = ()
    ) -> WthorFile:
        header = Header.from_bytes(data, name)
        if header.board not in (0, 8):
            raise BadRecord(f"{name}: expected board size 8 in byte 12, got {header.board}")
        expected = _HEADER.size + header.games * _GAME.size
        if header.games < 0 or len(data) != expected:
            raise BadRecord(
                f"{name}: the header announces {header.games} games, "
                f"expected {expected} bytes, got {len(data)}"
            )
        games = tuple(Game(*fields) for fields in _GAME.iter_unpack(data[_HEADER.size :]))
        return cls(header, games, tuple(players), tuple(tournaments), name)

    def to_bytes(self) -> bytes:
        header = replace(self.header, games=len(self.games))
        return header.to_bytes() + b"".join(game.to_bytes() for game in self.games)

    def record(self, index: int) -> Record:
        """Game `index` (from 0), replayed; BadRecord names the game and its offset when it is illegal."""
        game = self.games[index]
        where = f"{self.name}, game {index + 1} (offset {_HEADER.size + index * _GAME.size})"
        run = replay(START, game.moves(where), where)
        return Record(
            moves=tuple(run.moves),
            black=_name(self.players, game.black),
            white=_name(self.players, game.white),
            score=float(game.score),
            date=str(self.header.year) if self.header.year else "",
            event=_name(self.tournaments, game.tournament),
            extras={
                "tournament": str(game.tournament),
                "black": str(game.black),
                "white": str(game.white),
                "theoretical": str(game.theoretical),
                "depth": str(self.header.depth),
            },
        )

    def records(self) -> Iterator[Record]:
        """Every game in turn, replayed."""
        return (self.record(index) for index in range(len(self.games)))

    @classmethod
    def from_records(
        cls, records: Iterable[Record], *, day: datetime.date, year: int, depth: int = 24
    ) -> WthorFile:
        """A file of these games. A record read from WTHOR keeps its indices; names without one are
        numbered in the order they appear, and `players` and `tournaments` are the tables to save."""
        tables: dict[str, dict[str, int]] = {"players": {}, "tournaments": {}}
        games = []
        for number, record in enumerate(records, 1):
            where = f"game {number}"
            if record.start != START:
                raise BadRecord(f"{where}: WTHOR can only hold a game from the start position")
            if record.score is None:
                raise BadRecord(f"{where}: WTHOR needs a final score")
            record.position()  # refuses what could not be replayed after reading it back
            discs = (record.score + 64) / 2
            if discs != int(discs) or not 0 <= discs <= 64:
                raise BadRecord(f"{where}: expected an even score from -64 to 64, got {record.score:g}")
            squares = bytes(10 * int(move[1]) + ord(move[0]) - 96 for move in record.moves if move != "pass")
            games.append(
                Game(
                    _index(record, "tournament", record.event, tables["tournaments"], where),
                    _index(record, "black", record.black, tables["players"], where),
                    _index(record, "white", record.white, tables["players"], where),
                    int(discs),
                    _number(
                        record.extras.get("theoretical", str(int(discs))), "theoretical score", 255, where
                    ),
                    squares.ljust(60, b"\0"),
                )
            )
        header = Header.on(day, games=len(games), year=year, depth=depth)
        return cls(header, tuple(games), tuple(tables["players"]), tuple(tables["tournaments"]))


def load(
    path: str | Path, *, players: str | Path | None = None, tournaments: str | Path | None = None
) -> WthorFile:
    """Read a `.wtb` file, with the names from a `.jou` and a `.trn` file when they are given."""
    return WthorFile.from_bytes(
        Path(path).read_bytes(),
        Path(path).name,
        players=read_names(Path(players).read_bytes(), PLAYER_BYTES, Path(players).name) if players else (),
        tournaments=(
            read_names(Path(tournaments).read_bytes(), TOURNAMENT_BYTES, Path(tournaments).name)
            if tournaments
            else ()
        ),
    )


def read_names(data: bytes, width: int, name: str = "WTHOR names") -> tuple[str, ...]:
    """The entries of a `.jou` (width 20) or `.trn` (width 26) file."""
    header = Header.from_bytes(data, name)
    expected = _HEADER.size + header.names * width
    if len(data) != expected:
        raise BadRecord(
            f"{name}: the header announces {header.names} names, expected {expected} bytes, got {len(data)}"
        )
    entries = (data[at : at + width] for at in range(_HEADER.size, expected, width))
    return tuple(entry.split(b"\0", 1)[0].decode("latin-1") for entry in entries)


def write_names(names: Sequence[str], width: int, day: datetime.date) -> bytes:
    """The bytes of a `.jou` or `.trn` file; a name has to fit `width` minus its closing zero."""
    entries = []
    for name in names:
        try:
            entry = name.encode("latin-1")
        except UnicodeEncodeError:
            raise BadRecord(f"WTHOR names are Latin-1, which cannot write {name!r}") from None
        if len(entry) >= width or b"\0" in entry:
            raise BadRecord(f"expected a name of at most {width - 1} characters, got {name!r}")
        entries.append(entry.ljust(width, b"\0"))
    if len(entries) > 0xFFFF:
        raise BadRecord(f"WTHOR can number 65535 names, got {len(entries)}")
    return Header.on(day, names=len(entries)).to_bytes() + b"".join(entries)


def _name(table: tuple[str, ...], index: int) -> str:
    return table[index] if index < len(table) else f"#{index}"


def _index(record: Record, key: str, name: str, table: dict[str, int], where: str) -> int:
    if key in record.extras:
        return _number(record.extras[key], f"index of {key}", 0xFFFF, where)
    return table.setdefault(name, len(table))


def _number(text: str, what: str, limit: int, where: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) <= limit):
        raise BadRecord(f"{where}: expected the {what} from 0 to {limit}, got {text[:20]!r}")
    return int(text)
