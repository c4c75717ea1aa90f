"""The manifest of a folder of shards: which files belong to it, and their check sums.

A shard counts once the manifest names it. Both are written under another name, synced and renamed, so that a
kill leaves the folder as it was before the shard under way.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from kibitz.errors import BadRecord
from kibitz.files.limits import read_file
from kibitz.files.whole_file import write_whole
from kibitz.training.samples.schema import VERSION

MANIFEST = "manifest.json"
_FORMAT = "kibitz-samples"
_MOST_MANIFEST = 256 * 2**20
_STEP = 1 << 20


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


@dataclass
class Manifest:
    """What a folder of samples holds."""

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
    def read(cls, folder: str | os.PathLike[str]) -> Manifest:
        path = Path(folder) / MANIFEST
        if not path.is_file():
            raise BadRecord(f"{folder}: no samples there ({MANIFEST} is missing)")
        try:
            data = json.loads(read_file(path, _MOST_MANIFEST))
            if data["format"] != _FORMAT:
                raise BadRecord(f"{path}: not a manifest of samples")
            if data["version"] != VERSION:
                raise BadRecord(f"{path}: version {data['version']!r} of the format, expected {VERSION}")
            shards = [Shard(**fields) for fields in data["shards"]]
            made = cls(str(data["game"]), dict(data["origin"]), shards)
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            if isinstance(error, BadRecord):
                raise
            raise BadRecord(f"{path}: damaged manifest ({error})") from None
        for shard in made.shards:
            if Path(shard.name).name != shard.name or shard.name.startswith("."):
                raise BadRecord(f"{path}: {shard.name!r} is no name of a shard")
        return made

    def write(self, folder: Path) -> None:
        fields = {
            "format": _FORMAT,
            "version": VERSION,
            "game": self.game,
            "origin": self.origin,
            "positions": self.positions,
            "games": self.games,
            "shards": [asdict(shard) for shard in self.shards],
        }
        write_whole(folder / MANIFEST, (json.dumps(fields, indent=1) + "\n").encode())

    def verify(self, folder: str | os.PathLike[str]) -> None:
        """Reads every shard and compares the check sums; BadRecord names the first that is damaged."""
        for shard in self.shards:
            path = Path(folder) / shard.name
            if not path.is_file():
                raise BadRecord(f"{path}: the shard is missing")
            if digest_of(path) != shard.sha256:
                raise BadRecord(f"{path}: the check sum is wrong; the shard is damaged")


def digest_of(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while part := file.read(_STEP):
            digest.update(part)
    return digest.hexdigest()
