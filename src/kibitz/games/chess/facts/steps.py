"""A line of chess as detectors see it: each move with the boards before and after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from kibitz.games.chess.facts.board import NAMES, Board, near
from kibitz.games.chess.position import Position


@dataclass(frozen=True)
class Step:
    """One move."""

    ply: int
    #: Who moves, 0 for white and 1 for black.
    side: int
    move: str
    position: Position
    next_position: Position
    before: Board
    after: Board

    @cached_property
    def origin(self) -> int:
        return NAMES.index(self.move[:2])

    @cached_property
    def to(self) -> int:
        """Where the piece stands afterwards; of castling the king's square."""
        if self.before.squares[self.origin].lower() == "k":
            return self.after.kings[self.side]
        return NAMES.index(self.move[2:4])

    @property
    def kind(self) -> str:
        """The piece after the move, as a small letter: what a pawn became, where it was promoted."""
        return self.after.squares[self.to].lower()

    @cached_property
    def is_castling(self) -> bool:
        """Also where a rook's square is named as the king's goal (Chess960)."""
        goal = NAMES.index(self.move[2:4])
        king, target = self.before.squares[self.origin], self.before.squares[goal]
        home = king.lower() == "k"
        own_rook = target.lower() == "r" and target.isupper() == king.isupper()
        return home and (own_rook or self.to not in near(self.origin))

    @property
    def taken(self) -> str:
        """The kind of piece that stood on the goal, empty for none; a pawn taken in passing is none."""
        return "" if self.is_castling else self.before.squares[self.to].lower()

    @property
    def in_passing(self) -> bool:
        return self.kind == "p" and not self.taken and (self.to - self.origin) % 8 != 0

    @property
    def is_capture(self) -> bool:
        return bool(self.taken) or self.in_passing

    @property
    def promotion(self) -> str:
        """The kind of piece that a pawn became."""
        return self.move[4:5]

    @cached_property
    def checkers(self) -> list[int]:
        return self.after.checkers(1 - self.side)

    @cached_property
    def is_mate(self) -> bool:
        return bool(self.checkers) and self.next_position.ending == "checkmate"

    @cached_property
    def won_back(self) -> int:
        """What the opponent, to move, wins by its best exchange, in pawns."""
        goals = {NAMES.index(move[2:4]) for move in self.next_position.legal_moves}
        taken = [at for at, _ in self.after.pieces(self.side) if at in goals]
        return max((self.after.exchange(at, 1 - self.side) for at in taken), default=0)

    @cached_property
    def san(self) -> str:
        return self.position.san(self.move)

    @cached_property
    def numbered(self) -> str:
        """The move as in a text: `18.Nxd5` or `18...cxd5`."""
        number = self.position.fen.split()[5]
        return f"{number}{'.' if self.side == 0 else '...'}{self.san}"


@dataclass(frozen=True)
class Line:
    """Moves of both sides as the plan of one of them, whose move is the first."""

    steps: Sequence[Step]

    @cached_property
    def last(self) -> Step | None:
        """The opponent's move before the first, where it is known."""
        first = self.steps[0].position
        if not first.moves:
            return None
        earlier = first.start.play_on(*first.moves[:-1])
        return _steps([earlier, first], first.moves[-1:], self.steps[0].ply - 1)[0]

    @property
    def side(self) -> int:
        return self.steps[0].side

    @cached_property
    def own(self) -> Sequence[Step]:
        return self.steps[::2]

    def later(self) -> Iterator[tuple[Step, Step, Step]]:
        """Own moves after the first: the one before, the reply to it, and the move itself."""
        for index in range(2, len(self.steps), 2):
            yield self.steps[index - 2], self.steps[index - 1], self.steps[index]

    def after(self, ply: int) -> Board:
        """The board after a move of the line; before the first, where it is the one before it."""
        first = self.steps[0]
        return first.before if ply < first.ply else self.steps[ply - first.ply].after


def _steps(positions: Sequence[Position], moves: Sequence[str], ply: int) -> list[Step]:
    boards = [Board(position.fen) for position in positions]
    return [
        Step(ply + index, position.to_move, move, position, after, board, board_after)
        for index, (move, position, after, board, board_after) in enumerate(
            zip(moves, positions, positions[1:], boards, boards[1:], strict=False)
        )
    ]


def read_line(positions: Sequence[Position], moves: Sequence[str]) -> Line:
    """The line from the first of the positions, which may remember the move before it."""
    return Line(_steps(positions, moves, 0))
