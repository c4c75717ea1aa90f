"""The games of self-play as jobs of the fleet. A worker plays several at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from kibitz.games.networks import load_file
from kibitz.network import EngineNetwork
from kibitz.training.game import PlayedGame
from kibitz.training.openings import Line
from kibitz.training.self_player import SelfPlayer
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

    def start(self) -> SelfplayWorker:
        settings = self.settings
        return SelfplayWorker(
            SelfPlayer(
                settings,
                self._loaded(settings.network),
                self._loaded(settings.style_network),
                self.lines,
                at_once=self.parallel,
                threads=self.threads,
            )
        )

    def _loaded(self, name: str) -> EngineNetwork | None:
        settings = self.settings
        if not name:
            return None
        return load_file(settings.game, name, precision=settings.precision, runtime=settings.runtime)


class SelfplayWorker:
    """Plays games, each thread one at a time."""

    def __init__(self, player: SelfPlayer) -> None:
        self._player = player

    def run(self, job: GameNumber, say: Callable[[Any], None]) -> PlayedGame:
        return self._player.play(job.id)

    def close(self) -> None:
        self._player.close()
