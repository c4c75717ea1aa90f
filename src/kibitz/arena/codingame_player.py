"""A player that is a program for CodinGame's ultimate tic-tac-toe, as it is sent in there.

Each turn the program reads the opponent's last move as `ROW COLUMN` (`-1 -1` when there is none), the
number of legal moves, and as many lines `ROW COLUMN`; it answers with one line `ROW COLUMN`. Rows and
columns are those of the 9x9 board, counted from 0 at the top left. It is started for each game, since
nothing tells it of a new one.

The protocol has no word for the program's own earlier moves. An opening is played through as turns with one
legal move each; a program that answers with another one does not look at the list, and forfeits.

    >>> to_square("40"), to_move(3, 3)
    ((3, 3), '40')
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kibitz.arena.player import PlayerError, Turn
from kibitz.arena.program import ANSWER_SLACK, Program, ProgramPlayer
from kibitz.errors import BadOption

if TYPE_CHECKING:
    from kibitz.games.base import Position


def to_square(move: str) -> tuple[int, int]:
    """Row and column of a move, which names a sub-board and a cell of it."""
    board, cell = divmod(int(move), 10)
    return 3 * (board // 3) + cell // 3, 3 * (board % 3) + cell % 3


def to_move(row: int, column: int) -> str:
    """The move at a row and column."""
    return f"{3 * (row // 3) + column // 3}{3 * (row % 3) + column % 3}"


class CodinGamePlayer(ProgramPlayer):
    """A program that knows CodinGame's input and output; a new process for each game. It gets no time, and
    held to it as CodinGame does."""

    def __init__(self, game: type[Position], command: Sequence[str], *, name: str | None = None) -> None:
        if game.game != "uttt":
            raise BadOption(f"a CodinGame program plays uttt, not {game.game}")
        name = name or "codingame:" + " ".join(command)
        super().__init__(name, Program(name, command, goodbye=""))
        self._turns = 0

    def new_game(self, seed: int) -> None:
        self._program.start()
        self._turns = 0

    def choose(self, position: Position, turn: Turn) -> str:
        moves = position.moves
        # Its own moves are every second one before this turn; those it has not made are of the opening.
        for ply in range(len(moves) % 2, len(moves), 2)[self._turns :]:
            answer = self._ask(moves[:ply], [moves[ply]], turn)
            if answer != moves[ply]:
                raise PlayerError(
                    f"{self.name} answered {answer} where the opening's {moves[ply]} was the only one; "
                    "it cannot be given an opening",
                    "protocol",
                )
        return self._ask(moves, position.legal_moves, turn)

    def _ask(self, before: Sequence[str], legal: Sequence[str], turn: Turn) -> str:
        last = to_square(before[-1]) if before else (-1, -1)
        self._program.forget()
        text = [f"{row} {column}" for row, column in (last, *map(to_square, legal))]
        self._program.send("\n".join([text[0], str(len(legal)), *text[1:]]))
        self._turns += 1
        answer = next(line for line in self._program.lines("its turn", turn.deadline + ANSWER_SLACK) if line)
        numbers = answer.split()[:2]
        if len(numbers) != 2 or not all(word.isdecimal() and len(word) == 1 for word in numbers):
            raise PlayerError(f"{self.name} answered {answer[:60]!r}, expected ROW COLUMN", "protocol")
        row, column = map(int, numbers)
        if row > 8 or column > 8:
            raise PlayerError(f"{self.name} answered {answer[:60]!r}, which is not on the board", "protocol")
        return to_move(row, column)
