"""Files that a task needs, on machines that do not have them: known by their SHA-256, kept in a folder of the
machine, fetched once by whichever worker comes first.

    >>> travelling = Travelling.of("net.pb.gz")                                       # doctest: +SKIP
    >>> travelling.here(fetch)        # where the file lies on this machine            # doctest: +SKIP
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kibitz.errors import BadRequest
from kibitz.files.folders import cache_folder
from kibitz.fleet.lock import lock_file

#: The largest file that travels.
MOST_BYTES = 4 << 30

_STEP = 1 << 20
_DIGEST = re.compile(r"[0-9a-f]{64}")


def digest_of(path: str | os.PathLike[str]) -> str:
    """The SHA-256 of a file."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while chunk := file.read(_STEP):
            digest.update(chunk)
    return digest.hexdigest()


@dataclass(frozen=True)
class Travelling:
    """A file by its content. `path` is where the sender has it."""

    path: str
    name: str
    size: int
    digest: str

    @classmethod
    def of(cls, path: str) -> Travelling:
        file = Path(path)
        size = file.stat().st_size
        if size > MOST_BYTES:
            raise BadRequest(f"{path} has {size:,} bytes; files of more than {MOST_BYTES:,} do not travel")
        return cls(path, file.name, size, digest_of(file))

    def here(self, fetch: Callable[[], bytes]) -> str:
        """Where the file lies on this machine; `fetch` brings what it holds where it does not yet. Workers of
        one machine wait for each other."""
        if not _DIGEST.fullmatch(self.digest) or self.name != Path(self.name).name or self.name in ("", ".."):
            raise BadRequest(f"a file with a bad name or digest was sent: {self.name!r}")
        folder = cache_folder() / "fleet" / self.digest
        target = folder / self.name
        if target.is_file():
            return str(target)
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / ".lock", "wb") as lock:
            lock_file(lock, wait=True)
            if not target.is_file():
                self._store(target, fetch())
        return str(target)

    def _store(self, target: Path, content: bytes) -> None:
        if len(content) != self.size or hashlib.sha256(content).hexdigest() != self.digest:
            raise BadRequest(f"{self.name} did not arrive whole")
        with tempfile.NamedTemporaryFile(dir=target.parent, prefix=".new-", delete=False) as file:
            temporary = Path(file.name)
            try:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise
        temporary.replace(target)
