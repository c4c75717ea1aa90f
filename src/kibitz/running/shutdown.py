"""Stop native searches before the interpreter exits.

A thread that returns from native code after the interpreter has begun to finalize aborts the process (exit
code 134). So whoever waits for native work does it inside a `NativeWork`, and an atexit handler, which runs
after Python has joined its non-daemon threads, stops and closes each of them.

>>> work = NativeWork(stop=lambda: None)
>>> with work:
...     pass  # wait for the native work
"""

from __future__ import annotations

import atexit
import contextlib
import threading
import time
import weakref
from collections.abc import Callable

#: Seconds between two calls of `stop`: one that came before the work had started was not noticed.
_TICK = 0.05

#: Seconds after which the exit does not wait any longer.
_PATIENCE = 20.0


class NativeWork:
    """A lock around waiting for native work; one thread waits at a time. `stop` ends the work from any
    thread; `finish`, called at exit when no thread waits, ends work that runs on without a Python thread."""

    def __init__(self, stop: Callable[[], object], finish: Callable[[], object] | None = None) -> None:
        self._stop = stop
        self._finish = finish
        # Reentrant: at exit the main thread holds it and may still have generators to close.
        self._lock = threading.RLock()
        with _registering:
            _all_work.add(self)

    def __enter__(self) -> None:
        held = getattr(_thread, "held", 0)
        if _exiting.is_set() and not held and threading.current_thread() is not threading.main_thread():
            threading.Event().wait()  # too late to begin; the process ends meanwhile
        self._lock.acquire()
        _thread.held = held + 1

    def __exit__(self, *_: object) -> None:
        _thread.held -= 1
        self._lock.release()

    def close(self, deadline: float) -> None:
        """Stops the work, waits for the thread inside, and admits no thread but the calling one from then
        on."""
        while not self._lock.acquire(timeout=_TICK):
            self._stop()
            if time.monotonic() > deadline:
                return
        if self._finish is not None:
            self._finish()


_all_work: weakref.WeakSet[NativeWork] = weakref.WeakSet()
#: Held while `_all_work` grows or is read: a set that grows cannot be iterated over.
_registering = threading.Lock()
_exiting = threading.Event()
#: `held`: how many `NativeWork` locks this thread holds.
_thread = threading.local()


@atexit.register
def _close_all() -> None:
    _exiting.set()
    deadline = time.monotonic() + _PATIENCE
    with _registering:
        every = list(_all_work)
    for work in every:
        with contextlib.suppress(Exception):  # the work's own error concerns its caller, not the exit
            work.close(deadline)
