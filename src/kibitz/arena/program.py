"""Another program that plays, spoken to line by line.

    >>> program = Program("rhino", ["gtp-rhino", "-b", "0"])       # doctest: +SKIP
    >>> program.start(); program.send("name")                      # doctest: +SKIP
    >>> next(program.lines("name", seconds=5))                     # doctest: +SKIP
    '= Rhino'

It runs without a shell. A thread of ours does nothing but read its lines, so that a silent program costs a
time limit and not the match. Whatever goes wrong is a `PlayerError`, after which the program has been ended.
"""

from __future__ import annotations

import contextlib
import queue
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence

from kibitz.arena.player import PlayerError

__all__ = ["Program"]

_QUIT_SECONDS = 1.0


class Program:
    """A program that can be started, and started again after it broke; `name` is for messages."""

    def __init__(self, name: str, command: Sequence[str]) -> None:
        self.name = name
        self._command = list(command)
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        self.close()
        try:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
                errors="replace",
                bufsize=1,
                # A session of its own: Ctrl-C is for the match, which then ends its programs in good order.
                start_new_session=True,
            )
        except OSError as error:
            raise PlayerError(f"{self.name} cannot be started: {error.strerror or error}") from error
        self._lines = queue.SimpleQueue()
        threading.Thread(target=_read, args=(self._process, self._lines), daemon=True).start()

    def send(self, command: str) -> None:
        process = self._process
        if process is None or process.stdin is None:
            raise PlayerError(f"{self.name} is not running")
        try:
            process.stdin.write(command + "\n")
            process.stdin.flush()
        except (OSError, ValueError) as error:
            self.close()
            raise PlayerError(f"{self.name} ended before {command!r}") from error

    def lines(self, question: str, seconds: float) -> Iterator[str]:
        """The lines that come, stripped, for so many seconds in all. Whoever asks stops when the answer is
        whole; `question` is for messages."""
        end = time.monotonic() + seconds
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                self.close()
                raise PlayerError(
                    f"{self.name} gave no answer to {question!r} in {seconds:g} s", "timeout"
                ) from None
            if line is None:
                self.close()
                raise PlayerError(f"{self.name} ended at {question!r}")
            yield line

    def close(self) -> None:
        """Asks it to quit, then makes it."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            process.stdin.write("quit\n")
        with contextlib.suppress(OSError):
            process.stdin.close()
        for end in (process.terminate, process.kill):
            try:
                process.wait(_QUIT_SECONDS)
                return
            except subprocess.TimeoutExpired:
                end()
        process.wait()


def _read(process: subprocess.Popen[str], lines: queue.SimpleQueue[str | None]) -> None:
    """Hands on each line; None says that the program has ended."""
    assert process.stdout is not None
    with contextlib.suppress(OSError, ValueError), process.stdout as out:
        for line in out:
            # Control characters are to be dropped, says GTP, and no protocol has a use for them; a tab counts
            # as a space.
            lines.put("".join(c for c in line.replace("\t", " ") if c.isprintable()).strip())
    lines.put(None)
