"""Blocks of self-play games as jobs of the fleet: a worker plays the games of a block, writes their samples
as one shard to the run's store, and hands back its record. What the driver hears of a game is a few bytes.

Games have numbers and blocks are made of consecutive ones, so a shard's content follows from the settings and
its number: it does not matter who makes it, or how often.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from kibitz.files.store import Store
from kibitz.training.game import PlayedGame
from kibitz.training.samples import GameSamples, samples_of_game
from kibitz.training.samples.manifest import Shard
from kibitz.training.samples.shard_file import open_shared, write_shard
from kibitz.training.selfplay_task import GameNumber, SelfplayTask

#: Seconds between two notes of a block that is being played.
_NOTE_SECONDS = 0.5


@dataclass(frozen=True)
class Block:
    """Games from `first` up to, not including, `end`; `id` is the number of their shard."""

    id: int
    first: int
    end: int


@dataclass(frozen=True)
class SampleNames:
    """What the samples of a run say of where they come from."""

    source: str = ""
    generation: int = 0
    style_planes: bool = False

    def samples(self, game: PlayedGame, seed: int) -> GameSamples | None:
        return samples_of_game(
            game,
            f"g{self.generation:04d}-{game.id:07d}",
            source=self.source,
            seed=seed,
            generation=self.generation,
            style_planes=self.style_planes,
        )


@dataclass(frozen=True)
class ShardTask:
    """Self-play whose workers write."""

    play: SelfplayTask
    place: str
    names: SampleNames

    @property
    def files(self) -> tuple[str, ...]:
        return self.play.files

    def located(self, places: Mapping[str, str]) -> ShardTask:
        return replace(self, play=self.play.located(places))

    def start(self) -> ShardWorker:
        return ShardWorker(self, open_shared(self.place))


class ShardWorker:
    """Plays the games of its blocks in as many threads as games are played at once."""

    def __init__(self, task: ShardTask, store: Store) -> None:
        self._task = task
        self._store = store
        self._player = task.play.start()
        self._threads = ThreadPoolExecutor(task.play.parallel, "kibitz-game")
        self._noting = threading.Lock()
        self._noted = 0.0

    def run(self, job: Block, say: Callable[[Any], None]) -> Shard:
        made: list[GameSamples] = []
        outcome: Counter[str] = Counter()
        futures = [
            self._threads.submit(self._player.run, GameNumber(number), say)
            for number in range(job.first, job.end)
        ]
        try:
            for done, future in enumerate(futures, 1):  # in the order of their numbers
                game = future.result()
                samples = self._task.names.samples(game, self._task.play.settings.seed)
                made += [samples] if samples is not None else []
                outcome.update(outcome_of(game))
                self._note(done, say)
        finally:
            for future in futures:
                future.cancel()
        return write_shard(
            self._store,
            job.id,
            made,
            first_game=job.first,
            count=job.end - job.first,
            generation=self._task.names.generation,
            outcome=dict(sorted(outcome.items())),
        )

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._player.close()

    def _note(self, done: int, say: Callable[[Any], None]) -> None:
        with self._noting:
            due = time.monotonic() >= self._noted + _NOTE_SECONDS
            if due:
                self._noted = time.monotonic()
        if due:
            say(done)


def outcome_of(game: PlayedGame) -> dict[str, int]:
    """What became of a game, as counts."""
    counts = {"plies": len(game.moves)}
    if game.result is not None:
        counts[{1.0: "first", 0.0: "second"}.get(game.result, "drawn")] = 1
    if game.resigned is not None and not game.played_out:
        counts["resigned"] = 1
    if game.falsely_resigned is not None:
        counts |= {"checked": 1, "wrong": int(game.falsely_resigned)}
    return counts
