"""Recorded games played by the rules, and games that were played here as records.

    >>> read_jgs("game.jgs").check()                                                  # doctest: +SKIP
    Replay(moves=271, battles=51, ...)

The mover of a move is the owner of the piece that moved. The seat bits of a record name the arm before the
one that moves next, among the seats that lived before the move: the mover itself while all four live.
"""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path

from kibitz.errors import BadRecord, KibitzError
from kibitz.games.junqi.pieces import SEATS
from kibitz.games.junqi.position import Position
from kibitz.games.junqi.records import jgs
from kibitz.games.junqi.records.jgs import (
    ARMS,
    COLOURS,
    END,
    FIRST,
    NOBODY,
    OUT,
    OUTCOMES,
    SKIPPED,
    JgsEvent,
    JgsFile,
    JgsMove,
)

#: Why a seat is out; a seat that gave up or left has 4.
_FLAG_TAKEN, _STUCK, _GAVE_UP = 1, 2, 4
#: How a game ended.
_DRAWN, _DECIDED = 2, 4
#: Why a turn was skipped, when nobody says: the clock ran out.
_TIME_OUT = 1
_MARKS = {"+": 1, "-": 2, "=": 3}


@dataclass(frozen=True)
class Replay:
    """What a replay found. `unknown` are the records that were kept but not understood: number and bytes."""

    moves: int
    battles: int
    eliminated: tuple[str, ...]
    end: str
    position: Position
    unknown: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True)
class JgsRecord(JgsFile):
    """A recorded game.

    >>> position = kibitz.junqi.deal(seed=1, options="qq")
    >>> sorted(record_of(position.play(position.legal_moves[0])).layouts)
    ['E', 'N', 'S', 'W']
    """

    def start(self) -> Position:
        return Position.deal([self.layouts[seat] for seat in SEATS], options="qq")

    def position(self) -> Position:
        """The last position, which knows its moves."""
        return self.check().position

    def check(self) -> Replay:
        """Replays every record and compares each outcome with the rules; BadRecord names the first that
        differs."""
        table = _Referee(self.start())
        for number, item in enumerate(self.records, 1):
            try:
                table.take(number, item)
            except KibitzError as error:
                raise BadRecord(f"record {number}: {error}") from None
        return Replay(
            table.moves,
            table.battles,
            tuple(table.gone),
            table.end,
            table.position,
            tuple(table.unknown),
        )


