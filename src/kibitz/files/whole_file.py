"""Files that have their name only when they are whole: a kill or a full disk leaves the former one."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from kibitz.errors import BadRecord


@contextmanager
def naming(path: Path | str) -> Iterator[None]:
    """Names the file in errors that do not name it, such as a full disk."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


@contextmanager
def whole_file(path: Path, *, shared: bool = False) -> Iterator[IO[bytes]]:
    """A file to be written by one process at a time, or by several if `shared`: the last one stays. After the
    block it is on the disk, by its name."""
    unique = f".{os.urandom(4).hex()}" if shared else ""
    draft = path.with_name(f"{path.name}{unique}.tmp")
    try:
        with naming(path), draft.open("wb") as file:
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


def write_json(path: Path, value: Mapping[str, Any]) -> None:
    """A JSON object as a whole file."""
    write_whole(path, (json.dumps(value, indent=1, sort_keys=True) + "\n").encode())


def read_json(path: Path) -> dict[str, Any]:
    """The JSON object of a file of ours; BadRecord names a file that holds none."""
    try:
        value = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise BadRecord(f"{path}: not JSON ({error})") from None
    if not isinstance(value, dict):
        raise BadRecord(f"{path}: expected a JSON object")
    return value
