"""The manifest of a store of shards: which files belong to it, and their check sums.

A shard counts once the manifest names it; a file that it does not name is not read. While a run is under way
(ledger.py) the manifest is `manifest.json` and the parts `manifest-*.json` that were added since; a shard
that two parts name counts once, by its number.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from kibitz.errors import BadRecord
from kibitz.files.store import Store, open_store
from kibitz.training.samples.schema import VERSION

MANIFEST = "manifest.json"
_FORMAT = "kibitz-samples"
_MOST_MANIFEST = 256 * 2**20
_NAME = re.compile(r"shard-(\d{6,})(-[0-9a-f]{12})?\.parquet")
_PART = re.compile(r"manifest-\d{6}-\d{6}\.json")


@dataclass(frozen=True)
class Shard:
    """A file of samples."""

    name: str
    sha256: str
    bytes: int
    games: int
    positions: int
    #: The generations of its games.
    first_generation: int
    last_generation: int
    #: The number of its first game, where games have numbers: it has `games` of them from there on.
    first_game: int | None = None
    #: What became of the games, as counts.
    outcome: Mapping[str, int] = field(default_factory=dict)

    @property
    def number(self) -> int:
        return int(self.name.split("-")[1].partition(".")[0])

    def to_dict(self) -> dict[str, Any]:
        fields = asdict(self)
        if self.first_game is None:
            del fields["first_game"], fields["outcome"]
        return fields


@dataclass
class Manifest:
    """What a store of samples holds."""

    game: str
    #: What made the samples: settings, teacher, commit.
    origin: dict[str, Any] = field(default_factory=dict)
    shards: list[Shard] = field(default_factory=list)

    @property
    def positions(self) -> int:
        return sum(shard.positions for shard in self.shards)

    @property
    def games(self) -> int:
        return sum(shard.games for shard in self.shards)

    @property
    def digest(self) -> str:
        """SHA-256 over the shards' check sums: a name of the data."""
        return hashlib.sha256("\n".join(shard.sha256 for shard in self.shards).encode()).hexdigest()

    @classmethod
    def read(cls, place: str | os.PathLike[str] | Store) -> Manifest:
        store = open_store(place) if isinstance(place, (str, os.PathLike)) else place
        names = store.names()
        if MANIFEST not in names:
            raise BadRecord(f"{store.place}: no samples there ({MANIFEST} is missing)")
        data = _read(store, MANIFEST)
        parts = [_read(store, name) for name in parts_of(names)]
        try:
            made = cls(str(data["game"]), dict(data["origin"]))
            by_number: dict[int, Shard] = {}
            for part in (data, *parts):
                for fields in part["shards"]:
                    if not _NAME.fullmatch(fields["name"]):
                        raise BadRecord(f"{store.place}: {fields['name']!r} is no name of a shard")
                    shard = Shard(**fields)
                    by_number.setdefault(shard.number, shard)
        except (KeyError, TypeError, ValueError) as error:
            if isinstance(error, BadRecord):
                raise
            raise BadRecord(f"{store.place}: damaged manifest ({error})") from None
        made.shards = [by_number[number] for number in sorted(by_number)]
        return made

    def write(self, place: str | os.PathLike[str] | Store) -> None:
        store = open_store(place) if isinstance(place, (str, os.PathLike)) else place
        fields = {
            "format": _FORMAT,
            "version": VERSION,
            "game": self.game,
            "origin": self.origin,
            "positions": self.positions,
            "games": self.games,
            "shards": [shard.to_dict() for shard in self.shards],
        }
        store.write(MANIFEST, (json.dumps(fields, indent=1) + "\n").encode())

    def verify(self, place: str | os.PathLike[str]) -> None:
        """Reads every shard and compares the check sums; BadRecord names the first that is damaged."""
        store = open_store(place)
        for shard in self.shards:
            try:
                data = store.read(shard.name)
            except FileNotFoundError:
                raise BadRecord(f"{store.place}/{shard.name}: the shard is missing") from None
            if hashlib.sha256(data).hexdigest() != shard.sha256:
                raise BadRecord(f"{store.place}/{shard.name}: the check sum is wrong; the shard is damaged")


def parts_of(names: Iterable[str]) -> list[str]:
    """The parts of a manifest, in their order."""
    return sorted(name for name in names if _PART.fullmatch(name))


def write_part(store: Store, term: int, number: int, shards: Iterable[Shard]) -> str:
    """Add shards to a manifest; `term` is the driver's (fleet/lease.py): no two write the same part."""
    name = f"manifest-{term:06d}-{number:06d}.json"
    fields = {"format": _FORMAT, "version": VERSION, "shards": [shard.to_dict() for shard in shards]}
    store.write(name, json.dumps(fields).encode())
    return name


def _read(store: Store, name: str) -> dict[str, Any]:
    data = store.read(name)
    if len(data) > _MOST_MANIFEST:
        raise BadRecord(f"{store.place}/{name}: a manifest of {len(data):,} bytes is not read")
    try:
        fields = json.loads(data)
        if fields["format"] != _FORMAT:
            raise BadRecord(f"{store.place}/{name}: not a manifest of samples")
        if fields["version"] != VERSION:
            raise BadRecord(
                f"{store.place}/{name}: version {fields['version']!r} of the format, expected {VERSION}"
            )
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        if isinstance(error, BadRecord):
            raise
        raise BadRecord(f"{store.place}/{name}: damaged manifest ({error})") from None
    return dict(fields)
