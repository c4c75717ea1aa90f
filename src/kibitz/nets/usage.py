"""When a network is in use: what is measured in the background waits for a pause between searches."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator


class Usage:
    """Counts the searches that run with a network. Threads: any may call any method."""

    def __init__(self) -> None:
        #: How many searches have begun.
        self.begun = 0
        self._running = 0
        self._used_until = time.monotonic()
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def search(self) -> Iterator[None]:
        """While a search runs."""
        with self._lock:
            self.begun += 1
            self._running += 1
        try:
            yield
        finally:
            with self._lock:
                self._running -= 1
                self._used_until = time.monotonic()

    @property
    def idle_seconds(self) -> float:
        """Since the last search ended; 0 while one runs."""
        with self._lock:
            return 0.0 if self._running else time.monotonic() - self._used_until
