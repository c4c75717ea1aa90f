"""The streams of the protocols that are spoken over a pipe: bytes in, lines out.

Every loop reads through `lines_of` and writes through `Output`, so that bytes that are no UTF-8, lines
without an end and a client that went away are met in one place.

>>> [text_of(line) for line in lines_of(io.BytesIO(b"name\\nplay b \\xff\\n"))]
['name', 'play b \ufffd']
"""

from __future__ import annotations

import contextlib
import io
import os
import threading
from collections.abc import Callable, Iterator
from typing import IO

#: Bytes of a line that are kept. A game of 10,000 moves needs a tenth of it.
LONGEST_LINE = 2**20
_CHUNK = 2**16


def lines_of(source: IO[bytes], longest: int = LONGEST_LINE) -> Iterator[bytes]:
    """Lines without their ends, as they come. Of a longer line the first `longest + 1` bytes are given, so
    that its length shows it, and the rest is read and dropped."""
    read = _reader(source)
    line = bytearray()
    while chunk := read():
        *ends, rest = chunk.split(b"\n")
        for part in ends:
            line += part[: longest + 1 - len(line)]
            yield bytes(line).removesuffix(b"\r")
            line.clear()
        line += rest[: longest + 1 - len(line)]
    if line:
        yield bytes(line)


def _reader(source: IO[bytes]) -> Callable[[], bytes]:
    try:
        number = source.fileno()
    except (OSError, AttributeError, io.UnsupportedOperation):
        return lambda: source.read(_CHUNK)
    # Not through the buffered stream: a thread that waits inside it when the program ends makes Python abort.
    return lambda: os.read(number, _CHUNK)


def text_of(line: bytes) -> str:
    """A line as text: UTF-8, and U+FFFD for bytes that are none."""
    return line.decode("utf-8", "replace")


class Output:
    """Lines to the client, from any thread. Once nobody reads them any more they go nowhere, and `gone` has
    been called."""

    def __init__(self, stream: IO[str], gone: Callable[[], None] = lambda: None) -> None:
        self._stream = stream
        self._gone = gone
        self._lock = threading.Lock()
        self.closed = False

    def say(self, line: str) -> None:
        with self._lock:
            if self.closed:
                return
            try:
                self._stream.write(line + "\n")
                self._stream.flush()
                return
            except UnicodeEncodeError:  # a stream that cannot say it, and has no error handler
                safe = line.encode("ascii", "backslashreplace").decode("ascii")
                self._stream.write(safe + "\n")
                self._stream.flush()
                return
            except (OSError, ValueError):
                self.closed = True
            with contextlib.suppress(OSError, ValueError, AttributeError, io.UnsupportedOperation):
                # What is still in the buffer must not fail again when Python closes the stream.
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, self._stream.fileno())
                os.close(nowhere)
        self._gone()


def unforeseen(error: BaseException) -> str:
    """One line for an error that no code expected, for the last handler of a loop."""
    text = " ".join(str(error).split())
    return f"internal error: {type(error).__name__}: {text[:200]}" if text else f"internal error: {error!r}"
