"""SIGTERM as an interruption that a run can end well: keep what is done, end the workers, say so.

>>> with on_termination() as received:                                            # doctest: +SKIP
...     play()
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from typing import NoReturn


class Terminated(KeyboardInterrupt):
    """The process was asked to end by SIGTERM or because its terminal was closed."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


@contextlib.contextmanager
def on_termination() -> Iterator[list[int]]:
    """SIGTERM and SIGHUP raise Terminated in the main thread while this is on; the list says which came.
    Signals that are ignored (nohup) stay so. In other threads nothing happens."""
    received: list[int] = []

    def raise_it(number: int, _: object) -> NoReturn:
        received.append(number)
        raise Terminated(number)

    before = {}
    if threading.current_thread() is threading.main_thread():
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)  # Windows has no SIGHUP
            if number is not None and signal.getsignal(number) is signal.SIG_DFL:
                before[number] = signal.signal(number, raise_it)
    try:
        yield received
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
