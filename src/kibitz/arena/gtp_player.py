"""A player that is another program, spoken to in the Go Text Protocol (GTP, version 2).

    >>> player = GtpPlayer(OthelloPosition, ["gtp-rhino", "-b", "0", "-l", "3"])      # doctest: +SKIP
    >>> player.new_game(seed=1)                                                       # doctest: +SKIP
    >>> player.choose(OthelloPosition(), Turn(Budget()))                              # doctest: +SKIP
    'd3'

Of a budget only the seconds can be sent to a program (`time_settings`); how many simulations it runs is its
own affair. Clocks are sent by `kata-time_settings` where the program knows it, else by `time_settings` with
`time_left`, which has no increments and whole seconds only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kibitz.arena.player import PlayerError, Resigned, Turn
from kibitz.arena.program import ANSWER_SLACK, Program, ProgramPlayer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kibitz.games.base import Position

_COLOURS = ("b", "w")
_BOARD_SIZES = {"othello": "8"}

#: Games in which a pass is forced and therefore known to both sides: Debian's gtp-rhino refuses `play w
#: pass`.
_SILENT_PASS = frozenset({"othello"})

_START_SECONDS = 20.0


def is_game_start(position: Position) -> bool:
    """Can a GTP program be brought here? It gets a board size and a komi, but no stones."""
    if position.game != "go":
        return position == type(position)()
    board: Any = position
    columns, rows = board.size
    return columns == rows and board.to_move == 0 and not any(row.strip(".") for row in board.stones)


class GtpPlayer(ProgramPlayer):
    """Any GTP program; it is started with the first game, and again after it broke."""

    def __init__(self, game: type[Position], command: Sequence[str], *, name: str | None = None) -> None:
        name = name or "gtp:" + " ".join(command)
        super().__init__(name, Program(name, command))
        self._game = game
        self._known: frozenset[str] = frozenset()
        self._start_position: Any = None
        self._sent: tuple[str, ...] = ()
        self._timed = False

    @property
    def keeps_time(self) -> bool:
        """Whether it can get its clock; known once it has been started."""
        return "time_settings" in self._known

    def prepare(self, position: Position) -> None:
        self._start_position = position.start

    def new_game(self, seed: int) -> None:
        """A clean board; GTP has no random seed, so `seed` is not used."""
        if not self._program.running:
            self._start()
        size = _BOARD_SIZES.get(self._game.game)
        start = self._start_position
        if self._game.game == "go" and start is not None:
            size = str(start.size[0])
        if size is not None:
            self._ask(f"boardsize {size}", _START_SECONDS)
        self._ask("clear_board", _START_SECONDS)
        if self._game.game == "go" and start is not None:
            self._ask(f"komi {start.komi:g}", _START_SECONDS)
            if "kata-set-rules" in self._known:
                self._ask(f"kata-set-rules {start.rules}", _START_SECONDS)
        self._sent = ()
        self._timed = False

    def choose(self, position: Position, turn: Turn) -> str:
        silent = position.game in _SILENT_PASS
        if silent and position.legal_moves == ("pass",):
            return "pass"
        self._tell(position, silent)
        self._tell_time(position, turn)
        answer = self._ask(f"genmove {_COLOURS[position.to_move]}", turn.deadline + ANSWER_SLACK)
        if answer.lower() == "resign":
            raise Resigned
        move = self._own_spelling(answer, position)
        self._sent = (*position.moves, move)
        return move

    def _start(self) -> None:
        self._program.start()
        self._known = frozenset(self._ask("list_commands", _START_SECONDS).split())

    def _tell(self, position: Position, silent: bool) -> None:
        """Send the moves the program has not heard of; normally the opponent's last one."""
        moves = position.moves
        if moves[: len(self._sent)] != self._sent:
            self._ask("clear_board", _START_SECONDS)
            self._sent = ()
        side = (position.to_move + len(moves) - len(self._sent)) % 2
        for move in moves[len(self._sent) :]:
            if not (silent and move == "pass"):
                self._ask(f"play {_COLOURS[side]} {move}", _START_SECONDS)
            side = 1 - side
        self._sent = moves

    def _tell_time(self, position: Position, turn: Turn) -> None:
        if turn.clocks is not None and self.keeps_time:
            own = turn.clocks[position.to_move]
            exact = "kata-time_settings" in self._known
            if not self._timed:
                if exact:
                    self._ask(
                        f"kata-time_settings fischer {own.remaining:g} {own.increment:g}", _START_SECONDS
                    )
                else:
                    self._ask(f"time_settings {max(1, int(own.remaining))} 0 0", _START_SECONDS)
                self._timed = True
            if "time_left" in self._known:
                for colour, clock in zip(_COLOURS, turn.clocks, strict=True):
                    left = f"{clock.remaining:.3f}" if exact else str(int(clock.remaining))
                    self._ask(f"time_left {colour} {left} 0", _START_SECONDS)
        elif turn.budget.seconds is not None and self.keeps_time:
            # No main time and one stone a period: so many whole seconds for each move.
            self._ask(f"time_settings 0 {max(1, round(turn.budget.seconds))} 1", _START_SECONDS)

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
