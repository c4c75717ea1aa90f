"""The moves of a line on boards: what each takes and touches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kibitz.facts import Subject
from kibitz.games.go.facts.board import BLACK, WHITE, Board, ko_point

#: What a whole point is of the result: a game is decided by about so many.
POINTS = 25.0


@dataclass(frozen=True)
class Step:
    """A move of the line that places a stone."""

    ply: int
    move: str
    at: int
    stone: str
    before: Board
    after: Board
    taken: frozenset[int]

    @property
    def ko(self) -> int:
        """The point of a ko that it took, which may not be retaken at once; -1 where there is none."""
        return ko_point(self.after, self.at, self.taken)


@dataclass(frozen=True)
class Line:
    """A line of play as the extractors read it."""

    subject: Subject
    board: Board
    #: Moves that place stones, up to the first that does not.
    steps: tuple[Step, ...]
    #: Who owns each point before and after the first move, Black's from -1 to 1; empty where nobody knows.
    owners: tuple[Sequence[float], Sequence[float]] = ((), ())

    @property
    def name(self) -> Callable[[int], str]:
        """The name of a point."""
        move_text: Callable[[int], str] = self.subject.position.state.move_text
        return move_text

    def names(self, points: Any) -> tuple[str, ...]:
        return tuple(map(self.name, sorted(points)))

    def moves(self, count: int) -> tuple[str, ...]:
        return self.subject.line[:count]

    def alive(self, points: frozenset[int], stone: str, *, after: bool = False) -> float | None:
        """How surely stones live, from -1 (dead) to 1; None where nobody knows."""
        owners = self.owners[after]
        if not owners:
            return None
        return (1 if stone == BLACK else -1) * sum(owners[at] for at in points) / len(points)


def side_of(stone: str) -> str:
    return "black" if stone == BLACK else "white"


def board_of(position: Any) -> Board:
    columns, rows = position.size
    return Board(columns, rows, "".join(position.stones))


def read_line(subject: Subject) -> Line:
    board = first = board_of(subject.position)
    points = board.columns * board.rows
    steps: list[Step] = []
    for ply, move in enumerate(subject.line[: len(subject.positions) - 1]):
        position = subject.positions[ply]
        at = position.state.parse_move(move)
        if at >= points or board.cells[at] != ".":  # a pass, or a move of a record out of turn
            break
        stone = BLACK if position.mover == "black" else WHITE
        after, taken = board.play(at, stone)
        steps.append(Step(ply, move, at, stone, board, after, taken))
        board = after
    return Line(subject, first, tuple(steps))
