"""A player that is another chess program, spoken to in UCI.

    >>> player = UciPlayer(ChessPosition, ["stockfish"], {"Skill Level": "3"})        # doctest: +SKIP
    >>> player.new_game(seed=1)                                                       # doctest: +SKIP
    >>> player.choose(ChessPosition(), Turn(Budget(seconds=0.1)))                     # doctest: +SKIP
    'e2e4'

Simulations and visits become `go nodes`, seconds `go movetime`, clocks `wtime`, `btime`, `winc` and `binc`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from kibitz.arena.player import PlayerError, Turn
from kibitz.arena.program import ANSWER_SLACK, ProgramPlayer
from kibitz.arena.uci_program import UciProgram
from kibitz.errors import BadOption

if TYPE_CHECKING:
    from kibitz.games.base import Position

_START_SECONDS = 60.0


class UciPlayer(ProgramPlayer):
    """Any UCI program; it is started with the first game, and again after it broke."""

    _program: UciProgram

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
        name = name or "uci:" + " ".join(command)
        super().__init__(name, UciProgram(name, command))

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
        self._program.ask("isready", "readyok", _START_SECONDS)

    def choose(self, position: Position, turn: Turn) -> str:
        notation = position.start.notation
        moves = " ".join(position.moves)
        self._program.send(f"position fen {notation}" + (f" moves {moves}" if moves else ""))
        answer = self._program.ask("go " + _go_words(turn), "bestmove", turn.deadline + ANSWER_SLACK)
        if len(answer) < 2:
            raise PlayerError(f"{self.name} gave no move: {' '.join(answer)!r}", "protocol")
        return answer[1]

    def _start(self) -> None:
        self._program.greet(_START_SECONDS)
        for name, value in self._options.items():
            self._program.set_option(name, value)
        self._program.ask("isready", "readyok", _START_SECONDS)


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
