"""A tiny game and some players of it: the arena is tested in milliseconds and without an engine.

Race: both sides add 0, 1 or 2 points in turn, six times each; the higher sum wins, equal sums draw.
"""

from __future__ import annotations

import os
import random
import time
from dataclasses import dataclass, field
from typing import ClassVar

from kibitz.arena.player import PlayerError, Resigned, Turn
from kibitz.errors import BadOption, BadPosition, IllegalMove
from kibitz.request import Budget

MOVES = ("+0", "+1", "+2")
PLIES = 12


class Race:
    """Has of `kibitz.games.base.Position` what a match uses."""

    game: ClassVar[str] = "race"
    side_names: ClassVar[tuple[str, str]] = ("first", "second")

    def __init__(self, notation: str | None = None) -> None:
        try:
            points0, points1, ply = map(int, (notation or "0 0 0").split())
        except ValueError:
            raise BadPosition(f"expected three numbers, got {notation!r}") from None
        self.points, self.ply = (points0, points1), ply
        self.moves: tuple[str, ...] = ()
        self.start: Race = self

    @property
    def to_move(self) -> int:
        return self.ply % 2

    @property
    def is_over(self) -> bool:
        return self.ply >= PLIES

    @property
    def legal_moves(self) -> tuple[str, ...]:
        return () if self.is_over else MOVES

    @property
    def result(self) -> float | None:
        if not self.is_over:
            return None
        first, second = self.points
        return 1.0 if first > second else 0.0 if first < second else 0.5

    @property
    def notation(self) -> str:
        return f"{self.points[0]} {self.points[1]} {self.ply}"

    def play(self, *moves: str) -> Race:
        position = self
        for move in moves:
            if move not in position.legal_moves:
                raise IllegalMove(f"illegal move {move}; legal: {', '.join(position.legal_moves)}")
            points = list(position.points)
            points[position.to_move] += int(move)
            following = Race(f"{points[0]} {points[1]} {position.ply + 1}")
            following.moves, following.start = (*position.moves, move), position.start
            position = following
        return position

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Race) and self.notation == other.notation

    def __hash__(self) -> int:
        return hash(self.notation)


@dataclass(frozen=True)
class Runner:
    """A player that adds 2 points with probability `skill`, else any number; and that can be told to fail.

    `fault` is what it does in every game whose seed is divisible by `every`, at its third move.
    """

    text: str = "runner"
    skill: float = 0.5
    fault: str = ""
    every: int = 1
    budget: Budget = field(default_factory=Budget)
    needs_start_position: bool = False
    ignores_time_limit: bool = False

    def refusal(self, start: Race, moves: tuple[str, ...]) -> str | None:
        if self.needs_start_position and start != Race():
            return "can only follow moves from the start of a game"
        return None

    def make(self, game: type[Race]) -> RunnerPlayer:
        if self.fault == "refuses":
            raise BadOption("no such skill")
        return RunnerPlayer(self)


class RunnerPlayer:
    def __init__(self, spec: Runner) -> None:
        self.name = spec.text
        self._spec = spec
        self._random = random.Random()
        self._faulty = False
        self._turns = 0

    def new_game(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._faulty = bool(self._spec.fault) and seed % self._spec.every == 0
        self._turns = 0

    def choose(self, position: Race, turn: Turn) -> str:
        self._turns += 1
        if self._faulty and self._turns == 3:
            self._fail()
            if self._spec.fault == "illegal":
                return "+9"
        if self._random.random() < self._spec.skill:
            return "+2"
        return self._random.choice(position.legal_moves)

    def _fail(self) -> None:
        match self._spec.fault:
            case "raises":
                raise RuntimeError("out of ideas")
            case "refuses later":
                raise BadOption("no such limit")
            case "protocol":
                raise PlayerError("spoke French", "protocol")
            case "resigns":
                raise Resigned
            case "late":
                time.sleep(0.5)
            case "hangs":
                time.sleep(600)
            case "dies":
                os._exit(17)
            case "interrupts":
                raise KeyboardInterrupt

    def close(self) -> None:
        pass
