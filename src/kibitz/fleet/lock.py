"""Locks of the system's, which are gone when their process is."""

from __future__ import annotations

import sys
from typing import BinaryIO

if sys.platform == "win32":
    import msvcrt
    import os

    #: Far behind what any file holds: a locked part of a file cannot be read by others there.
    _PLACE = 1 << 40

    def lock_file(file: BinaryIO, wait: bool = False) -> bool:
        """Lock an open file until it is closed; False when another process has it."""
        handle = file.fileno()
        before = os.lseek(handle, 0, os.SEEK_CUR)
        os.lseek(handle, _PLACE, os.SEEK_SET)
        try:
            # "Waiting" means ten tries in ten seconds there.
            msvcrt.locking(handle, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(handle, before, os.SEEK_SET)
        return True

else:
    import fcntl

    def lock_file(file: BinaryIO, wait: bool = False) -> bool:
        """Lock an open file until it is closed; False when another process has it."""
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except OSError:
            return False
        return True
