"""A player that is another program, spoken to in the Go Text Protocol (GTP, version 2).

    >>> player = GtpPlayer(OthelloPosition, ["gtp-rhino", "-b", "0", "-l", "3"])      # doctest: +SKIP
    >>> player.new_game(seed=1)                                                       # doctest: +SKIP
    >>> player.choose(OthelloPosition(), Limit())                                     # doctest: +SKIP
    'd3'

Of a `Limit` only the seconds can be told to a program (`time_settings`); how many simulations it runs is
its own affair.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.arena.player import Limit, PlayerError
from kibitz.arena.program import Program

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kibitz.games.base import Position

__all__ = ["GtpPlayer"]

_COLOURS = ("b", "w")
_BOARD_SIZES = {"othello": "8"}

#: Games in which a pass is forced and therefore known to both sides: Debian's gtp-rhino refuses `play w
#: pass`.
_SILENT_PASS = frozenset({"othello"})

_START_SECONDS = 20.0


class GtpPlayer:
    """Any GTP program; it is started with the first game, and again after it broke."""

    def __init__(
        self,
        game: type[Position],
        command: Sequence[str],
        *,
        move_timeout: float = 60.0,
        name: str | None = None,
    ) -> None:
        self.name = name or "gtp:" + " ".join(command)
        self._game = game
        self._program = Program(self.name, command)
        self._move_timeout = move_timeout
        self._known: frozenset[str] = frozenset()
        self._told: tuple[str, ...] = ()

    def new_game(self, seed: int) -> None:
        """A clean board; GTP has no random seed, so `seed` is not used."""
        if not self._program.running:
            self._start()
        size = _BOARD_SIZES.get(self._game.game)
        if size is not None:
            self._ask(f"boardsize {size}", _START_SECONDS)
        self._ask("clear_board", _START_SECONDS)
        self._told = ()

    def choose(self, position: Position, limit: Limit) -> str:
        silent = position.game in _SILENT_PASS
        if silent and position.legal_moves == ("pass",):
            return "pass"
        self._tell(position, silent)
        if limit.seconds is not None and "time_settings" in self._known:
            # No main time and one stone a period: so many whole seconds for each move.
            self._ask(f"time_settings 0 {max(1, round(limit.seconds))} 1", _START_SECONDS)
        answer = self._ask(f"genmove {_COLOURS[position.to_move]}", self._move_timeout)
        move = self._own_spelling(answer, position)
        self._told = (*position.moves, move)
        return move

    def close(self) -> None:
        self._program.close()

    def _start(self) -> None:
        self._program.start()
        self._known = frozenset(self._ask("list_commands", _START_SECONDS).split())

    def _tell(self, position: Position, silent: bool) -> None:
        """Send the moves the program has not heard of; normally the opponent's last one."""
        moves = position.moves
        if moves[: len(self._told)] != self._told:
            self._ask("clear_board", _START_SECONDS)
            self._told = ()
        side = (position.to_move + len(moves) - len(self._told)) % 2
        for move in moves[len(self._told) :]:
            if not (silent and move == "pass"):
                self._ask(f"play {_COLOURS[side]} {move}", _START_SECONDS)
            side = 1 - side
        self._told = moves

    def _own_spelling(self, answer: str, position: Position) -> str:
        """GTP programs answer `D3`; the game writes `d3`. What is no legal move is left for the referee."""
        wanted = answer.lower()
        return next((move for move in position.legal_moves if move.lower() == wanted), answer)

    def _ask(self, command: str, seconds: float) -> str:
        """The answer of the program to one command, without its `=`."""
        self._program.send(command)
        answer: list[str] = []
        for line in self._program.lines(command, seconds):
            if line:
                answer.append(line)
            elif answer:  # an empty line ends an answer
                break
        if answer[0].startswith("="):
            return "\n".join([answer[0][1:].strip(), *answer[1:]]).strip()
        complaint = " ".join(answer).removeprefix("?").strip()[:200]
        raise PlayerError(f"{self.name} refused {command!r}: {complaint}", "protocol")
