"""Reading samples in batches: a replay window, ratios by tag, symmetries, a shuffle that depends on the seed.

Batch k is the same whoever asks for it and whatever was read before, so that an interrupted training run goes
on with the batches it has not seen. Shards are shuffled, read in chunks of a few, and the rows of a chunk are
shuffled; memory holds one chunk and the next, which is read while this one is used. Shards may lie in any
store (files/store.py); pyarrow's datasets read those of a chunk at the same time.

Threads: a reader belongs to one thread.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.errors import BadOption, BadRecord
from kibitz.files.store import open_store
from kibitz.training.samples.decode import decode
from kibitz.training.samples.manifest import Manifest, Shard
from kibitz.training.samples.schema import Batch, arrow, schema
from kibitz.training.samples.symmetry import symmetries_of

Indices = npt.NDArray[np.int64]

#: The tag that stands for rows without one of the named tags.
OTHERS = "*"


@dataclass(frozen=True)
class Window:
    """Which samples take part: the newest `positions` of the newest `generations` (0: all), by whole shards.
    Of every `holdout` shards the last is held back for evaluation (0: none).

    >>> Window(positions=100_000, generations=5).holdout
    0
    """

    positions: int = 0
    generations: int = 0
    holdout: int = 0

    def shards(self, manifests: Mapping[str, Manifest], held: bool) -> list[tuple[str, Shard]]:
        everything = [
            (folder, shard)
            for folder, manifest in manifests.items()
            for shard in manifest.shards
            if self._is_held(shard) == held
        ]
        newest = max((shard.last_generation for _, shard in everything), default=0)
        if self.generations:
            oldest = newest - self.generations + 1
            everything = [item for item in everything if item[1].last_generation >= oldest]
        if self.positions and not held:
            everything.sort(key=lambda item: item[1].last_generation)  # stable: the newest stay last
            kept, total = [], 0
            for item in reversed(everything):
                if total >= self.positions:
                    break
                kept.append(item)
                total += item[1].positions
            everything = kept[::-1]
        return everything

    def _is_held(self, shard: Shard) -> bool:
        return self.holdout > 0 and shard.number % self.holdout == self.holdout - 1


@dataclass(frozen=True)
class _Chunk:
    """Rows of a few shards, and how they make batches."""

    table: Any
    batches: list[Indices]


@dataclass
class SampleReader:
    """Batches of the samples in some folders.

    >>> from kibitz.training.samples import SampleWriter, samples_of_game
    >>> from kibitz.training.selfplay import play_games
    >>> from kibitz.training.settings import SelfplaySettings
    >>> settings = SelfplaySettings("uttt", games=1, budget=kibitz.Budget(visits=4), seed=1)
    >>> samples = samples_of_game(next(play_games(settings, [0], processes=0)), "game-7")
    >>> with SampleWriter("data/first", "uttt") as writer:
    ...     _ = writer.add(samples)
    >>> next(SampleReader(["data/first"], batch=8, seed=1).batches()).planes.shape[0]
    8

    With `ratios` rows are drawn so that each tag has its share; `*` stands for all others. Batches hold one
    board size each where there are enough rows of it; what is left over of several sizes is mixed.
    """

    folders: Sequence[str | os.PathLike[str]]
    batch: int
    seed: int = 0
    window: Window = field(default_factory=Window)
    ratios: Mapping[str, float] = field(default_factory=dict)
    symmetries: bool = True
    #: Shards in memory at a time.
    shards_at_once: int = 8
    #: Read the shards that are held back instead of the others.
    held: bool = False
    #: Whether rows are shuffled; evaluation reads them in order.
    shuffle: bool = True
    #: Which part of each batch is read, of how many: processes that train together share it.
    part: tuple[int, int] = (0, 1)

    def __post_init__(self) -> None:
        if self.batch < 1:
            raise BadOption(f"a batch has at least 1 position, got {self.batch}")
        if any(share < 0 for share in self.ratios.values()):
            raise BadOption("ratios of tags cannot be negative")
        if not 0 <= self.part[0] < self.part[1] or self.batch % self.part[1]:
            raise BadOption(f"a batch of {self.batch} cannot be shared by {self.part[1]} processes")
        self.manifests = {place_name(folder): Manifest.read(folder) for folder in self.folders}
        games = {manifest.game for manifest in self.manifests.values()}
        if len(games) != 1:
            raise BadOption(f"samples of one game are read at a time, got {', '.join(sorted(games))}")
        self.game = games.pop()
        self.shards = self.window.shards(self.manifests, self.held)
        if not self.shards and not self.held:
            raise BadRecord(f"no samples in {', '.join(map(str, self.folders))}")
        self._at: tuple[int, int] | None = None
        self._chunk: _Chunk | None = None
        #: The chunk that is being read ahead.
        self._ahead: tuple[tuple[int, int], Future[Any]] | None = None
        self._thread: ThreadPoolExecutor | None = None
        #: Batches of each chunk of an epoch, as far as they are known.
        self._counts: dict[tuple[int, int], int] = {}

    @property
    def positions(self) -> int:
        return sum(shard.positions for _, shard in self.shards)

    @property
    def digests(self) -> list[str]:
        """Check sums of the shards that are read."""
        return [shard.sha256 for _, shard in self.shards]

    def batches(self, start: int = 0) -> Iterator[Batch]:
        """The batches from this one on, without end when they are shuffled."""
        epoch, chunk, first = self._place(start)
        while True:
            for at in range(first, self._count(epoch, chunk)):
                yield self._batch(epoch, chunk, at)
            first = 0
            chunk += 1
            if chunk >= self._chunks:
                epoch, chunk = epoch + 1, 0
                if not self.shuffle:
                    return

    def _place(self, number: int) -> tuple[int, int, int]:
        """Epoch, chunk and place of a batch."""
        epoch = chunk = 0
        while True:
            count = self._count(epoch, chunk)
            if number < count:
                return epoch, chunk, number
            number -= count
            chunk += 1
            if chunk >= self._chunks:
                epoch, chunk = epoch + 1, 0
                if not self.shuffle or not sum(self._count(0, at) for at in range(self._chunks)):
                    raise BadRecord(f"the samples do not fill a batch of {self.batch}")

    @property
    def _chunks(self) -> int:
        return -(-len(self.shards) // self.shards_at_once)

    def _random(self, *place: int) -> np.random.Generator:
        return np.random.default_rng([self.seed, *place])

    def _members(self, epoch: int, chunk: int) -> list[tuple[str, Shard]]:
        order = self._random(epoch).permutation(len(self.shards)) if self.shuffle else range(len(self.shards))
        start = chunk * self.shards_at_once
        return [self.shards[at] for at in order[start : start + self.shards_at_once]]

    def _count(self, epoch: int, chunk: int) -> int:
        key = (epoch, chunk)
        if key not in self._counts:
            keys = self._read(epoch, chunk, ["rows", "columns", "tags"])
            self._counts[key] = len(self._arranged(keys, epoch, chunk))
        return self._counts[key]

    def _read(self, epoch: int, chunk: int, columns: list[str] | None = None) -> Any:
        """The rows of a chunk, in the order of its shards."""
        pa = arrow()
        tables = []
        members = self._members(epoch, chunk)
        for place, group in itertools.groupby(members, key=lambda member: member[0]):
            store = open_store(place)
            found = [store.parquet(shard.name) for _, shard in group]
            # Older shards lack columns that newer ones have; their rows know nothing of those.
            dataset = pa.dataset.dataset(
                [path for _, path in found], schema=schema(), format="parquet", filesystem=found[0][0]
            )
            try:
                tables.append(dataset.to_table(columns=columns))
            except FileNotFoundError as error:
                missing = next((path for _, path in found if path in str(error)), place)
                raise BadRecord(f"{missing}: the shard is missing") from None
        return pa.concat_tables(tables).unify_dictionaries()

    def _chunk_table(self, epoch: int, chunk: int) -> Any:
        """A whole chunk; the one after it is then read ahead."""
        ahead, self._ahead = self._ahead, None
        known = ahead is not None and ahead[0] == (epoch, chunk)
        table = ahead[1].result() if known and ahead is not None else self._read(epoch, chunk)
        following = (epoch, chunk + 1) if chunk + 1 < self._chunks else (epoch + 1, 0)
        if self._chunks > 1 and (self.shuffle or following[1]):
            self._thread = self._thread or ThreadPoolExecutor(1, "kibitz-samples")
            self._ahead = following, self._thread.submit(self._read, *following)
        return table

    def _arranged(self, table: Any, epoch: int, chunk: int) -> list[Indices]:
        """The rows of each batch of a chunk."""
        random = self._random(epoch, chunk)
        rows = self._drawn(table, random)
        sizes = table["rows"].to_numpy().astype(np.int64) * 256 + table["columns"].to_numpy()
        full: list[Indices] = []
        rest: list[Indices] = []
        for size in np.unique(sizes[rows]):
            own = rows[sizes[rows] == size]
            whole = len(own) // self.batch * self.batch
            full += list(own[:whole].reshape(-1, self.batch))
            rest.append(own[whole:])
        left = np.concatenate(rest) if rest else rows[:0]
        if self.shuffle:
            left = random.permutation(left)
            full += list(left[: len(left) // self.batch * self.batch].reshape(-1, self.batch))
            return [full[at] for at in random.permutation(len(full))]
        # Evaluation leaves nothing out.
        return full + [left[at : at + self.batch] for at in range(0, len(left), self.batch)]

    def _drawn(self, table: Any, random: np.random.Generator) -> Indices:
        """The rows that take part, in the order they are drawn."""
        count = table.num_rows
        if not self.shuffle:
            return np.arange(count)
        if not self.ratios:
            return random.permutation(count)
        tags = table["tags"].to_pylist()
        named = [name for name in self.ratios if name != OTHERS]
        group = np.array([next((name for name in named if name in row), OTHERS) for row in tags])
        total = sum(self.ratios.values())
        parts = []
        for name, share in self.ratios.items():
            own = np.flatnonzero(group == name)
            wanted = round(count * share / total) if total else 0
            if len(own) and wanted:
                turns = -(-wanted // len(own))
                parts.append(np.concatenate([random.permutation(own) for _ in range(turns)])[:wanted])
        return random.permutation(np.concatenate(parts)) if parts else np.arange(0)

    def _batch(self, epoch: int, chunk: int, at: int) -> Batch:
        if self._at != (epoch, chunk):
            table = self._chunk_table(epoch, chunk).combine_chunks()
            self._chunk = _Chunk(table, self._arranged(table, epoch, chunk))
            self._counts[epoch, chunk] = len(self._chunk.batches)
            self._at = (epoch, chunk)
        assert self._chunk is not None
        rows = self._chunk.batches[at]
        turn: Any = None
        if self.symmetries:
            turn = self._random(epoch, chunk, at).integers(0, 1 << 30, len(rows))
        if self.part[1] > 1:
            share = -(-len(rows) // self.part[1])
            own = slice(self.part[0] * share, (self.part[0] + 1) * share)
            rows, turn = rows[own], None if turn is None else turn[own]
        return decode(self._chunk.table.take(rows), self.game, turn, symmetries_of)


def place_name(folder: str | os.PathLike[str]) -> str:
    """How a folder or URL is spelt in a checkpoint."""
    text = os.fspath(folder)
    return text if "://" in text else str(Path(text))
