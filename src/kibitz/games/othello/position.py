"""Othello positions, as text and as pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from kibitz import _native
from kibitz.draw import Mark, Places, Svg, draw_mark
from kibitz.errors import IllegalMove
from kibitz.games import base
from kibitz.sentences import Sentence

_CELL = 48
_EDGE = 24


class Position(base.Position):
    """A position: 64 squares from a1 row by row (`X` black, `O` white, `-` empty), a space, the side to move.

    >>> Position().legal_moves
    ('d3', 'c4', 'f5', 'e6')
    """

    game: ClassVar[str] = "othello"
    move_format: ClassVar[str] = "A move is a square, such as d3."
    side_names: ClassVar[tuple[str, str]] = ("black", "white")
    native = _native.Othello

    __slots__ = ()

    @property
    def squares(self) -> str:
        """The board as 64 characters."""
        return self.notation[:64]

    @property
    def discs(self) -> tuple[int, int]:
        """Black's and white's number of discs."""
        return self.squares.count("X"), self.squares.count("O")

    @property
    def empties(self) -> int:
        return self.squares.count("-")

    @property
    def phase(self) -> int:
        return (self.empties <= 40) + (self.empties <= 20)

    @property
    def score(self) -> int:
        """Black's discs minus white's; once the game is over the empty squares go to the winner."""
        return int(self.state.score)

    @property
    def remaining(self) -> int:
        return self.empties

    def images(self) -> tuple[Position, ...]:
        """The position through the seven symmetries of the board, without its history."""
        return tuple(Position(self.state.transformed(k).to_text()) for k in range(1, 8))

    def passed(self) -> Position:
        other = Position(f"{self.squares} {'OX'[self.to_move]}")
        if "pass" in other.legal_moves:
            raise IllegalMove(Sentence("error.passNoMove", {"side": other.mover}))
        return other

    def __str__(self) -> str:
        moves = set(self.legal_moves)
        black, white = self.discs
        lines = ["  a b c d e f g h"]
        for row in range(8):
            cells = []
            for column in range(8):
                square = self.squares[8 * row + column]
                name = f"{'abcdefgh'[column]}{row + 1}"
                cells.append({"X": "●", "O": "○"}.get(square, "+" if name in moves else "·"))
            lines.append(f"{row + 1} {' '.join(cells)}")
        state = f"over, black {self.score:+d}" if self.is_over else f"{self.mover} to move"
        return "\n".join([*lines, f"● black {black}  ○ white {white}  {state}"])

    def places(self, below: str = "") -> Places:
        size = 8 * _CELL + 2 * _EDGE
        at = {
            f"{'abcdefgh'[x]}{y + 1}": (_EDGE + (x + 0.5) * _CELL, _EDGE + (y + 0.5) * _CELL)
            for y in range(8)
            for x in range(8)
        }
        return Places(size, size, _CELL, at)

    def svg(self, marks: Mapping[str, Mark] | None = None, below: str = "") -> str:
        size = 8 * _CELL + 2 * _EDGE
        picture = Svg(size, size)
        picture.rect(0, 0, size, size, fill="#2b2f33", rx=6, class_="frame")
        picture.rect(_EDGE, _EDGE, 8 * _CELL, 8 * _CELL, fill="#2e8b57", class_="felt")
        for i in range(9):
            at = _EDGE + i * _CELL
            picture.line(at, _EDGE, at, size - _EDGE, stroke="#1d5c39", stroke_width=1)
            picture.line(_EDGE, at, size - _EDGE, at, stroke="#1d5c39", stroke_width=1)
        for i in range(8):
            middle = _EDGE + (i + 0.5) * _CELL
            picture.text(middle, _EDGE / 2, "abcdefgh"[i], 13, fill="#d7dde2")
            picture.text(_EDGE / 2, middle, str(i + 1), 13, fill="#d7dde2")
        last = self.moves[-1] if self.moves else ""
        for index, square in enumerate(self.squares):
            column, row = index % 8, index // 8
            x, y = _EDGE + (column + 0.5) * _CELL, _EDGE + (row + 0.5) * _CELL
            name = f"{'abcdefgh'[column]}{row + 1}"
            if square != "-":
                with picture.piece(name, square, self.side_names[square == "O"]):
                    _draw_disc(picture, square, x, y)
                if name == last:
                    picture.circle(x, y, 4, fill="#e4572e", class_="last-dot")
            elif marks and name in marks:
                draw_mark(picture, x, y, marks[name], 0.42 * _CELL, 15)
        return picture.render()


def _draw_disc(picture: Svg, disc: str, x: float, y: float) -> None:
    fill, rim = ("#111", "#000") if disc == "X" else ("#fafafa", "#bbb")
    picture.circle(x, y, 0.42 * _CELL, fill=fill, stroke=rim)


def disc_svg(disc: str) -> str:
    """A disc around (0, 0)."""
    picture = Svg(0, 0)
    _draw_disc(picture, disc, 0, 0)
    return picture.body()
