"""Writing samples: whole games go in, shards of many games come out.

Threads: a writer belongs to one thread, and one process at a time has the folder.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kibitz.errors import BadOption
from kibitz.files.whole_file import whole_file
from kibitz.fleet.lock import lock_file
from kibitz.training.samples.manifest import MANIFEST, Manifest, Shard, digest_of
from kibitz.training.samples.schema import GameSamples, arrow, pack, schema

#: A shard is closed when it has this many positions; that is what a kill may lose.
SHARD_POSITIONS = 16384


class SampleWriter:
    """Writes the games of a folder.

    >>> with SampleWriter("data/go", "go", origin={"teacher": "b6c96"}) as writer:     # doctest: +SKIP
    ...     if "game-7" not in writer:
    ...         writer.add(samples)

    A folder that is there is continued: a game that a shard holds is not written again (`add` returns False),
    a shard that the manifest does not name is removed, for its games are counted nowhere.
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
        self._schema = schema()
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self._lock = (self.folder / ".lock").open("ab")
        if not lock_file(self._lock):
            self._lock.close()
            raise BadOption(f"{self.folder}: another process writes samples there")
        try:
            if (self.folder / MANIFEST).exists():
                self.manifest = Manifest.read(self.folder)
            else:
                self.manifest = Manifest(game, dict(origin or {}))
            if self.manifest.game != game:
                raise BadOption(f"{self.folder} holds samples of {self.manifest.game}, not of {game}")
            self._shard_positions = shard_positions
            self._games = self._written()
            self._remove_strays()
        except BaseException:
            self._lock.close()
            raise
        self._pending: list[GameSamples] = []
        self._positions = 0

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
        """Take the samples of a whole game; False when the folder has it already."""
        if game.game != self.manifest.game:
            raise BadOption(f"{self.folder} holds samples of {self.manifest.game}, not of {game.game}")
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
        pa = arrow()
        columns: dict[str, list[Any]] = {name: [] for name in self._schema.names}
        for game in self._pending:
            for name, values in pack(game).items():
                columns[name] += values
        table = pa.table(
            [pa.array(columns[item.name], item.type) for item in self._schema], schema=self._schema
        )
        name = f"shard-{self._next_number():06d}.parquet"
        path = self.folder / name
        with whole_file(path) as file:
            pa.parquet.write_table(table, file, compression="zstd")
        generations = [game.generation for game in self._pending]
        self.manifest.shards.append(
            Shard(
                name,
                digest_of(path),
                path.stat().st_size,
                len(self._pending),
                self._positions,
                min(generations),
                max(generations),
            )
        )
        self.manifest.write(self.folder)
        self._pending, self._positions = [], 0

    def close(self) -> None:
        try:
            self.flush()
        finally:
            self._lock.close()

    def __enter__(self) -> SampleWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _next_number(self) -> int:
        return max((int(shard.name[6:-8]) for shard in self.manifest.shards), default=-1) + 1

    def _written(self) -> set[str]:
        pq = arrow().parquet
        game_ids: set[str] = set()
        for shard in self.manifest.shards:
            column = pq.read_table(self.folder / shard.name, columns=["game_id"])["game_id"]
            game_ids.update(column.unique().to_pylist())
        return game_ids

    def _remove_strays(self) -> None:
        known = {shard.name for shard in self.manifest.shards}
        for path in self.folder.glob("shard-*.parquet*"):
            if path.name not in known:
                path.unlink()
