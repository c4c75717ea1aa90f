"""A run of self-play as samples: workers write shards to the run's store, this process counts them.

    >>> for done in run_shards(settings, "s3://bucket/run", fleet="ray:10.0.0.1:6379"):   # doctest: +SKIP
    ...     print(done)

The store's manifest says which blocks are there, so the same call goes on after an interruption, on whatever
machine it is made. While another driver of the run is alive, `wait` waits for its end.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from kibitz.errors import BadOption
from kibitz.fleet.jobs import Done, run_jobs
from kibitz.fleet.lease import LEASE_SECONDS
from kibitz.fleet.runners import make_runner
from kibitz.training.openings import load_lines
from kibitz.training.resignation import ResignationCheck
from kibitz.training.samples.ledger import Ledger
from kibitz.training.samples.manifest import Manifest, Shard
from kibitz.training.samples.schema import arrow
from kibitz.training.selfplay import PARALLEL
from kibitz.training.selfplay_task import SelfplayTask
from kibitz.training.settings import SelfplaySettings
from kibitz.training.shard_task import Block, SampleNames, ShardTask

#: Games of a shard: what a worker that dies may lose, and what the driver's work for a record is shared by.
SHARD_GAMES = 64
#: Blocks that a worker has at a time: games of the second fill the batches that those of the first leave.
BLOCKS = 2


@dataclass(frozen=True)
class Place:
    """Where games are played; what they are does not depend on it."""

    processes: int = 0
    parallel: int = 0
    threads: int = 1
    fleet: str = ""


def run_shards(
    settings: SelfplaySettings,
    store: str | os.PathLike[str],
    *,
    place: Place | None = None,
    names: SampleNames | None = None,
    shard_games: int = SHARD_GAMES,
    origin: Mapping[str, Any] | None = None,
    wait: bool = False,
    seconds: float = LEASE_SECONDS,
) -> Generator[int, None, Manifest]:
    """Plays the blocks that are missing; gives the number of games that are counted, first those that were
    there, and ends with the manifest."""
    place, names = place or Place(), names or SampleNames()
    with ShardBook(settings, store, shard_games, origin=origin, wait=wait, seconds=seconds) as book:
        yield book.done
        if book.missing:
            if not place.fleet.startswith("ray"):
                arrow()  # what is missing is said before the first game
            task = _task(settings, book.place, place, names)
            with contextlib.closing(_records(task, book.missing, place)) as records:
                for shard in records:
                    if book.add(shard):
                        yield book.done
    return book.manifest


class ShardBook:
    """What is there of a run's games, and which blocks are missing; who has it open drives the run."""

    def __init__(
        self,
        settings: SelfplaySettings,
        store: str | os.PathLike[str],
        shard_games: int,
        *,
        origin: Mapping[str, Any] | None = None,
        wait: bool = False,
        seconds: float = LEASE_SECONDS,
    ) -> None:
        if shard_games < 1:
            raise BadOption(f"a shard has at least 1 game, got {shard_games}")
        about = {
            "selfplay": settings.to_dict(),
            "games": settings.games,
            "shard_games": shard_games,
            **(origin or {}),
        }
        self._ledger = Ledger(store, settings.game, origin=about, strict=True, wait=wait, seconds=seconds)
        blocks = [
            Block(number, first, min(first + shard_games, settings.games))
            for number, first in enumerate(range(0, settings.games, shard_games))
        ]
        self.missing = [block for block in blocks if block.id not in self._ledger]
        #: Games that are counted, of how many.
        self.done = settings.games - sum(block.end - block.first for block in self.missing)
        self.settings = settings

    @property
    def place(self) -> str:
        return self._ledger.store.place

    @property
    def manifest(self) -> Manifest:
        return self._ledger.manifest

    def add(self, shard: Shard) -> bool:
        """Count the games of a shard; False where they were counted before."""
        new = self._ledger.add(shard)
        self.done += new * shard.games
        return new

    def __enter__(self) -> ShardBook:
        return self

    def __exit__(self, *_: object) -> None:
        self._ledger.close()


def _task(settings: SelfplaySettings, store: str, place: Place, names: SampleNames) -> ShardTask:
    parallel = place.parallel or (PARALLEL if settings.network else place.threads)
    return ShardTask(SelfplayTask(settings, load_lines(settings), parallel, place.threads), store, names)


def _records(task: ShardTask, blocks: list[Block], place: Place) -> Generator[Shard, None, None]:
    # No limit on the start: a network may be calibrated first.
    runner = make_runner(
        task,
        min(place.processes, len(blocks)),
        slots=min(BLOCKS, len(blocks)),
        name="kibitz-selfplay",
        start_seconds=None,
        fleet=place.fleet,
    )
    with contextlib.closing(run_jobs(runner, blocks)) as events:
        for event in events:
            if isinstance(event, Done):
                yield event.result


def check_of(shards: Iterable[Shard]) -> ResignationCheck:
    """How often resigning was wrong in the games of these shards."""
    check = ResignationCheck()
    for shard in shards:
        check.games += shard.games
        for name in ("resigned", "checked", "wrong"):
            setattr(check, name, getattr(check, name) + shard.outcome.get(name, 0))
    return check
