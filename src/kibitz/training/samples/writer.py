"""Writing samples from one process: whole games go in, shards of many games come out.

Threads: a writer belongs to one thread, and one process at a time has the store.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from kibitz.errors import BadOption
from kibitz.training.samples.ledger import Ledger
from kibitz.training.samples.manifest import Manifest, Shard
from kibitz.training.samples.schema import GameSamples, arrow
from kibitz.training.samples.shard_file import write_shard

#: A shard is closed when it has this many positions; that is what a kill may lose.
SHARD_POSITIONS = 16384


class SampleWriter:
    """Writes the games of a folder, or of another store (files/store.py).

    >>> from kibitz.training.samples import samples_of_game
    >>> from kibitz.training.selfplay import play_games
    >>> from kibitz.training.settings import SelfplaySettings
    >>> settings = SelfplaySettings("uttt", games=1, budget=kibitz.Budget(visits=4), seed=1)
    >>> samples = samples_of_game(next(play_games(settings, [0], processes=0)), "game-7")
    >>> with SampleWriter("data/uttt", "uttt") as writer:
    ...     writer.add(samples), writer.add(samples)
    (True, False)

    A store that is there is continued: a game that a shard holds is not written again (`add` returns False).
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        game: str,
        *,
        origin: Mapping[str, Any] | None = None,
        shard_positions: int = SHARD_POSITIONS,
    ) -> None:
        if shard_positions < 1:
            raise BadOption(f"a shard has at least 1 position, got {shard_positions}")
        arrow()
        self._ledger = Ledger(folder, game, origin=origin)
        self._shard_positions = shard_positions
        self._pending: list[GameSamples] = []
        self._positions = 0
        try:
            self._games = self._written()
        except BaseException:
            self._ledger.close()
            raise

    @property
    def manifest(self) -> Manifest:
        return self._ledger.manifest

    @property
    def place(self) -> str:
        """The store, for workers that write shards by themselves (shard_file.py)."""
        return self._ledger.store.place

    @property
    def next_number(self) -> int:
        """The number of the next shard."""
        return self._ledger.next_number

    def count(self, shard: Shard) -> None:
        """Take the record of a shard that a worker wrote."""
        self._ledger.add(shard)

    def __contains__(self, game_id: str) -> bool:
        return game_id in self._games

    def __len__(self) -> int:
        """The games that were added, those of earlier runs and of the shard under way included."""
        return len(self._games)

    @property
    def pending(self) -> int:
        """Positions of the shard under way."""
        return self._positions

    def add(self, game: GameSamples) -> bool:
        """Take the samples of a whole game; False when the store has it already."""
        if game.game != self.manifest.game:
            raise BadOption(
                f"{self._ledger.store.place} holds samples of {self.manifest.game}, not of {game.game}"
            )
        if game.game_id in self._games:
            return False
        game.check()
        self._games.add(game.game_id)
        if len(game):
            self._pending.append(game)
            self._positions += len(game)
        if self._positions >= self._shard_positions:
            self.flush()
        return True

    def flush(self) -> None:
        """Close the shard under way, so that its games outlive a kill."""
        if not self._pending:
            return
        shard = write_shard(self._ledger.store, self._ledger.next_number, self._pending)
        self._ledger.add(shard, now=True)
        self._pending, self._positions = [], 0

    def close(self) -> None:
        try:
            self.flush()
        finally:
            self._ledger.close()

    def __enter__(self) -> SampleWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _written(self) -> set[str]:
        pq = arrow().parquet
        game_ids: set[str] = set()
        for shard in self.manifest.shards:
            system, path = self._ledger.store.parquet(shard.name)
            column = pq.read_table(path, columns=["game_id"], filesystem=system)["game_id"]
            game_ids.update(column.unique().to_pylist())
        return game_ids
