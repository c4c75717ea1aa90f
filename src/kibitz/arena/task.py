"""The games of a match as jobs of the fleet."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kibitz.arena.player import Player, PlayerFactory
from kibitz.arena.program import FAILURE_SECONDS
from kibitz.arena.record import GameRecord
from kibitz.arena.referee import Job, ToMove, forfeited, play_game
from kibitz.arena.spec import PlayerSpec
from kibitz.fleet import Loss, Policy

if TYPE_CHECKING:
    from kibitz.games.base import Position

__all__ = ["MatchPolicy", "MatchTask"]

#: Beyond the time limit of a move, before a worker that says nothing is ended. A player that ends a program
#: of its own and reports why needs some of it; the rest is for a machine that stalls.
_WATCH_GRACE = FAILURE_SECONDS + 7.5

#: Time for a player to get ready for a game.
_START_SECONDS = 120.0


@dataclass(frozen=True)
class MatchTask:
    """Makes the two players in a worker process."""

    game: type[Position]
    a: PlayerFactory
    b: PlayerFactory

    @property
    def files(self) -> tuple[str, ...]:
        """The networks of the players, which travel to other machines."""
        both = [path for player in (self.a, self.b) for path in getattr(player, "files", ())]
        return tuple(dict.fromkeys(both))

    def located(self, places: Mapping[str, str]) -> MatchTask:
        """The same match where its files lie somewhere else."""
        a, b = (
            player.located(places) if isinstance(player, PlayerSpec) else player
            for player in (self.a, self.b)
        )
        return replace(self, a=a, b=b)

    def start(self) -> MatchWorker:
        first = self.a.make(self.game)
        try:
            return MatchWorker(self.game, (first, self.b.make(self.game)))
        except BaseException:
            first.close()
            raise


class MatchWorker:
    def __init__(self, game: type[Position], players: tuple[Player, Player]) -> None:
        self._game = game
        self._players = players

    def run(self, job: Job, say: Callable[[Any], None]) -> GameRecord:
        return play_game(self._game, self._players, job, say)

    def close(self) -> None:
        for player in self._players:
            player.close()


class MatchPolicy(Policy):
    """Whoever is at turn when a worker dies or falls silent forfeits the game; before any turn nobody
    does."""

    def patience(self, job: Any, notes: Sequence[Any]) -> float | None:
        if len(notes) <= 2:  # a player is getting ready for the game
            return _START_SECONDS
        last: ToMove = notes[-1]
        return last.deadline + _WATCH_GRACE

    def lost(self, job: Any, loss: Loss) -> Any | None:
        if not loss.notes:
            return None
        moves = tuple(note.last for note in loss.notes if note.last is not None)
        end = "timeout" if loss.reason == "silent" else "crashed"
        return forfeited(job, loss.notes[-1].place, end, loss.detail, moves)
