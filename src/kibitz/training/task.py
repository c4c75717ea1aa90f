"""The games of self-play as jobs of the fleet. A worker plays several at once, in threads that mostly wait:
their positions go to the network together."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kibitz import _native
from kibitz.games.networks import load_network
from kibitz.training.game import PlayedGame
from kibitz.training.openings import Line
from kibitz.training.play import SelfPlayer
from kibitz.training.settings import SelfplaySettings

__all__ = ["GameNumber", "SelfplayTask"]


@dataclass(frozen=True)
class GameNumber:
    """A game to be played: its number says everything, with the settings."""

    id: int


@dataclass(frozen=True)
class SelfplayTask:
    """Loads the network once in each worker process."""

    settings: SelfplaySettings
    lines: tuple[Line, ...]
    parallel: int

    def start(self) -> SelfplayWorker:
        settings = self.settings
        network = None
        if settings.network:
            loaded = load_network(
                settings.game, settings.network, precision=settings.precision, runtime=settings.runtime
            )
            network = _native.Batcher(loaded.for_search(), most=self.parallel, callers=1)
        SelfPlayer(settings, network, self.lines)  # what it refuses comes out here
        return SelfplayWorker(self, network)


class SelfplayWorker:
    """Plays games, each thread with a player of its own."""

    def __init__(self, task: SelfplayTask, network: Any) -> None:
        self._task = task
        self._network = network
        self._own = threading.local()
        self._players: list[SelfPlayer] = []

    def run(self, job: GameNumber, say: Callable[[Any], None]) -> PlayedGame:
        player: SelfPlayer | None = getattr(self._own, "player", None)
        if player is None:
            player = self._own.player = SelfPlayer(self._task.settings, self._network, self._task.lines)
            self._players.append(player)
        return player.play(job.id)

    def close(self) -> None:
        for player in list(self._players):
            player.close()
