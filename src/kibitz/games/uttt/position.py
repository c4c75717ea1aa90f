"""Ultimate tic-tac-toe positions, as text and as pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from kibitz import _native
from kibitz.draw import Mark, Places, Svg, draw_mark
from kibitz.errors import BadOption, BadPosition
from kibitz.games import base

#: The two endings by their rule ids: no line is a draw, or a win for the side with more sub-boards.
RULES = ("standard", "codingame")

_CELL = 40
_GAP = 10
_EDGE = 16
_LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
_COLOURS = {"X": "#d1495b", "O": "#2a6f97"}


class Position(base.Position):
    """A position: nine groups of nine cells (`X`, `O`, `.`) joined by `/`, the side to move, the constraint.

    A move is a sub-board and a cell, each counted 0 to 8 row by row: `44` is the centre of the centre.
    `rules` chooses the ending; the notation names it where it is not the standard one, and the word
    `codingame` alone is the start position of that game.

    >>> Position().play("44").notation
    '........./........./........./........./....X..../........./........./........./......... o 4'
    >>> Position().play("44").legal_moves
    ('40', '41', '42', '43', '45', '46', '47', '48')
    """

    game: ClassVar[str] = "uttt"
    move_format: ClassVar[str] = (
        "A move is two digits, the sub-board and the cell in it, each counted 0 to 8 row by row: 44 is the "
        "centre of the centre."
    )
    side_names: ClassVar[tuple[str, str]] = ("x", "o")
    native = _native.Uttt

    __slots__ = ()

    def __init__(self, notation: str | None = None, *, rules: str | None = None) -> None:
        if rules is not None and rules not in RULES:
            raise BadOption(f"rules must be {' or '.join(RULES)}, got {rules!r}")
        if notation in RULES and rules in (None, notation):
            notation, rules = None, notation
        if notation is None and rules is not None:
            notation = f"{'/'.join(['.' * 9] * 9)} x -"
        if notation is not None and rules is not None:
            fields = notation.split()
            if len(fields) == 4 and fields[3] != rules:
                raise BadPosition(f"the position is of {fields[3]} rules, not of {rules}")
            notation = " ".join([*fields[:3], rules])
        super().__init__(notation)

    @property
    def boards(self) -> tuple[str, ...]:
        """The nine sub-boards, nine characters each."""
        return tuple(self.notation.split(" ")[0].split("/"))

    @property
    def constraint(self) -> int | None:
        """The sub-board that must be played in; None when any open one may be."""
        board = int(self.state.constraint)
        return None if board < 0 else board

    @property
    def rules(self) -> str:
        """`standard`, or `codingame`: without a line the side with more sub-boards wins."""
        return RULES[self.state.rule_id]

    @property
    def empties(self) -> int:
        """Cells that can still be played."""
        return int(self.state.empties)

    @property
    def open_boards(self) -> int:
        return int(self.state.open_boards)

    @property
    def owners(self) -> str:
        """Who has each sub-board: `X`, `O`, `=` for a full one nobody won, `.` for an open one."""
        return "".join(map(_owner, self.boards))

    @property
    def remaining(self) -> int:
        return self.empties

    def images(self) -> tuple[Position, ...]:
        """The same position through the eight symmetries, which act on both levels at once."""
        return tuple(Position(self.state.transformed(symmetry).to_text()) for symmetry in range(8))

    def __str__(self) -> str:
        owners, boards = self.owners, self.boards
        playable = {move[0] for move in self.legal_moves}
        lines = []
        for row in range(9):
            groups = []
            for column in range(3):
                board = 3 * (row // 3) + column
                cells = boards[board][3 * (row % 3) : 3 * (row % 3) + 3]
                if owners[board] in "XO":
                    cells = (("\\ /", " X ", "/ \\") if owners[board] == "X" else ("/-\\", "| |", "\\-/"))[
                        row % 3
                    ]
                elif owners[board] == ".":
                    cells = cells.replace(".", "+" if str(board) in playable else "·")
                groups.append(" ".join(cells))
            lines.append("  ".join((" │ ".join(groups), _numbers(row // 3) if row % 3 == 1 else "")).rstrip())
            if row in (2, 5):
                lines.append("──────┼───────┼──────")
        if self.is_over:
            state = {1.0: "x wins", 0.0: "o wins"}.get(self.result or 0.0, "a draw")
        else:
            where = "any open sub-board" if self.constraint is None else f"sub-board {self.constraint}"
            state = f"{self.mover} to move in {where}"
        rules = ", most sub-boards win" if self.rules == "codingame" else ""
        return "\n".join([*lines, state + rules])

    def places(self, below: str = "") -> Places:
        size = 9 * _CELL + 2 * _GAP + 2 * _EDGE
        step = 3 * _CELL + _GAP
        at = {
            f"{board}{cell}": (
                _EDGE + (board % 3) * step + (cell % 3 + 0.5) * _CELL,
                _EDGE + (board // 3) * step + (cell // 3 + 0.5) * _CELL,
            )
            for board in range(9)
            for cell in range(9)
        }
        return Places(size, size, _CELL, at)

    def svg(self, marks: Mapping[str, Mark] | None = None, below: str = "") -> str:
        board_size = 3 * _CELL
        size = 3 * board_size + 2 * _GAP + 2 * _EDGE
        picture = Svg(size, size)
        picture.rect(0, 0, size, size, fill="#2b2f33", rx=6, class_="frame")
        owners, boards = self.owners, self.boards
        playable = {int(move[0]) for move in self.legal_moves}
        last = self.moves[-1] if self.moves else ""
        for board in range(9):
            left = _EDGE + (board % 3) * (board_size + _GAP)
            top = _EDGE + (board // 3) * (board_size + _GAP)
            rim = "#ffd166" if board in playable else "#9aa5ad"
            fill = "#fdfaf3" if owners[board] == "." else "#d5d9dc"
            picture.rect(left, top, board_size, board_size, fill=fill, stroke=rim, stroke_width=3)
            for i in (1, 2):
                at = i * _CELL
                picture.line(left + at, top, left + at, top + board_size, stroke="#b8c0c6", stroke_width=1)
                picture.line(left, top + at, left + board_size, top + at, stroke="#b8c0c6", stroke_width=1)
            for cell, symbol in enumerate(boards[board]):
                x, y = left + (cell % 3 + 0.5) * _CELL, top + (cell // 3 + 0.5) * _CELL
                name = f"{board}{cell}"
                if symbol != ".":
                    strength = 0.35 if owners[board] != "." else 1.0
                    with picture.piece(name, symbol, self.side_names[symbol == "O"]):
                        _draw_symbol(picture, symbol, x, y, 0.3 * _CELL, 4, strength)
                    if name == last:
                        picture.rect(
                            x - 18, y - 18, 36, 36, fill="none", stroke="#e4572e", rx=5, class_="last"
                        )
                elif not marks and owners[board] == ".":  # a cell's name is its move
                    picture.text(x - 12, y - 13, name, 9, fill="#6d7680", class_="cell-name")
                elif marks and name in marks:
                    draw_mark(picture, x, y, marks[name], 0.44 * _CELL, 13)
            if owners[board] in "XO":
                middle = board_size / 2
                with picture.group("owner"):
                    _draw_symbol(
                        picture, owners[board], left + middle, top + middle, 0.36 * board_size, 12, 0.9
                    )
        return picture.render()


def _owner(board: str) -> str:
    for a, b, c in _LINES:
        if board[a] != "." and board[a] == board[b] == board[c]:
            return board[a]
    return "." if "." in board else "="


def _numbers(row: int) -> str:
    return " ".join(str(3 * row + i) for i in range(3))


def _draw_symbol(
    picture: Svg, symbol: str, x: float, y: float, radius: float, width: float, opacity: float
) -> None:
    style = {"stroke": _COLOURS[symbol], "stroke_width": width, "stroke_opacity": opacity}
    if symbol == "O":
        picture.circle(x, y, radius, fill="none", **style)
    else:
        picture.line(x - radius, y - radius, x + radius, y + radius, stroke_linecap="round", **style)
        picture.line(x - radius, y + radius, x + radius, y - radius, stroke_linecap="round", **style)


def symbol_svg(symbol: str) -> str:
    """A symbol around (0, 0)."""
    picture = Svg(0, 0)
    _draw_symbol(picture, symbol, 0, 0, 0.3 * _CELL, 4, 1.0)
    return picture.body()
