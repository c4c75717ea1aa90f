"""Writing one shard: the only place where samples become a file, on whatever machine they were made.

The name has the shard's number and the beginning of its check sum: two workers that make the same shard write
the same file, and one that makes another of the same number does not overwrite what is counted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from kibitz.errors import BadRequest
from kibitz.files.store import Store, open_store
from kibitz.training.samples.manifest import MANIFEST, Shard
from kibitz.training.samples.schema import GameSamples, arrow, pack, schema


def open_shared(place: str) -> Store:
    """The store of a run, in a worker that is to write there."""
    store = open_store(place)
    if MANIFEST not in store.names():
        raise BadRequest(f"a worker's machine does not see {place}; give a folder that all share, or a URL")
    return store


def write_shard(
    store: Store,
    number: int,
    games: Sequence[GameSamples],
    *,
    first_game: int | None = None,
    count: int | None = None,
    generation: int = 0,
    outcome: Mapping[str, int] | None = None,
) -> Shard:
    """Write the samples of whole games; the record counts once a ledger has it. `count` is the number of
    games where some have no samples."""
    pa = arrow()
    columns: dict[str, list[Any]] = {name: [] for name in schema().names}
    for game in games:
        for name, values in pack(game).items():
            columns[name] += values
    table = pa.table([pa.array(columns[item.name], item.type) for item in schema()], schema=schema())
    buffer = pa.BufferOutputStream()
    pa.parquet.write_table(table, buffer, compression="zstd")
    data = buffer.getvalue().to_pybytes()
    digest = hashlib.sha256(data).hexdigest()
    generations = [game.generation for game in games] or [generation]
    shard = Shard(
        f"shard-{number:06d}-{digest[:12]}.parquet",
        digest,
        len(data),
        len(games) if count is None else count,
        table.num_rows,
        min(generations),
        max(generations),
        first_game,
        dict(outcome or {}),
    )
    store.write(shard.name, data)
    return shard
