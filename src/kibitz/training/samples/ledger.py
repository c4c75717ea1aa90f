"""The manifest of a store while shards are added to it. Whoever makes samples writes the shards, on whatever
machine (shard_file.py); one process has the ledger and counts them.

    >>> with Ledger("s3://bucket/run", "othello") as ledger:                          # doctest: +SKIP
    ...     ledger.add(shard)

Records go to the store in parts; the end of the run makes one manifest of them. A ledger that is opened again
goes on, also that of another machine whose driver died (fleet/lease.py): a file that no record names is
removed, for its games are counted nowhere.

Threads: a ledger belongs to one thread.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kibitz.errors import BadOption
from kibitz.files.store import DRAFT, FolderStore, open_store
from kibitz.fleet.lease import LEASE_SECONDS, Lease
from kibitz.training.samples.manifest import MANIFEST, Manifest, Shard, parts_of, write_part

#: Of the driver's time, at most one part in so many goes into writing records, unless they are so old.
_SHARE, _MOST_SECONDS = 20, 2.0


class Ledger:
    """A manifest that grows. `origin` is kept with it; where `strict`, a store with another is refused.
    `wait` and `seconds` are the lease's."""

    def __init__(
        self,
        place: str | os.PathLike[str],
        game: str,
        *,
        origin: Mapping[str, Any] | None = None,
        strict: bool = False,
        wait: bool = False,
        seconds: float = LEASE_SECONDS,
    ) -> None:
        self.store = open_store(place)
        about: dict[str, Any] = json.loads(json.dumps(dict(origin or {})))  # as it is read again
        self._lease = Lease(self.store, wait=wait, seconds=seconds).__enter__()
        try:
            self._new: list[Shard] = []
            self._written, self._cost = 0.0, 0.0
            names = self.store.names()
            self._parts = parts_of(names)
            self._next = 1 + max((int(name[16:22]) for name in self._parts), default=-1)
            if MANIFEST in names:
                self.manifest = Manifest.read(self.store)
            else:
                self.manifest = Manifest(game, about)
                self.manifest.write(self.store)
            if self.manifest.game != game:
                raise BadOption(f"{self.store.place} holds samples of {self.manifest.game}, not of {game}")
            if strict and self.manifest.origin != about:
                was = self.manifest.origin
                differing = [key for key in {**was, **about} if was.get(key) != about.get(key)]
                raise BadOption(
                    f"{self.store.place} holds samples of another run: {', '.join(differing)} differ"
                )
            self._numbers = {shard.number for shard in self.manifest.shards}
            self._remove_strays(names)
        except BaseException:
            self._lease.__exit__()
            raise

    def __contains__(self, number: int) -> bool:
        return number in self._numbers

    @property
    def next_number(self) -> int:
        return max(self._numbers, default=-1) + 1

    @property
    def drivers_before(self) -> int:
        """How many drivers of this run did not end it."""
        return self._lease.term

    def add(self, shard: Shard, *, now: bool = False) -> bool:
        """Count a shard; False where one of its number is counted already. The record is in the store when
        this returns if `now`, else soon: what is lost with this process is made again."""
        if shard.number in self._numbers:
            return False
        self._numbers.add(shard.number)
        self.manifest.shards.append(shard)
        self._new.append(shard)
        if now or time.monotonic() >= self._written + min(_SHARE * self._cost, _MOST_SECONDS):
            self.flush()
        return True

    def flush(self) -> None:
        """Write the records that are not in the store yet."""
        self._lease.check()
        if not self._new:
            return
        began = time.monotonic()
        self._parts.append(write_part(self.store, self._lease.term, self._next, self._new))
        self._next += 1
        self._new = []
        self._written = time.monotonic()
        self._cost = self._written - began

    def close(self) -> None:
        """Make one manifest of the parts, and let the next driver in."""
        try:
            self.flush()
            self.manifest.shards.sort(key=lambda shard: shard.number)
            self.manifest.write(self.store)
            for name in self._parts:
                self.store.remove(name)
        finally:
            self._lease.__exit__()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _remove_strays(self, names: list[str]) -> None:
        known = {shard.name for shard in self.manifest.shards}
        for name in names:
            if name.startswith("shard-") and name not in known:
                self.store.remove(name)
        if isinstance(self.store, FolderStore):
            for draft in Path(self.store.place).glob(f"shard-*{DRAFT}"):
                draft.unlink(missing_ok=True)