class _Referee:
    """Plays records one by one."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.moves = self.battles = 0
        self.gone: list[str] = []
        self.unknown: list[tuple[int, str]] = []
        self.end = "unfinished"

    def take(self, number: int, item: JgsMove | JgsEvent) -> None:
        if isinstance(item, JgsMove):
            self.move(item)
        elif item.kind == SKIPPED:
            self.skip(item)
        elif item.kind == OUT:
            self.leave(item)
        elif item.kind == END:
            self.finish(item)
        else:
            self.unknown.append((number, str(item)))

    def move(self, item: JgsMove) -> None:
        before = self.position
        owner = next((seat for node, seat, _, _ in before.state.standing() if node == item.move[:3]), None)
        if owner is not None and SEATS[owner] != before.mover:
            raise BadRecord(f"{item.move} is a move of {SEATS[owner]}, but it is the turn of {before.mover}")
        after = before.play(item.move)
        ruled = _move_record(before, after)
        if ruled.outcome != item.outcome:
            raise BadRecord(f"{item.move} is recorded as {item.outcome}, by the rules it is {ruled.outcome}")
        if (item.attacker_flag, item.defender_flag) != (ruled.attacker_flag, ruled.defender_flag):
            raise BadRecord(
                f"{item.move}: record and rules differ on whether a commander died, or on its flag"
            )
        self.position = after
        self.moves += 1
        self.battles += item.outcome != "move"

    def skip(self, item: JgsEvent) -> None:
        if self.position.mover != item.seat:
            raise BadRecord(f"{item.seat} is skipped, but it is the turn of {self.position.mover}")
        self.position = self.position.play(f"skip:{item.seat}#{item.reason}")

    def leave(self, item: JgsEvent) -> None:
        if not item.seat:
            raise BadRecord(f"colour {item.colour} is out, expected 0 to 3")
        if self.position.alive(item.seat):
            if item.reason == _FLAG_TAKEN:
                raise BadRecord(f"{item.seat} is out by its flag, which still stands")
            if item.reason == _STUCK:
                raise BadRecord(f"{item.seat} is out without a move, but it has one")
            why = "" if item.reason == _GAVE_UP else f"#{item.reason}"
            self.position = self.position.play(f"resign:{item.seat}{why}")
        self.gone.append(item.seat)

    def finish(self, item: JgsEvent) -> None:
        over = self.position.is_over
        if item.reason == _DECIDED:
            if not over:
                raise BadRecord("the record says the game was decided, but both sides are still there")
            self.end = "decided"
        elif item.reason == _DRAWN:
            if over and self.position.result != 0.5:
                raise BadRecord("the record says the game was drawn, by the rules it is decided")
            self.end = "draw" if over else "draw agreed"
            if not over:
                self.position = self.position.play("draw:agreed")
        else:
            self.end = f"reason {item.reason}"


def _move_record(before: Position, after: Position) -> JgsMove:
    """A move as records have it."""
    event = after.events[-1]
    outcome = OUTCOMES[_MARKS[event[7]]] if event[3] == "x" else "move"
    shown = {event[at + 1]: event[at + 1 : at + 4] for at, letter in enumerate(event) if letter == "!"}
    target = next((SEATS[seat] for node, seat, _, _ in before.state.standing() if node == event[4:7]), "")
    # The next in turn as long as nobody leaves; the arm before it.
    seats = [SEATS[(SEATS.index(before.mover) + step) % 4] for step in (1, 2, 3)]
    following = next((seat for seat in seats if before.alive(seat)), before.mover)
    arm = (ARMS.index(following) + 1) % 4
    move = f"{event[:3]}-{event[4:7]}"
    return JgsMove(move, outcome, shown.get(before.mover, ""), shown.get(target, ""), arm << 3)


def _event_record(kind: int, seat: str, reason: int, after: Position) -> JgsEvent:
    following = NOBODY if after.is_over or kind == END else COLOURS[after.mover]
    colour = COLOURS[seat] if seat else 0
    return JgsEvent(kind, colour, reason, bytes((following, 0, 0, 0, 0, 0)))


def _records_of(before: Position, after: Position) -> list[JgsMove | JgsEvent]:
    """What a file says of one turn."""
    event = after.events[-1]
    word, colon, rest = event.partition(":")
    out: list[JgsMove | JgsEvent] = []
    if not colon:
        out.append(_move_record(before, after))
    elif word in ("skip", "resign"):
        _, hash_, number = rest.partition("^")[0].partition("#")
        kind, usual = (SKIPPED, _TIME_OUT) if word == "skip" else (OUT, _GAVE_UP)
        out.append(_event_record(kind, rest[0], int(number) if hash_ else usual, after))
    for mark, reason in (("~", _FLAG_TAKEN), ("^", _STUCK)):
        gone = [event[at + 1] for at, letter in enumerate(event) if letter == mark]
        out += [_event_record(OUT, seat, reason, after) for seat in gone]
    return out


def record_of(position: Position, names: dict[str, str] | None = None) -> JgsRecord:
    """The record of a game that was dealt with QQ's rules (`options="qq"`) and played from its set-up.

    >>> position = kibitz.junqi.deal(seed=1, options="qq")
    >>> record_of(position.play(position.legal_moves[0])).records[0].outcome
    'won'
    """
    if position.players != 4:
        raise BadRecord("a .jgs file holds games of four players")
    step = position.start
    assert isinstance(step, Position)
    if step.ply:
        raise BadRecord("only a game that was played from its set-up can be written")
    if step.mover != FIRST or "stuck-at-once" not in step.notation.split():
        raise BadRecord("a .jgs file holds games by QQ's rules: deal them with options='qq'")
    layouts = {seat: step.layout(seat) for seat in SEATS}
    records: list[JgsMove | JgsEvent] = []
    for move in position.moves:
        following = step.play(move)
        records += _records_of(step, following)
        step = following
    if position.is_over:
        reason = _DRAWN if position.result == 0.5 else _DECIDED
        records.append(_event_record(END, "", reason, position))
    return JgsRecord(names or {}, layouts, tuple(records))


def parse_jgs(data: bytes, where: str = "record") -> JgsRecord:
    """A record from a file's bytes.

    >>> position = kibitz.junqi.deal(seed=1, options="qq")
    >>> record = record_of(position.play(position.legal_moves[0]))
    >>> len(parse_jgs(dump_jgs(record)).records) == len(record.records)
    True
    """
    return JgsRecord(**vars(jgs.parse(data, where)))


def dump_jgs(record: JgsRecord) -> bytes:
    """The bytes of a record: those it was read from, or `parse_jgs` reads them back.

    >>> position = kibitz.junqi.deal(seed=1, options="qq")
    >>> record = record_of(position.play(position.legal_moves[0]))
    >>> parse_jgs(dump_jgs(record)).layouts == record.layouts
    True
    """
    return jgs.dump(record)


def read_jgs(path: str | PathLike[str]) -> JgsRecord:
    """Read a record from a file.

    >>> position = kibitz.junqi.deal(seed=1, options="qq")
    >>> write_jgs("yours.jgs", record_of(position.play(position.legal_moves[0])))
    >>> len(read_jgs("yours.jgs").layouts)
    4
    """
    return parse_jgs(jgs.read_file(path), fspath(path))


def write_jgs(path: str | PathLike[str], record: JgsRecord) -> None:
    """Write a record to a file; an old one is replaced.

    >>> position = kibitz.junqi.deal(seed=1, options="qq")
    >>> write_jgs("mine.jgs", record_of(position.play(position.legal_moves[0])))
    >>> len(read_jgs("mine.jgs").layouts)
    4
    """
    Path(path).write_bytes(dump_jgs(record))
