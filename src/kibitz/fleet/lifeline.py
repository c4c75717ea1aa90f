"""Worker processes end when their parent does, whatever ended it.

Two ways, since each has a gap. The end of the pipe to the parent is seen by the worker's main thread, on
every system, once the worker has started. Linux can also be asked to send a signal, which covers the time
before: loading a network may take long.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def bind_to_parent(parent: int) -> None:
    """End this process with the *thread* of process `parent` that started it (Linux; elsewhere nothing
    happens). So only for children of a main thread, which lives as long as its process."""
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != parent:  # it ended before it could be watched
        os._exit(1)
