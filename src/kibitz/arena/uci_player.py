"""A player that is another chess program, spoken to in UCI.

    >>> player = UciPlayer(ChessPosition, "stockfish; Skill Level=3; Threads=1")      # doctest: +SKIP
    >>> player.new_game(seed=1)                                                       # doctest: +SKIP
    >>> player.choose(ChessPosition(), Limit(seconds=0.1))                            # doctest: +SKIP
    'e2e4'

The command line comes first, options as NAME=VALUE after semicolons. Simulations and visits become
`go nodes`, seconds `go movetime`. The program runs without a shell; a thread of
ours does nothing but read its answers.
"""

from __future__ import annotations

import contextlib
import queue
import shlex
import subprocess
import threading
import time
from typing import TYPE_CHECKING

from kibitz.arena.player import Limit, PlayerError, find_program
from kibitz.errors import BadOption

if TYPE_CHECKING:
    from collections.abc import Callable

    from kibitz.games.base import Position

__all__ = ["UciPlayer", "split_command"]

_START_SECONDS = 20.0
_QUIT_SECONDS = 1.0


def split_command(text: str) -> tuple[list[str], dict[str, str]]:
    """The words of the command line, and the options behind it.

    >>> split_command("stockfish; Threads=1")
    (['stockfish'], {'Threads': '1'})
    """
    lexer = shlex.shlex(text, posix=True, punctuation_chars=";")
    lexer.whitespace_split = True
    lexer.commenters = ""
    groups: list[list[str]] = [[]]
    try:
        for token in lexer:
            if token.strip(";"):
                groups[-1].append(token)
            else:
                groups.append([])
    except ValueError as error:
        raise BadOption(f"bad player uci:{text}: {error}") from None
    words, *settings = groups
    options = {}
    for setting in filter(None, map(" ".join, settings)):
        name, equals, value = (part.strip() for part in setting.partition("="))
        if not name or not equals:
            raise BadOption(f"bad player uci:{text}: expected NAME=VALUE after a semicolon, got {setting!r}")
        options[name] = value
    return words, options


class UciPlayer:
    """Any UCI program; it is started with the first game, and again after it broke."""

    def __init__(
        self,
        game: type[Position],
        command: str,
        *,
        move_timeout: float = 60.0,
        name: str | None = None,
    ) -> None:
        if game.game != "chess":
            raise BadOption(f"a UCI program plays chess, not {game.game}")
        words, self._options = split_command(command)
        self.name = name or f"uci:{command}"
        self._command = [find_program(words[0]), *words[1:]]
        self._move_timeout = move_timeout
        self._program: subprocess.Popen[str] | None = None
        self._answers: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    def new_game(self, seed: int) -> None:
        """A new game; UCI has no random seed, so `seed` is not used."""
        if self._program is None or self._program.poll() is not None:
            self._start()
        self._send("ucinewgame")
        self._ready()

    def choose(self, position: Position, limit: Limit) -> str:
        notation = position.start.notation
        moves = " ".join(position.moves)
        self._send(f"position fen {notation}" + (f" moves {moves}" if moves else ""))
        self._send("go " + _go_words(limit))
        answer = self._await("its move", self._move_timeout, lambda line: line.startswith("bestmove"))
        words = answer.split()
        if len(words) < 2:
            raise PlayerError(f"{self.name} gave no move: {answer!r}", "protocol")
        return words[1]

    def close(self) -> None:
        program, self._program = self._program, None
        if program is None:
            return
        assert program.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            program.stdin.write("quit\n")
        with contextlib.suppress(OSError):
            program.stdin.close()
        try:
            program.wait(_QUIT_SECONDS)
        except subprocess.TimeoutExpired:
            program.kill()
            program.wait()

    def _start(self) -> None:
        self.close()
        try:
            self._program = subprocess.Popen(
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
        self._answers = queue.SimpleQueue()
        threading.Thread(target=_read, args=(self._program, self._answers), daemon=True).start()
        self._send("uci")
        self._await("uciok", _START_SECONDS, lambda line: line == "uciok")
        for name, value in self._options.items():
            self._send(f"setoption name {name} value {value}")
        self._ready()

    def _ready(self) -> None:
        self._send("isready")
        self._await("readyok", _START_SECONDS, lambda line: line == "readyok")

    def _send(self, command: str) -> None:
        program = self._program
        if program is None or program.stdin is None:
            raise PlayerError(f"{self.name} is not running")
        try:
            program.stdin.write(command + "\n")
            program.stdin.flush()
        except (OSError, ValueError) as error:
            self.close()
            raise PlayerError(f"{self.name} ended before {command!r}") from error

    def _await(self, what: str, seconds: float, wanted: Callable[[str], bool]) -> str:
        """The first line that is wanted; the others, such as `info`, are passed over."""
        end = time.monotonic() + seconds
        while True:
            try:
                line = self._answers.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                self.close()
                raise PlayerError(f"{self.name} did not say {what} in {seconds:g} s", "timeout") from None
            if line is None:
                self.close()
                raise PlayerError(f"{self.name} ended before {what}")
            if wanted(line):
                return line


def _go_words(limit: Limit) -> str:
    words = []
    nodes = limit.visits or limit.simulations
    if nodes is not None:
        words.append(f"nodes {nodes}")
    if limit.seconds is not None:
        words.append(f"movetime {max(1, round(1000 * limit.seconds))}")
    return " ".join(words) or "movetime 1000"


def _read(program: subprocess.Popen[str], answers: queue.SimpleQueue[str | None]) -> None:
    """Hands on each line; None says that the program has ended."""
    assert program.stdout is not None
    with contextlib.suppress(OSError, ValueError), program.stdout as lines:
        for line in lines:
            answers.put(line.strip())
    answers.put(None)
