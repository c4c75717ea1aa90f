"""Files that have their name only when they are whole: a kill or a full disk leaves the former one."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

__all__ = ["whole_file", "write_whole"]


@contextmanager
def whole_file(path: Path, *, shared: bool = False) -> Iterator[IO[bytes]]:
    """A file to be written by one process at a time, or by several if `shared`: the last one stays. After the
    block it is on the disk, by its name."""
    unique = f".{secrets.token_hex(4)}" if shared else ""
    draft = path.with_name(f"{path.name}{unique}.tmp")
    try:
        with draft.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def write_whole(path: Path, data: bytes, *, shared: bool = False) -> None:
    with whole_file(path, shared=shared) as file:
        file.write(data)
