"""Another program that plays, spoken to line by line.

    >>> program = Program("rhino", "gtp", "gtp-rhino -b 0")        # doctest: +SKIP
    >>> program.start(); program.send("name")                      # doctest: +SKIP
    >>> next(program.lines("name", seconds=5))                     # doctest: +SKIP
    '= Rhino'

It runs without a shell. A thread of ours does nothing but read its lines, so that a silent program costs a
time limit and not the match. Whatever goes wrong is a `PlayerError`, after which the program has been
ended; a program that ends before its first word is no player at all, and BadOption. Both repeat what it
wrote to its standard error last.
"""

from __future__ import annotations

import contextlib
import os
import queue
import shlex
import shutil
import subprocess
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence

from kibitz.arena.player import PlayerError
from kibitz.errors import BadOption

#: The referee's watch decides about time, so we listen for a little longer than it allows.
ANSWER_SLACK = 0.5

#: Time to obey `quit`, and again to obey SIGTERM.
_QUIT_SECONDS = 1.0

#: From the end of a move's time until a program that did not answer has been ended and reported.
FAILURE_SECONDS = ANSWER_SLACK + 2 * _QUIT_SECONDS

#: The longest line that is read, and the most that wait for us: a program that only babbles must not fill the
#: memory.
_LONGEST_LINE = 1 << 16
_MOST_LINES = 10_000

#: Lines of its standard error that are kept, and seconds to read them after its end.
_LAST_WORDS = 3
_LAST_SECONDS = 0.5


def split_command(kind: str, text: str) -> tuple[list[str], dict[str, str]]:
    """The words of the command line, and the options behind it.

    >>> split_command("uci", "stockfish; Threads=1")
    (['stockfish'], {'Threads': '1'})
    """
    lexer = shlex.shlex(text, posix=True, punctuation_chars=";")
    lexer.whitespace_split = True
    lexer.commenters = ""
    groups: list[list[str]] = [[]]
    try:
        for token in lexer:
            if token and not token.strip(";"):
                groups.append([])
            else:
                groups[-1].append(token)
    except ValueError as error:
        raise BadOption(f"bad player {kind}:{text}: {error}") from None
    words, *settings = groups
    options = {}
    for setting in filter(None, map(" ".join, settings)):
        name, equals, value = (part.strip() for part in setting.partition("="))
        if not name or not equals:
            raise BadOption(
                f"bad player {kind}:{text}: expected NAME=VALUE after a semicolon, got {setting!r}"
            )
        options[name] = value
    return words, options


def find_program(name: str) -> str:
    """The path of a program; Debian's `/usr/games` is searched too, as it is not on every PATH."""
    places = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/games"])
    path = shutil.which(name, path=places)
    if path is None:
        raise BadOption(f"no program {name!r} found; give the full path of the player's program")
    return path


class Program:
    """A program that can be started, and started again after it broke; `name` is for messages. `goodbye` is
    the command that ends it."""

    def __init__(self, name: str, command: Sequence[str], goodbye: str = "quit") -> None:
        self.name = name
        self._command = [find_program(command[0]), *command[1:]]
        self._goodbye = goodbye
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._errors: deque[str] = deque(maxlen=_LAST_WORDS)
        self._readers: list[threading.Thread] = []
        #: Whether it ever said anything.
        self._spoke = False

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
                stderr=subprocess.PIPE,
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
        self._errors = deque(maxlen=_LAST_WORDS)
        self._readers = [
            threading.Thread(target=_read, args=(self._process, self._lines), daemon=True),
            threading.Thread(target=_read_errors, args=(self._process, self._errors), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def send(self, command: str) -> None:
        process = self._process
        if process is None or process.stdin is None:
            raise PlayerError(f"{self.name} is not running")
        try:
            process.stdin.write(command + "\n")
            process.stdin.flush()
        except (OSError, ValueError) as error:
            self.close()
            raise self._ended(f"before {_short(command)}") from error

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
                    f"{self.name} gave no answer to {_short(question)} in {seconds:.4g} s", "timeout"
                ) from None
            if line is None:
                self.close()
                raise self._ended(f"at {_short(question)}")
            self._spoke = True
            yield line

    def _ended(self, when: str) -> PlayerError | BadOption:
        for reader in self._readers:
            reader.join(_LAST_SECONDS)
        words = " ".join(self._errors)[-200:]
        text = f"{self.name} ended {when}" + (f"; its last words: {words}" if words else "")
        return PlayerError(text) if self._spoke else BadOption(text)

    def forget(self) -> None:
        """Drop what it said that nobody asked for."""
        with contextlib.suppress(queue.Empty):
            while self._lines.get_nowait() is not None:
                pass
            self._lines.put(None)  # it has ended: whoever asks next is to know

    def close(self) -> None:
        """Asks it to quit, then makes it."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            if self._goodbye:
                process.stdin.write(self._goodbye + "\n")
        with contextlib.suppress(OSError):
            process.stdin.close()
        for end in (process.terminate, process.kill):
            try:
                process.wait(_QUIT_SECONDS)
                return
            except subprocess.TimeoutExpired:
                end()
        process.wait()

    def kill(self) -> None:
        """Ends it at once."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            assert process.stdin is not None
            with contextlib.suppress(OSError):
                process.stdin.close()


class ProgramPlayer:
    """A player that is a program; its protocol is its subclass's."""

    def __init__(self, name: str, program: Program) -> None:
        self.name = name
        self._program = program

    def close(self) -> None:
        self._program.close()

    def kill(self) -> None:
        """As `close`, without waiting for the program."""
        self._program.kill()


def _short(command: str) -> str:
    return repr(command if len(command) <= 60 else command[:57] + "...")


def _read(process: subprocess.Popen[str], lines: queue.SimpleQueue[str | None]) -> None:
    """Hands on each line; None says that the program has ended."""
    assert process.stdout is not None
    with contextlib.suppress(OSError, ValueError), process.stdout as out:
        while line := out.readline(_LONGEST_LINE):
            text = _printable(line)
            if lines.qsize() >= _MOST_LINES:
                with contextlib.suppress(queue.Empty):
                    lines.get_nowait()
            lines.put(text)
    lines.put(None)


def _read_errors(process: subprocess.Popen[str], kept: deque[str]) -> None:
    """Keeps the last lines that are not empty."""
    assert process.stderr is not None
    with contextlib.suppress(OSError, ValueError), process.stderr as errors:
        while line := errors.readline(_LONGEST_LINE):
            if text := _printable(line):
                kept.append(text)


def _printable(line: str) -> str:
    """Control characters are to be dropped, says GTP, and no protocol has a use for them; a tab counts as a
    space."""
    return "".join(c for c in line.replace("\t", " ") if c.isprintable()).strip()
