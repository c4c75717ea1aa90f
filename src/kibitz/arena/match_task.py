"""The games of a match as jobs of the fleet."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kibitz.arena.player import Player, PlayerFactory
from kibitz.arena.program import FAILURE_SECONDS
from kibitz.arena.record import GameRecord
from kibitz.arena.referee import Job, ToMove, forfeited, play_game
from kibitz.arena.spec import PlayerSpec
from kibitz.fleet.jobs import Loss, Policy
from kibitz.games.networks import load_file
from kibitz.network import BatchedNetwork, EngineNetwork

if TYPE_CHECKING:
    from kibitz.games.base import Position

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
    #: Games at once in each worker; their engines share each network, which judges their positions together.
    parallel: int = 1

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
        load = SharedNetworks(self.game.game, self.parallel) if self.parallel > 1 else None
        return MatchWorker(self, load)

    def players(self, load: SharedNetworks | None) -> tuple[Player, Player]:
        first = self._made(self.a, load)
        try:
            return first, self._made(self.b, load)
        except BaseException:
            first.close()
            raise

    def _made(self, player: PlayerFactory, load: SharedNetworks | None) -> Player:
        if load is not None and isinstance(player, PlayerSpec):
            return player.make_sharing(self.game, load)
        return player.make(self.game)


class SharedNetworks:
    """The networks of a worker's engines by file and precision, each loaded once; from any thread."""

    def __init__(self, game: str, most: int) -> None:
        self._game = game
        self._most = most
        self._loaded: dict[tuple[str, str], EngineNetwork] = {}
        self._lock = threading.Lock()

    def __call__(self, file: str, precision: str) -> EngineNetwork:
        with self._lock:
            shared = self._loaded.get((file, precision))
            if shared is None:
                shared = load_file(self._game, file, precision=precision)
                if not shared.traits.in_core:  # those of the core are asked one by one anyway
                    shared = BatchedNetwork(shared, self._most)
                self._loaded[file, precision] = shared
            return shared


class MatchWorker:
    """Plays games, each thread with players of its own."""

    def __init__(self, task: MatchTask, load: SharedNetworks | None) -> None:
        self._task = task
        self._load = load
        self._own = threading.local()
        # What the players refuse comes out here; the first thread takes these.
        self._waiting = [task.players(load)]
        self._made = list(self._waiting)
        self._lock = threading.Lock()

    def run(self, job: Job, say: Callable[[Any], None]) -> GameRecord:
        players: tuple[Player, Player] | None = getattr(self._own, "players", None)
        if players is None:
            players = self._own.players = self._next()
        return play_game(self._task.game, players, job, say)

    def _next(self) -> tuple[Player, Player]:
        with self._lock:
            if self._waiting:
                return self._waiting.pop()
        made = self._task.players(self._load)
        with self._lock:
            self._made.append(made)
        return made

    def close(self) -> None:
        for player in (one for pair in self._made for one in pair):
            player.close()

    def kill(self) -> None:
        for player in (one for pair in self._made for one in pair):
            getattr(player, "kill", player.close)()


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
