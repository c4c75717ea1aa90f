"""Ultimate tic-tac-toe by the book, over characters: slow, obvious, and sharing nothing with the core."""

from __future__ import annotations

from dataclasses import dataclass

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def owner(cells: str) -> str:
    """`X` or `O` for a line, `=` when full, `.` while open."""
    for a, b, c in LINES:
        if cells[a] in "XO" and cells[a] == cells[b] == cells[c]:
            return cells[a]
    return "." if "." in cells else "="


@dataclass(frozen=True)
class Board:
    boards: tuple[str, ...]
    side: str
    constraint: int | None
    counted: bool = False

    @classmethod
    def read(cls, notation: str) -> Board:
        boards, side, constraint, *rest = notation.split(" ")
        where = None if constraint == "-" else int(constraint)
        return cls(tuple(boards.split("/")), side.upper(), where, rest == ["codingame"])

    @property
    def owners(self) -> str:
        return "".join(map(owner, self.boards))

    @property
    def outcome(self) -> str | None:
        """`X`, `O` or `=` once the game is over."""
        owners = self.owners
        winner = owner(owners.replace("=", "-"))
        if winner in ("X", "O"):
            return winner
        if "." in owners:
            return None
        x, o = owners.count("X"), owners.count("O")
        if not self.counted or x == o:
            return "="
        return "X" if x > o else "O"

    def moves(self) -> list[tuple[int, int]]:
        owners = self.owners
        choice = range(9) if self.constraint is None else [self.constraint]
        return [(b, c) for b in choice if owners[b] == "." for c in range(9) if self.boards[b][c] == "."]

    def play(self, board: int, cell: int) -> Board:
        filled = self.boards[board][:cell] + self.side + self.boards[board][cell + 1 :]
        boards = (*self.boards[:board], filled, *self.boards[board + 1 :])
        where = cell if owner(boards[cell]) == "." else None
        return Board(boards, "O" if self.side == "X" else "X", where, self.counted)


def rate(board: Board) -> dict[tuple[int, int], tuple[int, int]]:
    """Every move's result and distance for the side to move, by minimax without a single shortcut."""
    return {move: _after(board, move) for move in board.moves()}


def best(rated: dict[tuple[int, int], tuple[int, int]]) -> tuple[int, int]:
    """Fast wins, slow losses; a draw has no distance."""
    return max(rated.values(), key=lambda value: (value[0], -value[1] if value[0] > 0 else value[1]))


def _after(board: Board, move: tuple[int, int]) -> tuple[int, int]:
    following = board.play(*move)
    outcome = following.outcome
    if outcome is not None:
        return (0, 0) if outcome == "=" else ((1, 1) if outcome == board.side else (-1, 1))
    result, distance = best(rate(following))
    return -result, distance + 1 if result else 0
