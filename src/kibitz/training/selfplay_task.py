"""The games of self-play as jobs of the fleet. A worker plays several at once: in the core, which evaluates
their leaves together, or, where each move needs an Engine, in threads that mostly wait for a network."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from kibitz.games.networks import load_file
from kibitz.network import BatchedNetwork, EngineNetwork
from kibitz.training.core_play import CorePlayer
from kibitz.training.engine_play import SelfPlayer
from kibitz.training.game import PlayedGame
from kibitz.training.openings import Line
from kibitz.training.settings import SelfplaySettings


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
    #: Native threads that share the games of a worker; what they play does not depend on it.
    threads: int = 1

    @property
    def files(self) -> tuple[str, ...]:
        """What a worker reads: travels by digest to machines that do not have it."""
        from kibitz.nets import find  # its runtimes are slow to import

        named = (self.settings.network, self.settings.style_network)
        return tuple(str(find(name)) for name in named if name)

    def located(self, places: Mapping[str, str]) -> SelfplayTask:
        """The same task where its files lie somewhere else."""
        copies: dict[str, Any] = dict(
            zip(("network", "style_network"), (places[file] for file in self.files), strict=False)
        )
        return replace(self, settings=replace(self.settings, **copies))

    def start(self) -> SelfplayWorker | CoreWorker:
        settings = self.settings
        network = self._loaded(settings.network)
        if not settings.why_not_native:
            return CoreWorker(
                CorePlayer(settings, network, self.lines, at_once=self.parallel, threads=self.threads)
            )
        networks = (self._shared(network), self._shared(self._loaded(settings.style_network)))
        SelfPlayer(settings, *networks, self.lines)  # what it refuses comes out here
        return SelfplayWorker(self, networks)

    def _loaded(self, name: str) -> EngineNetwork | None:
        settings = self.settings
        if not name:
            return None
        return load_file(settings.game, name, precision=settings.precision, runtime=settings.runtime)

    def _shared(self, network: EngineNetwork | None) -> EngineNetwork | None:
        if network is None or network.traits.in_core:  # those of the core are asked one by one anyway
            return network
        return BatchedNetwork(network, self.parallel)


class CoreWorker:
    """Hands games to the core, each thread one at a time."""

    def __init__(self, player: CorePlayer) -> None:
        self._player = player

    def run(self, job: GameNumber, say: Callable[[Any], None]) -> PlayedGame:
        return self._player.play(job.id)

    def close(self) -> None:
        self._player.close()


class SelfplayWorker:
    """Plays games, each thread with a player of its own."""

    def __init__(self, task: SelfplayTask, networks: tuple[Any, Any]) -> None:
        self._task = task
        self._networks = networks
        self._own = threading.local()
        self._players: list[SelfPlayer] = []

    def run(self, job: GameNumber, say: Callable[[Any], None]) -> PlayedGame:
        player: SelfPlayer | None = getattr(self._own, "player", None)
        if player is None:
            player = self._own.player = SelfPlayer(self._task.settings, *self._networks, self._task.lines)
            self._players.append(player)
        return player.play(job.id)

    def close(self) -> None:
        for player in list(self._players):
            player.close()
