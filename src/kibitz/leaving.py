"""Leaving Python while the native core still works: what runs is stopped first, on whatever thread.

A thread that comes back from native work when the interpreter is already going ends the process with an abort
(exit code 134). So whoever waits for native work does it inside a `Station`, and at exit, when Python has
joined the threads that it joins, each station is asked to stop and closed for good.

>>> station = Station(stop=lambda: None)
>>> with station:
...     pass  # wait for native work
"""

from __future__ import annotations

import atexit
import contextlib
import threading
import time
import weakref
from collections.abc import Callable

__all__ = ["Station"]

#: Seconds between two calls of `stop`: one that came too early was not heard.
_TICK = 0.05

#: Seconds after which leaving does not wait any longer.
_PATIENCE = 20.0


class Station:
    """Where threads wait for native work, one at a time. `stop` ends that work from any thread; `settle` is
    called at exit when nobody is inside, for work that goes on without a thread of Python's."""

    def __init__(self, stop: Callable[[], object], settle: Callable[[], object] | None = None) -> None:
        self._stop = stop
        self._settle = settle
        # Reentrant: at exit the main thread has it and may still have generators to close.
        self._lock = threading.RLock()
        _stations.add(self)

    def __enter__(self) -> None:
        inside = getattr(_thread, "inside", 0)
        if _left.is_set() and not inside and threading.current_thread() is not threading.main_thread():
            threading.Event().wait()  # too late to begin; the process ends meanwhile
        self._lock.acquire()
        _thread.inside = inside + 1

    def __exit__(self, *_: object) -> None:
        _thread.inside -= 1
        self._lock.release()

    def close(self, until: float) -> None:
        """Stops the work, waits for who is inside, and lets nobody in any more but the calling thread."""
        while not self._lock.acquire(timeout=_TICK):
            self._stop()
            if time.monotonic() > until:
                return
        if self._settle is not None:
            self._settle()


_stations: weakref.WeakSet[Station] = weakref.WeakSet()
_left = threading.Event()
#: `inside`: how many stations this thread is in.
_thread = threading.local()


@atexit.register
def _leave() -> None:
    _left.set()
    until = time.monotonic() + _PATIENCE
    for station in list(_stations):
        with contextlib.suppress(Exception):  # an error of the work was its reader's affair
            station.close(until)
