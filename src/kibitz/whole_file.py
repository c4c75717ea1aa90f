"""Files that have their name only when they are whole: a kill or a full disk leaves the former one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

__all__ = ["whole_file", "write_whole"]


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """A file to be written by one process at a time; after the block it is on the disk, by its name."""
    draft = path.with_name(path.name + ".tmp")
    with draft.open("wb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def write_whole(path: Path, data: bytes) -> None:
    with whole_file(path) as file:
        file.write(data)
