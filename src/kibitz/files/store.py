"""Where a run keeps what it makes: a folder of this machine, a shared one, or any URL that pyarrow's file
systems know (`s3://bucket/run`, `gs://...`). Names are flat: a store has files and no folders.

    >>> import tempfile
    >>> store = open_store(tempfile.mkdtemp())
    >>> store.write("a.txt", b"1")
    >>> store.names(), store.read("a.txt"), store.create("a.txt", b"2")
    (['a.txt'], b'1', False)

A file is there whole or not at all. A folder needs no pyarrow: files are written under another name, synced
and renamed. An object store shows an object when its upload has ended; other file systems are written under
another name and moved.

Threads: a store may be used from any number of them, and from any number of processes and machines.
"""

from __future__ import annotations

import os
import secrets
import time
from pathlib import Path
from typing import Any, Protocol

from kibitz.errors import BadOption, NotInstalled
from kibitz.files.whole_file import naming, write_whole

#: File systems whose files appear when they are whole.
_OBJECT_STORES = ("s3", "gcs", "abfs")

#: Seconds in which a write of another machine is certainly seen (`create` where a store cannot refuse), more
#: than the resolution of a store's clock; and after which a claim is of somebody who died.
SETTLE_SECONDS, _CLAIM_SECONDS = 2.0, 60.0
_CLAIM = ".claim-"

#: Names that are being written.
DRAFT = ".tmp"


class Store(Protocol):
    """Files of one run."""

    place: str
    """What `open_store` takes on another machine that sees the same store."""

    def names(self) -> list[str]:
        """The files that are whole, in the order of their names."""

    def read(self, name: str) -> bytes:
        """What a file holds; FileNotFoundError where there is none."""

    def write(self, name: str, data: bytes) -> None:
        """Write a file whole, in place of one that is there."""

    def create(self, name: str, data: bytes) -> bool:
        """Write a file unless there is one; of several that try at once one gets True."""

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""

    def parquet(self, name: str) -> tuple[Any, str]:
        """pyarrow's file system (None: this machine's) and the path of a file in it."""


def open_store(place: str | os.PathLike[str]) -> Store:
    """The store at a path or URL. Nothing is written yet."""
    text = os.fspath(place)
    if "://" not in text:
        return FolderStore(text)
    if text.startswith("file://"):
        return FolderStore(text.removeprefix("file://"))
    return ArrowStore(text)


class FolderStore:
    """A folder, of this machine or shared."""

    def __init__(self, place: str) -> None:
        self.place = str(Path(place).absolute())
        self._folder = Path(self.place)

    def names(self) -> list[str]:
        if not self._folder.is_dir():
            return []
        with os.scandir(self._folder) as entries:
            return sorted(one.name for one in entries if one.is_file() and not one.name.endswith(DRAFT))

    def read(self, name: str) -> bytes:
        return (self._folder / name).read_bytes()

    def write(self, name: str, data: bytes) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        write_whole(self._folder / name, data, shared=True)

    def create(self, name: str, data: bytes) -> bool:
        self._folder.mkdir(parents=True, exist_ok=True)
        draft = self._folder / f"{name}.{secrets.token_hex(4)}{DRAFT}"
        with naming(draft):
            draft.write_bytes(data)
        try:
            os.link(draft, self._folder / name)  # whole from the first moment, and refused where it is there
        except FileExistsError:
            return False
        finally:
            draft.unlink()
        return True

    def remove(self, name: str) -> None:
        (self._folder / name).unlink(missing_ok=True)

    def parquet(self, name: str) -> tuple[Any, str]:
        return None, str(self._folder / name)


class ArrowStore:
    """A file system of pyarrow's."""

    def __init__(self, place: str) -> None:
        try:
            from pyarrow import fs
        except ImportError:
            raise NotInstalled("pyarrow", place) from None
        self.place = place
        self._fs = fs
        try:
            self._system, self._root = fs.FileSystem.from_uri(place)
        except (ValueError, OSError, NotImplementedError) as error:
            raise BadOption(f"{place.partition('?')[0]}: {str(error).splitlines()[0]}") from None
        self._whole = self._system.type_name in _OBJECT_STORES

    def __reduce__(self) -> Any:
        return ArrowStore, (self.place,)

    def names(self) -> list[str]:
        selector = self._fs.FileSelector(self._root, allow_not_found=True)
        found = self._system.get_file_info(selector)
        return sorted(item.base_name for item in found if item.is_file and not item.base_name.endswith(DRAFT))

    def read(self, name: str) -> bytes:
        with self._system.open_input_stream(self._path(name)) as stream:
            return bytes(stream.read())

    def write(self, name: str, data: bytes) -> None:
        target = self._path(name)
        draft = target if self._whole else f"{target}.{secrets.token_hex(4)}{DRAFT}"
        if not self._whole:
            self._system.create_dir(self._root)
        with self._system.open_output_stream(draft, compression=None) as stream:
            stream.write(data)
        if not self._whole:
            self._system.move(draft, target)

    def create(self, name: str, data: bytes) -> bool:
        """pyarrow cannot ask a store to refuse a name that is taken. So all who want it write a claim first,
        and the oldest claim by the store's clock has the name; all see the same claims a moment later."""
        claim = f"{name}{_CLAIM}{secrets.token_hex(8)}"
        if name in self._listed():
            return False
        self.write(claim, b"")
        try:
            time.sleep(SETTLE_SECONDS)
            found = self._listed()
            own = found[claim]
            claims = [
                (at, one)
                for one, at in found.items()
                if one.startswith(name + _CLAIM) and (own - at).total_seconds() < _CLAIM_SECONDS
            ]
            if name in found or min(claims)[1] != claim:
                return False
            self.write(name, data)
            return True
        finally:
            self.remove(claim)

    def _listed(self) -> dict[str, Any]:
        """The names, and when the store says they were written."""
        found = self._system.get_file_info(self._fs.FileSelector(self._root, allow_not_found=True))
        return {item.base_name: item.mtime for item in found if item.is_file}

    def remove(self, name: str) -> None:
        if self._system.get_file_info(self._path(name)).is_file:
            self._system.delete_file(self._path(name))

    def parquet(self, name: str) -> tuple[Any, str]:
        return self._system, self._path(name)

    def _path(self, name: str) -> str:
        return f"{self._root}/{name}"
