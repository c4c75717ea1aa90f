"""Kinds of records that the page opens: each game says how its own are known and read.

Bytes only: no text of a client ever names a file of this machine.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from kibitz.errors import BadRecord
from kibitz.games.base import Position

#: Positions of a tree, and letters of a comment.
MOST_ROWS = 3000
MOST_COMMENT = 4000


@dataclass
class TreeRow:
    """A position of a tree: the row before it (-1 for the start), the move that leads to it, a comment.

    A tree is a list of rows, parents first: a nested one would be as deep as the game is long. Of the rows
    with one parent, the first goes on with the main line.
    """

    parent: int
    move: str = ""
    #: The move as people write it, where that differs.
    name: str = ""
    comment: str = ""
    #: Numeric annotation glyphs, as PGN numbers them.
    nags: tuple[int, ...] = ()
    #: The first side's share of the points by an analysis, and its lead where that is known.
    value: float | None = None
    lead: float | None = None
    #: Circles (twice the same place) and arrows, with the number of a colour.
    marks: tuple[tuple[str, str, int], ...] = ()


def worth_showing(rows: Sequence[TreeRow]) -> list[TreeRow] | None:
    """Nothing, where a tree says no more than its main line."""
    branches = any(row.parent != number - 1 for number, row in enumerate(rows))
    said = any(row.comment or row.nags or row.marks for row in rows)
    return list(rows) if branches or said else None


@dataclass(frozen=True)
class GameTree:
    """A game that is written: where it starts, its tree (the first row is the start), and its headers by
    PGN's tag names, players by side."""

    start: Position
    rows: Sequence[TreeRow]
    headers: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, last: Position, headers: Mapping[str, str] | None = None) -> GameTree:
        """The tree of a game without variations, given by its last position."""
        moves = (TreeRow(number, move) for number, move in enumerate(last.moves))
        return cls(last.start, [TreeRow(-1), *moves], dict(headers or {}))

    def children(self) -> list[list[int]]:
        """The rows that follow each row, the main line first."""
        following: list[list[int]] = [[] for _ in self.rows]
        for number, row in enumerate(self.rows):
            if number:
                if not 0 <= row.parent < number:
                    raise BadRecord("a tree names each row's parent before it")
                following[row.parent].append(number)
        return following

    def main_line(self) -> list[int]:
        """The rows of the main line, without the start."""
        following, line = self.children(), [0]
        while following[line[-1]]:
            line.append(following[line[-1]][0])
        return line[1:]

    def last(self) -> Position:
        """The last position of the main line."""
        return self.start.play(*(self.rows[number].move for number in self.main_line()))


@dataclass(frozen=True)
class OpenedGame:
    """One game of a record: who played, its last position, variations and comments."""

    title: str
    position: Position
    tree: list[TreeRow] | None = None
    #: By PGN's tag names, players by side.
    headers: Mapping[str, str] = field(default_factory=dict)


class Form(IntEnum):
    """How sure the look of a record is; the surest are tried first."""

    SIGNED = 0
    BOARD = 1
    #: What looks like more than one kind.
    LOOSE = 2
    TAGGED = 3
    MOVES = 4
    LAST = 5


@dataclass(frozen=True)
class RecordKind:
    """A kind of record. `fits` and `read` get the bytes, and the same as text."""

    kind: str
    form: Form
    fits: Callable[[bytes, str], bool]
    #: Its games, read as they are asked for.
    read: Callable[[bytes, str], Iterable[OpenedGame]] = lambda data, text: ()
    #: As `read`, with files that were given beside it, by name: tables of players.
    read_beside: Callable[[bytes, Mapping[str, bytes]], Iterable[OpenedGame]] | None = None
    #: What it holds where that is a set-up of pieces and no game.
    read_set_up: Callable[[bytes], str] | None = None
    #: Whether another kind may be tried where this one cannot be read.
    tentative: bool = False


def bytes_of(data: str) -> bytes:
    """The bytes of base64 text.

    >>> bytes_of("S2k=")
    b'Ki'
    """
    try:
        return base64.b64decode(data, validate=True)
    except ValueError:  # also for letters that are not ASCII, which is no binascii.Error
        raise BadRecord("data is no base64") from None


def board_text(kind: str, form: Form, pattern: str, make: Callable[[str], Position]) -> RecordKind:
    """A position as text that begins as `pattern` says."""

    found = re.compile(pattern)
    return RecordKind(
        kind,
        form,
        lambda data, text: found.match(text) is not None,
        lambda data, text: [OpenedGame("", make(" ".join(text.split())))],
    )
