"""One game record, whatever file it came from.

    record = Record(moves=("f5", "d6", "c3"), black="Ann", white="Bob")
    record.position()          # the position after the last move
    record.position(1)         # after the first

Moves are lower case and passes are moves (`pass`), because a record that hides its passes cannot
be replayed without knowing the rules. Readers insert the passes their format leaves out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from kibitz.errors import BadRecord, KibitzError
from kibitz.games.othello.position import Position

START = "-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27 + " X"

PASS_MARKS = frozenset({"pass", "pa", "ps", "--"})


@dataclass(frozen=True)
class Record:
    """A game, or a single position when `moves` is empty.

    `score` is black minus white as the file states it, `ending` how it came about when the file
    says so (`r` resigned, `t` time-out, `s` agreed). `evals` and `times` are either empty or as
    long as `moves`; an eval is for the side that made the move, a time is in seconds.
    `candidates` are the scored moves of an OBF position. `extras` keeps what has no field here.

    >>> Record(moves=("f5", "d6"), black="Ann").black
    'Ann'
    """

    start: str = START
    moves: tuple[str, ...] = ()
    black: str = ""
    white: str = ""
    score: float | None = None
    ending: str = ""
    date: str = ""
    event: str = ""
    evals: tuple[float | None, ...] = ()
    times: tuple[float | None, ...] = ()
    candidates: tuple[tuple[str, float | None], ...] = ()
    extras: Mapping[str, str] = field(default_factory=dict)

    @property
    def result(self) -> float | None:
        """For black: 1 won, 0.5 drawn, 0 lost, None when the file gives no score."""
        if self.score is None:
            return None
        return 1.0 if self.score > 0 else 0.0 if self.score < 0 else 0.5

    def position(self, ply: int | None = None) -> Position:
        """The position after `ply` moves (all of them by default); BadRecord when one is illegal."""
        played = self.moves if ply is None else self.moves[:ply]
        try:
            return Position(self.start).play(*played)
        except KibitzError as error:
            raise BadRecord(f"this record cannot be replayed: {error}") from None

    @classmethod
    def of(cls, position: Position, *, black: str = "", white: str = "") -> Record:
        """The record of a game that was played on a Position.

        >>> Record.of(Position().play("f5", "d6")).moves
        ('f5', 'd6')
        """
        score = float(position.score) if position.is_over else None
        return cls(position.start.notation, tuple(position.moves), black, white, score)


def is_pass(text: str) -> bool:
    """Whether `text` is one of the marks files use for a pass."""
    return text.lower() in PASS_MARKS


@dataclass
class Replay:
    """Plays a file's moves one after the other and writes down the passes the file left out.

    `where` begins every message ("games.ggf, game 3"), so that a user finds the spot.
    """

    position: Position
    where: str
    moves: list[str] = field(default_factory=list)

    def add(self, move: str, side: int | None = None) -> bool:
        """Play one move of the file; False when it was a pass after the end, which is dropped.

        `side` is the colour the file names for it, when the format does.
        """
        legal = self.position.legal_moves
        if is_pass(move):
            if not legal:
                return False
            move = "pass"
        elif legal == ("pass",):
            self._play("pass")
            legal = self.position.legal_moves
        number = len(self.moves) + 1
        if not legal:
            raise BadRecord(f"{self.where}: move {number} ({move}) comes after the end of the game")
        mover = self.position.side_names[self.position.to_move]
        if side is not None and side != self.position.to_move:
            raise BadRecord(
                f"{self.where}: move {number} ({move}) is given to the wrong side, expected {mover}"
            )
        if move not in legal:
            raise BadRecord(
                f"{self.where}: move {number} ({move}) is illegal for {mover}, "
                f"expected one of {', '.join(legal)}"
            )
        self._play(move)
        return True

    def _play(self, move: str) -> None:
        self.position = self.position.play(move)
        self.moves.append(move)


def replay(start: str, moves: Iterable[str], where: str) -> Replay:
    """Replay bare moves from `start`; BadRecord names the first one that does not fit."""
    run = Replay(position_of(start, where), where)
    for move in moves:
        run.add(move)
    return run


def position_of(notation: str, where: str) -> Position:
    """A Position, with BadRecord in place of BadPosition so that the message names the file."""
    try:
        return Position(notation)
    except KibitzError as error:
        raise BadRecord(f"{where}: {error}") from None


def number_of(text: str, expected: str, where: str) -> float:
    """A finite number; BadRecord says what was expected."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise BadRecord(f"{where}: expected {expected}, got {text[:20]!r}")
    return number


def number_text(value: float, *, sign: bool = False) -> str:
    """A float as a file shows it: two decimals when that loses nothing, all of them otherwise."""
    short = format(value, "+.2f" if sign else ".2f")
    return short if float(short) == value else format(value, "+.17g" if sign else ".17g")
