"""One game between two players, by the rules: who breaks them forfeits.

`play_game` runs where the players live, in a worker process or in the caller's own. What a player does
wrong never ends the match: an illegal move, a crash, silence beyond the time limit become a lost game with
the reason in its record. Only a player that refuses its options does, since it would refuse them in every
game.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from kibitz.arena.openings import Opening
from kibitz.arena.player import Player, PlayerError, Resigned, Turn
from kibitz.arena.record import GameRecord
from kibitz.arena.time_control import TimeControl
from kibitz.clock import Clocks
from kibitz.errors import BadOption, IllegalMove
from kibitz.request import Budget

if TYPE_CHECKING:
    from kibitz.games.base import Position

_NAMES = ("a", "b")

T = TypeVar("T")


@dataclass(frozen=True)
class Job:
    """A game to be played. In even games A has the first side, in odd ones B."""

    id: int
    opening: Opening
    seed: int
    budgets: tuple[Budget, Budget]
    deadlines: tuple[float, float]
    """Seconds after which A and B lose a move on time, where no clock runs."""
    max_plies: int
    time_control: TimeControl | None = None

    def player_of(self, side: int) -> int:
        """Which player (0 = A, 1 = B) has this side."""
        return side if self.id % 2 == 0 else 1 - side


@dataclass(frozen=True)
class ToMove:
    """Said when a player is about to work: its place (0 = A, 1 = B), the last move played, if any, and the
    seconds it has."""

    place: int
    last: str | None
    deadline: float


def seed_of(*parts: object) -> int:
    """A random seed that depends on all parts and on nothing else, such as the worker or the time."""
    digest = hashlib.blake2b(":".join(map(str, parts)).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1


def play_game(
    game: type[Position], players: tuple[Player, Player], job: Job, say: Callable[[ToMove], None]
) -> GameRecord:
    """The record of the game `job` asks for."""
    return _Game(game, players, job, say).play()


class _Game:
    """A game under way. `place` is the player at work: 0 is A, 1 is B."""

    def __init__(
        self, game: type[Position], players: tuple[Player, Player], job: Job, say: Callable[[ToMove], None]
    ) -> None:
        self.players = players
        self.job = job
        self.say = say
        self.position = job.opening.set_up(game)
        self.opening_length = len(self.position.moves)
        self.seconds, self.turns = [0.0, 0.0], [0, 0]
        self.left = [job.time_control.seconds] * 2 if job.time_control else [0.0, 0.0]
        self.place = 0
        self.last: str | None = None

    def play(self) -> GameRecord:
        try:
            self._get_ready()
            while not self.position.is_over and len(self.position.moves) < self.job.max_plies:
                lost = self._move()
                if lost is not None:
                    return lost
        except Resigned:
            return self._record(0.0 if self.job.player_of(0) == self.place else 1.0, "resigned")
        except PlayerError as error:
            return self._lost(error.reason, str(error))
        except BadOption:
            raise
        except Exception as error:  # whatever a player does, the match goes on
            return self._lost("crashed", f"{type(error).__name__}: {error}")
        result = self.position.result if self.position.is_over else 0.5
        return self._record(0.5 if result is None else result, "rules" if self.position.is_over else "length")

    def _get_ready(self) -> None:
        for self.place in (0, 1):
            self.say(ToMove(self.place, None, self.job.deadlines[self.place]))
            player = self.players[self.place]
            if prepare := getattr(player, "prepare", None):
                prepare(self.position)
            player.new_game(seed_of(self.job.seed, _NAMES[self.place]))

    def _move(self) -> GameRecord | None:
        """One move; the record when it ended the game against the rules."""
        place = self.place = self.job.player_of(self.position.to_move)
        player = self.players[place]
        control = self.job.time_control
        timed = control is not None and getattr(player, "keeps_time", True)
        deadline = self.left[place] if timed else self.job.deadlines[place]
        turn = Turn(self.job.budgets[place], deadline, self._clocks())
        self.say(ToMove(place, self.last, deadline))
        began = time.monotonic()
        try:
            move = player.choose(self.position, turn)
        finally:
            spent = time.monotonic() - began
            self.seconds[place] += spent
        self.turns[place] += 1
        if spent > deadline:
            if timed:
                return self._lost("timeout", f"{spent - deadline:.3f} s over the clock of {control}")
            return self._lost("timeout", f"took {spent:.2f} s for a move, {deadline:g} s were allowed")
        if control is not None:
            self.left[place] = max(0.001, self.left[place] - spent) + control.increment
        try:
            self.position = self.position.play(move)
        except IllegalMove as error:
            return self._lost("illegal", str(error))
        self.last = move
        return None

    def _clocks(self) -> tuple[Clocks, Clocks] | None:
        control = self.job.time_control
        if control is None:
            return None
        first, second = (self.left[self.job.player_of(side)] for side in (0, 1))
        return Clocks(first, control.increment), Clocks(second, control.increment)

    def _lost(self, end: str, detail: str) -> GameRecord:
        moves = self.position.moves[self.opening_length :]
        return forfeited(self.job, self.place, end, detail, moves, _pair(self.seconds), _pair(self.turns))

    def _record(self, result: float, end: str) -> GameRecord:
        return GameRecord(
            game=self.job.id,
            opening=self.job.opening.to_dict(),
            moves=self.position.moves[self.opening_length :],
            result=result,
            end=end,
            forfeit=None,
            detail=None,
            seconds=_rounded(_pair(self.seconds)),
            turns=_pair(self.turns),
        )


def _pair(values: list[T]) -> tuple[T, T]:
    first, second = values
    return first, second


def _rounded(seconds: tuple[float, float]) -> tuple[float, float]:
    return round(seconds[0], 6), round(seconds[1], 6)


def forfeited(
    job: Job,
    place: int,
    end: str,
    detail: str,
    moves: tuple[str, ...],
    seconds: tuple[float, float] = (0.0, 0.0),
    turns: tuple[int, int] = (0, 0),
) -> GameRecord:
    """The record of a game that the player at `place` lost by its own fault."""
    return GameRecord(
        game=job.id,
        opening=job.opening.to_dict(),
        moves=moves,
        result=0.0 if job.player_of(0) == place else 1.0,
        end=end,
        forfeit=_NAMES[place],
        detail=" ".join(detail.split())[:300],
        seconds=_rounded(seconds),
        turns=turns,
    )
