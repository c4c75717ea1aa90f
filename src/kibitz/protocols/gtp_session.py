"""What the commands of one GTP conversation share: the engine, its settings, the game, the clock.

A group of commands is a class that is given the session and has a `table` of commands by name.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import IO, Any, Protocol

from kibitz.engine import Engine
from kibitz.errors import KibitzError, ProtocolError
from kibitz.games.go import Position, sgf
from kibitz.games.go.setup import stones_of
from kibitz.games.level import Level
from kibitz.protocols.gtp_resign import Resigner
from kibitz.protocols.gtp_time import GtpClock
from kibitz.protocols.katago_human import without_human_model
from kibitz.protocols.katago_settings import Settings
from kibitz.protocols.streams import Output
from kibitz.request import Budget


@dataclass(frozen=True)
class Ongoing:
    """An answer that goes on until the next line. `run(number, enough)` says it, in a thread of its own: the
    command's number, and an event that is set when the next line has come."""

    run: Callable[[str, threading.Event], None]
    #: Is the sign of success said before `run` says anything?
    sign_first: bool = True
    #: Does `run` say the empty line that ends the answer?
    ends_itself: bool = False


#: Gives the answer, the lines of one that comes bit by bit, or one that goes on until the next line.
Command = Callable[[list[str]], str | Iterator[str] | Ongoing]


class CommandGroup(Protocol):
    """Commands of one subject."""

    def table(self) -> Mapping[str, Command]:
        """The commands by the names a client calls them."""


class Game:
    """The positions of the game from its start to now, under rules and komi that may change on the way.
    `changed` is called when the engine has to forget the game before."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self.rules = "chinese"
        self.komi = 7.5
        self.positions = [Position(19, rules=self.rules, komi=self.komi)]

    @property
    def position(self) -> Position:
        return self.positions[-1]

    def start(self, size: tuple[int, int], **stones: Any) -> None:
        self.positions = [Position(size, rules=self.rules, komi=self.komi, **stones)]
        self._changed()

    def start_with_handicap(self, points: list[str]) -> None:
        """Black's stones on an empty board, white to move."""
        if any(stone != "." for row in self.position.stones for stone in row):
            raise ProtocolError("board not empty")
        self.start(self.position.size, black=points, to_move="white")

    def replay(self, rules: str | None = None, komi: float | None = None) -> None:
        """The same moves under other rules; what these forbid is tolerated."""
        start = self.positions[0]
        rules, komi = rules or self.rules, self.komi if komi is None else komi
        stones = stones_of(start)
        positions = [Position(start.size, rules=rules, komi=komi, to_move="bw"[start.to_move], **stones)]
        for colour, vertex in self.moves():
            positions.append(positions[-1].play_as(colour, vertex, tolerant=True))
        self.rules, self.komi, self.positions = rules, komi, positions
        self._changed()

    def moves(self) -> tuple[tuple[str, str], ...]:
        """The moves as colours and points."""
        return tuple(
            ("WB"[after.to_move], text.split(":")[-1].rstrip("!"))
            for after, text in zip(self.positions[1:], self.position.moves, strict=True)
        )

    def play(self, colour: str, vertex: str) -> None:
        try:
            self.positions.append(self.position.play_as(colour, vertex, tolerant=True))
        except KibitzError:
            raise ProtocolError("illegal move") from None

    def undo(self) -> None:
        if len(self.positions) == 1:
            raise ProtocolError("cannot undo")
        self.positions.pop()

    def load(self, record: sgf.Record, moves: int | None = None) -> None:
        """The game of a record, as far as its first `moves`."""
        positions = record.positions()
        most = len(positions) - 1 if moves is None else moves
        self.rules, self.komi = record.start.rules, record.start.komi
        self.positions = positions[: max(0, most) + 1]
        self._changed()


@dataclass
class Session:
    engine: Engine
    settings: Settings
    out: Output
    name: str = "Kibitz"
    version: str = ""
    #: What is known of the network, for `kata-get-models`.
    about: Mapping[str, Any] | None = None
    log: IO[str] | None = None
    game: Game = field(init=False)
    clock: GtpClock = field(default_factory=GtpClock)
    resigner: Resigner = field(default_factory=Resigner)
    #: How strongly moves are played; None is as strongly as can be.
    level: Level | None = None
    #: Seconds that searches for moves took.
    thought: float = 0.0

    def __post_init__(self) -> None:
        self.game = Game(self.engine.new_game)

    @property
    def position(self) -> Position:
        return self.game.position

    def note(self, *notes: object) -> None:
        """On stderr, where boards show what an engine has to say."""
        for note in notes:
            print(note, file=self.log or sys.stderr, flush=True)

    def search_options(self, warn: bool = False) -> dict[str, Any]:
        """The options of a search; `warn` names what needs a human model where there is none."""
        options = self.settings.search_options(alone=True)
        if self.engine.human is not None:
            return options
        options, lines = without_human_model(options, self.settings.human_choice)
        self.note(*(lines if warn else ()))
        return options

    def budget(self, side: int) -> Budget:
        """For the next move of a side: the settings, and its clock."""
        seconds, clock = self.settings.max_seconds, self.clock.seconds(side)
        if clock is not None:
            seconds = min(seconds or 1e9, clock)
        return Budget(self.settings.max_playouts, self.settings.max_visits, seconds)


def one_line(error: BaseException) -> str:
    """An error's text where an empty line would end the answer."""
    return " ".join(str(error).split())
