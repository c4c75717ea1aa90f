"""One build at a time in a folder. The lock is the system's, so it is gone when its process is."""

from __future__ import annotations

import sys
from pathlib import Path
from types import TracebackType

from kibitz.errors import BadRequest

__all__ = ["FolderLock"]


class FolderLock:
    """`with FolderLock(folder, wait=False):` refuses, or waits, while another process has the folder."""

    def __init__(self, folder: Path, wait: bool) -> None:
        self.folder = folder
        self.wait = wait

    def __enter__(self) -> None:
        self._file = (self.folder / ".lock").open("ab")
        try:
            _lock(self._file.fileno(), self.wait)
        except OSError:
            self._file.close()
            raise BadRequest(f"{self.folder}: another build is at work here") from None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int, wait: bool) -> None:
        # "Waiting" means ten tries in ten seconds there, which is longer than the small tables take.
        msvcrt.locking(handle, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(handle: int, wait: bool) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
