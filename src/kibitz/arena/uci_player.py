"""A player that is another chess program, spoken to in UCI.

    >>> player = UciPlayer(ChessPosition, ["stockfish"], {"Skill Level": "3"})        # doctest: +SKIP
    >>> player.new_game(seed=1)                                                       # doctest: +SKIP
    >>> player.choose(ChessPosition(), Turn(Budget(seconds=0.1)))                     # doctest: +SKIP
    'e2e4'

Simulations and visits become `go nodes`, seconds `go movetime`, clocks `wtime`, `btime`, `winc` and `binc`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from kibitz.arena.player import PlayerError, Turn
from kibitz.arena.program import ANSWER_SLACK, Program
from kibitz.errors import BadOption

if TYPE_CHECKING:
    from kibitz.games.base import Position

__all__ = ["UciPlayer"]

_START_SECONDS = 60.0


@dataclass(frozen=True)
class _Option:
    """What a program says of one of its options."""

    name: str
    kind: str
    least: int | None
    most: int | None
    choices: tuple[str, ...]

    @classmethod
    def read(cls, words: Sequence[str]) -> _Option:
        """From the words of `option name Skill Level type spin default 20 min 0 max 20`."""
        fields: dict[str, list[list[str]]] = {}
        for word in words[1:]:
            if word in ("name", "type", "default", "min", "max", "var"):
                fields.setdefault(word, []).append([])
                current = fields[word][-1]
            elif fields:
                current.append(word)

        def number(key: str) -> int | None:
            text = "".join(fields.get(key, [[]])[0])
            return int(text) if text.lstrip("-").isdecimal() else None

        texts = {key: [" ".join(value) for value in values] for key, values in fields.items()}
        return cls(
            texts.get("name", [""])[0],
            texts.get("type", [""])[0],
            number("min"),
            number("max"),
            tuple(texts.get("var", ())),
        )

    def objection(self, value: str) -> str | None:
        """What is wrong with a value."""
        if self.kind == "check" and value.lower() not in ("true", "false"):
            return "true or false"
        if self.kind == "combo" and self.choices and value not in self.choices:
            return f"one of {', '.join(self.choices)}"
        if self.kind == "spin" and self.least is not None and self.most is not None:
            whole = value.lstrip("-").isdecimal()
            if not whole or not self.least <= int(value) <= self.most:
                return f"a whole number from {self.least} to {self.most}"
        return None


class UciPlayer:
    """Any UCI program; it is started with the first game, and again after it broke."""

    def __init__(
        self,
        game: type[Position],
        command: Sequence[str],
        options: Mapping[str, str] | None = None,
        *,
        name: str | None = None,
    ) -> None:
        if game.game != "chess":
            raise BadOption(f"a UCI program plays chess, not {game.game}")
        self._options = dict(options or {})
        self.name = name or "uci:" + " ".join(command)
        self._program = Program(self.name, command)

    def check(self) -> None:
        """Starts the program and raises BadOption where it does not have the options."""
        try:
            self._start()
        except PlayerError as error:
            raise BadOption(str(error)) from error

    def new_game(self, seed: int) -> None:
        """A new game; UCI has no random seed, so `seed` is not used."""
        if not self._program.running:
            self._start()
        self._program.send("ucinewgame")
        self._ask("isready", "readyok", _START_SECONDS)

    def choose(self, position: Position, turn: Turn) -> str:
        notation = position.start.notation
        moves = " ".join(position.moves)
        self._program.send(f"position fen {notation}" + (f" moves {moves}" if moves else ""))
        answer = self._ask("go " + _go_words(turn), "bestmove", turn.deadline + ANSWER_SLACK)
        if len(answer) < 2:
            raise PlayerError(f"{self.name} gave no move: {' '.join(answer)!r}", "protocol")
        return answer[1]

    def close(self) -> None:
        self._program.close()

    def _start(self) -> None:
        self._program.start()
        known: dict[str, _Option] = {}
        self._program.send("uci")
        for words in map(str.split, self._program.lines("uci", _START_SECONDS)):
            if words[:2] == ["option", "name"]:
                option = _Option.read(words)
                known[option.name.lower()] = option
            elif words[:1] == ["uciok"]:
                break
        for name, value in self._options.items():
            if name.lower() not in known:
                near = get_close_matches(name.lower(), known, 1)
                hint = f"; did you mean {known[near[0]].name}?" if near else ""
                raise BadOption(f"{self.name} has no option {name!r}{hint}")
            expected = known[name.lower()].objection(value)
            if expected:
                raise BadOption(f"{self.name}: option {name} takes {expected}, not {value!r}")
            self._program.send(f"setoption name {name} value {value}")
        self._ask("isready", "readyok", _START_SECONDS)

    def _ask(self, command: str, answer: str, seconds: float) -> list[str]:
        """The words of the line that begins with `answer`; others, such as `info`, are passed over."""
        self._program.send(command)
        lines = map(str.split, self._program.lines(command, seconds))
        return next(words for words in lines if words[:1] == [answer])


def _go_words(turn: Turn) -> str:
    words = []
    if turn.clocks is not None:
        for colour, clock in zip("wb", turn.clocks, strict=True):
            left, more = round(1000 * clock.remaining), round(1000 * clock.increment)
            words.append(f"{colour}time {max(1, left)} {colour}inc {more}")
    nodes = turn.budget.visits or turn.budget.simulations
    if nodes is not None:
        words.append(f"nodes {nodes}")
    if turn.budget.seconds is not None:
        words.append(f"movetime {max(1, round(1000 * turn.budget.seconds))}")
    return " ".join(words) or "movetime 1000"
