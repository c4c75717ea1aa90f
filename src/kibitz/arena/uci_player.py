"""A player that is another chess program, spoken to in UCI.

    >>> player = UciPlayer(ChessPosition, "stockfish; Skill Level=3; Threads=1")      # doctest: +SKIP
    >>> player.new_game(seed=1)                                                       # doctest: +SKIP
    >>> player.choose(ChessPosition(), Limit(seconds=0.1))                            # doctest: +SKIP
    'e2e4'

The command line comes first, options as NAME=VALUE after semicolons. Simulations and visits become
`go nodes`, seconds `go movetime`.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from kibitz.arena.player import Limit, PlayerError, find_program
from kibitz.arena.program import Program
from kibitz.errors import BadOption

if TYPE_CHECKING:
    from kibitz.games.base import Position

__all__ = ["UciPlayer", "split_command"]

_START_SECONDS = 60.0


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
        self._program = Program(self.name, [find_program(words[0]), *words[1:]])
        self._move_timeout = move_timeout

    def new_game(self, seed: int) -> None:
        """A new game; UCI has no random seed, so `seed` is not used."""
        if not self._program.running:
            self._start()
        self._program.send("ucinewgame")
        self._ask("isready", "readyok", _START_SECONDS)

    def choose(self, position: Position, limit: Limit) -> str:
        notation = position.start.notation
        moves = " ".join(position.moves)
        self._program.send(f"position fen {notation}" + (f" moves {moves}" if moves else ""))
        answer = self._ask("go " + _go_words(limit), "bestmove", self._move_timeout)
        if len(answer) < 2:
            raise PlayerError(f"{self.name} gave no move: {' '.join(answer)!r}", "protocol")
        return answer[1]

    def close(self) -> None:
        self._program.close()

    def _start(self) -> None:
        self._program.start()
        self._ask("uci", "uciok", _START_SECONDS)
        for name, value in self._options.items():
            self._program.send(f"setoption name {name} value {value}")
        self._ask("isready", "readyok", _START_SECONDS)

    def _ask(self, command: str, answer: str, seconds: float) -> list[str]:
        """The words of the line that begins with `answer`; others, such as `info`, are passed over."""
        self._program.send(command)
        lines = map(str.split, self._program.lines(command, seconds))
        return next(words for words in lines if words[:1] == [answer])


def _go_words(limit: Limit) -> str:
    words = []
    nodes = limit.visits or limit.simulations
    if nodes is not None:
        words.append(f"nodes {nodes}")
    if limit.seconds is not None:
        words.append(f"movetime {max(1, round(1000 * limit.seconds))}")
    return " ".join(words) or "movetime 1000"
