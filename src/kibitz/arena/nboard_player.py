"""A player that is another Othello program, spoken to in the NBoard protocol (version 2; docs/nboard.md).

    >>> player = NBoardPlayer(OthelloPosition, ["edax", "-nboard"], {"depth": "8"})   # doctest: +SKIP

The protocol has a depth and no time: `depth` is the only option, and how long the program takes is its own
affair.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from kibitz.arena.player import PlayerError, Turn
from kibitz.arena.program import ANSWER_SLACK, Program, ProgramPlayer
from kibitz.errors import BadOption
from kibitz.games.othello.records import Record, ggf
from kibitz.games.othello.records.record import is_pass

if TYPE_CHECKING:
    from kibitz.games.base import Position

_START_SECONDS = 60.0
_DEEPEST = 60


class NBoardPlayer(ProgramPlayer):
    """Any NBoard engine; it is started with the first game, and again after it broke."""

    keeps_time = False

    def __init__(
        self,
        game: type[Position],
        command: Sequence[str],
        options: Mapping[str, str] | None = None,
        *,
        name: str | None = None,
    ) -> None:
        if game.game != "othello":
            raise BadOption(f"an NBoard program plays othello, not {game.game}")
        name = name or "nboard:" + " ".join(command)
        super().__init__(name, Program(name, command))
        given = dict(options or {})
        self._depth = given.pop("depth", None)
        if given:
            raise BadOption(f"{self.name}: an NBoard program has the option depth, not {next(iter(given))!r}")
        if self._depth is not None:
            whole = self._depth.isdecimal() and len(self._depth) < 4
            if not whole or not 1 <= int(self._depth) <= _DEEPEST:
                raise BadOption(f"{self.name}: depth is a whole number from 1 to 60, not {self._depth!r}")
        self._pings = itertools.count(1)

    def new_game(self, seed: int) -> None:
        """NBoard has no random seed and no new game: every move is asked for with the whole game."""
        if not self._program.running:
            self._program.start()
            self._program.send("nboard 2")
            if self._depth is not None:
                self._program.send(f"set depth {self._depth}")
        self._wait_until_ready()

    def choose(self, position: Position, turn: Turn) -> str:
        self._program.send(f"set game {_game_text(position)}")
        self._wait_until_ready()
        self._program.send("go")
        # Before its `===` a program says how it thinks.
        for line in self._program.lines("go", turn.deadline + ANSWER_SLACK):
            if line.startswith("==="):
                move = line[3:].strip().split("/")[0].strip().lower()
                return "pass" if is_pass(move) else move
        raise AssertionError("lines end with an error only")

    def _wait_until_ready(self) -> None:
        """Everything sent before a `ping` has been done when its `pong` comes."""
        number = next(self._pings)
        self._program.send(f"ping {number}")
        for line in self._program.lines(f"ping {number}", _START_SECONDS):
            if line.split()[:2] == ["pong", str(number)]:
                return
            if line.startswith("==="):
                raise PlayerError(f"{self.name} played {line[3:].strip()!r} without being asked", "protocol")


def _game_text(position: Position) -> str:
    record = Record(position.start.notation, tuple(position.moves), black="kibitz", white="kibitz")
    return ggf.game_text(record)
