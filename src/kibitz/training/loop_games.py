"""The games of a training loop, as jobs of the fleet: blocks of games of any generation.

The workers stay from one generation to the next, so that nobody waits for the last block of one. A block says
which network plays it, by digest; a worker loads it from the loop's folder when the first such block comes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from kibitz.errors import BadRequest
from kibitz.fleet.content import digest_of
from kibitz.training.openings import load_lines
from kibitz.training.samples.manifest import Shard
from kibitz.training.selfplay_task import SelfplayTask
from kibitz.training.settings import SelfplaySettings
from kibitz.training.shard_task import Block, SampleNames, ShardTask, ShardWorker


@dataclass(frozen=True)
class LoopGames:
    """The games of a generation; `store` is where their samples go."""

    settings: SelfplaySettings
    digest: str
    """Of the network."""
    store: str
    names: SampleNames


@dataclass(frozen=True)
class LoopBlock:
    """Some of them; `id` counts the blocks of this run of the loop."""

    id: int
    generation: int
    games: LoopGames
    block: Block


@dataclass(frozen=True)
class LoopTask:
    """`others` are the files that all generations read, by where they lie on the driver's machine."""

    parallel: int
    threads: int
    files: tuple[str, ...] = ()
    places: Mapping[str, str] = field(default_factory=dict)

    def located(self, places: Mapping[str, str]) -> LoopTask:
        return replace(self, places=dict(places))

    def start(self) -> LoopWorker:
        return LoopWorker(self)


class LoopWorker:
    """Plays blocks with the networks that they name; one that nobody plays any more is forgotten."""

    def __init__(self, task: LoopTask) -> None:
        self._task = task
        self._lock = threading.Lock()
        self._players: dict[str, _Player] = {}

    def run(self, job: LoopBlock, say: Callable[[Any], None]) -> Shard:
        store = job.games.store
        with self._lock:  # the first block of a generation loads its network, others wait for it
            player = self._players.get(store)
            if player is None:
                player = self._players[store] = _Player(self._worker(job.games))
            player.blocks += 1
        try:
            return player.worker.run(job.block, say)
        finally:
            with self._lock:
                player.blocks -= 1
                for name in [name for name, one in self._players.items() if not one.blocks][:-1]:
                    self._players.pop(name).worker.close()

    def close(self) -> None:
        with self._lock:
            for player in self._players.values():
                player.worker.close()
            self._players.clear()

    def _worker(self, games: LoopGames) -> ShardWorker:
        path = games.settings.network
        if not Path(path).is_file():
            raise BadRequest(f"a worker's machine does not see {path}; give a folder that all share")
        if digest_of(path) != games.digest:
            raise BadRequest(
                f"{path} is not the network {games.digest[:12]} that these games are played with"
            )
        here = {
            name: self._task.places.get(value, value)
            for name in ("openings", "style_network")
            if (value := getattr(games.settings, name))
        }
        settings = replace(games.settings, **here)
        play = SelfplayTask(settings, load_lines(settings), self._task.parallel, self._task.threads)
        return ShardTask(play, games.store, games.names).start()


@dataclass
class _Player:
    worker: ShardWorker
    blocks: int = 0
