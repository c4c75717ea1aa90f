"""A UCI engine in this process: commands in, the lines it said out."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from kibitz.protocols.uci.loop import UciEngine


class Talk:
    """`Talk().ask("go nodes 10", until="bestmove")` gives the lines up to that one."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._news = threading.Condition()
        self.engine = UciEngine(self._hear)

    def _hear(self, line: str) -> None:
        with self._news:
            self.lines.append(line)
            self._news.notify_all()

    def tell(self, *commands: str) -> None:
        for command in commands:
            self.engine.handle(command)

    def ask(self, command: str, until: str, seconds: float = 20.0) -> list[str]:
        begun = len(self.lines)
        self.engine.handle(command)
        return self.hear(until, begun, seconds)

    def hear(self, until: str, begun: int = 0, seconds: float = 20.0) -> list[str]:
        def said() -> int | None:
            places = [i for i, line in enumerate(self.lines[begun:], begun) if line.startswith(until)]
            return places[0] if places else None

        with self._news:
            assert self._news.wait_for(lambda: said() is not None, seconds), self.lines[begun:]
            end = said()
            assert end is not None
            return self.lines[begun : end + 1]

    def best(self, command: str, seconds: float = 20.0) -> str:
        return self.ask(command, "bestmove", seconds)[-1].split()[1]

    def close(self) -> None:
        self.engine.handle("quit")


def timed(call: Callable[[], object]) -> float:
    begun = time.monotonic()
    call()
    return time.monotonic() - begun
