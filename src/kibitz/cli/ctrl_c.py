"""Ctrl-C that ends a search and keeps what it knows."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator

from kibitz.engine import Engine


@contextlib.contextmanager
def stopped_by_ctrl_c(engine: Engine) -> Iterator[None]:
    """While this is on, the first Ctrl-C ends the search, which then gives its final report. The second one
    is an interrupt as usual."""
    before = signal.getsignal(signal.SIGINT)

    def stop(*_: object) -> None:
        signal.signal(signal.SIGINT, before)
        # By a thread: the interrupted one may hold the engine's lock.
        threading.Thread(target=engine.stop, daemon=True).start()

    in_main = threading.current_thread() is threading.main_thread()
    if in_main:
        signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        if in_main:
            signal.signal(signal.SIGINT, before)
