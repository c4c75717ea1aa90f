"""Tuning a network while nobody uses it, so that no answer waits for it.

One process at a time tunes a network for a board size; others go on with what they have, and find the result
in the cache when they start the next time.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from kibitz.errors import KibitzError
from kibitz.files.folders import cache_folder
from kibitz.nets.tune import Tuning, cache_name, tuned
from kibitz.running.shutdown import NativeWork

if TYPE_CHECKING:
    from kibitz.nets.family import Shape
    from kibitz.nets.runtime import Network

#: How long the network must have been idle before it is measured: a program that asks once and leaves is not
#: held up, and between two moves of a game there is time enough.
QUIET_SECONDS = 1.0
_TICK = 0.1
#: A mark of a process that tunes is no longer believed after so many seconds.
_STALE = 600.0


class _Stopped(Exception):
    pass


class Tuner:
    """A thread that tunes one network for one board size and hands the result to `measured`."""

    def __init__(self, network: Network, shape: Shape, measured: Callable[[Tuning], None]) -> None:
        self._network = network
        self._shape = shape
        self._measured = measured
        self._stop = threading.Event()
        self._work = NativeWork(self._stop.set)
        self._thread = threading.Thread(target=self._run, name="kibitz-tuning", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()

    def join(self, seconds: float) -> bool:
        """Whether the tuning has ended, after waiting up to so many seconds for it."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        with self._work:
            mark = _claim(cache_name(self._network, self._shape))
            if mark is None:
                return
            try:
                best = tuned(self._network, self._shape, pause=self._pause)
                self._measured(best)
            except (_Stopped, KibitzError):  # a network that cannot be run says so when it is asked
                pass
            finally:
                mark.unlink(missing_ok=True)

    def _pause(self) -> Callable[[], bool]:
        """Waits for a quiet network; leaving Python ends the tuning here, before the next measurement."""
        while self._network.usage.idle_seconds < QUIET_SECONDS:
            if self._stop.wait(_TICK):
                raise _Stopped
        if self._stop.is_set():
            raise _Stopped
        begun = self._network.usage.begun
        return lambda: self._network.usage.begun != begun


def _claim(name: str) -> Path | None:
    """Marks that this process tunes; None when another one does."""
    path = cache_folder() / f"{name}.tuning"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and time.time() - path.stat().st_mtime > _STALE:
            path.unlink(missing_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError:  # somebody else's mark, or a folder that cannot be written: then nothing would be kept
        return None
    return path
