"""One build at a time in a folder. The lock is the system's, so it is gone when its process is."""

from __future__ import annotations

from pathlib import Path

from kibitz.errors import BadRequest
from kibitz.fleet.lock import lock_file


class FolderLock:
    """`with FolderLock(folder, wait=False):` refuses, or waits, while another process has the folder."""

    def __init__(self, folder: Path, wait: bool) -> None:
        self.folder = folder
        self.wait = wait

    def __enter__(self) -> None:
        self._file = (self.folder / ".lock").open("ab")
        if not lock_file(self._file, self.wait):
            self._file.close()
            raise BadRequest(f"{self.folder}: another build is at work here")

    def __exit__(self, *_: object) -> None:
        self._file.close()
