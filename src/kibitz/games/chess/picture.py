"""A chess board as a picture: pieces of simple shapes of our own, moves as arrows."""

from __future__ import annotations

import math
from collections.abc import Mapping

from kibitz.draw import Mark, Places, Svg, bar_colour

_CELL = 48
_EDGE = 22
_LIGHT, _DARK, _LAST = "#ead9b9", "#a97f5c", "#d9c860"
_MOST_ARROWS = 5

#: Outlines in a cell of 48 units, the foot at the bottom; `_FOOT` stands under all but the pawn.
_FOOT = "M12 42 L36 42 L36 38 L32 35 L16 35 L12 38 Z"
_SHAPES = {
    "p": ("M15 42 L33 42 L33 38 L28 35 Q29 28 26 24 A6.5 6.5 0 1 0 22 24 Q19 28 20 35 L15 38 Z",),
    "n": (
        "M17 35 Q17 27 23 22 L16 24 Q12 26 11 22 L19 12 L21 7 L25 10 Q34 13 34 24 L33 35 Z",
        _FOOT,
    ),
    "b": ("M18 35 Q14 24 24 12 Q34 24 30 35 Z", "M24 12 A3 3 0 1 1 24.1 12 Z", _FOOT),
    "r": (
        "M14 9 L19 9 L19 13 L22 13 L22 9 L26 9 L26 13 L29 13 L29 9 L34 9 L34 17 L31 20 L31 35 L17 35 L17 20 "
        "L14 17 Z",
        _FOOT,
    ),
    "q": (
        "M16 35 L11 15 L18 24 L20 11 L24 23 L28 11 L30 24 L37 15 L32 35 Z",
        "M24 9 A2.5 2.5 0 1 1 24.1 9 Z",
        _FOOT,
    ),
    "k": (
        "M16 35 Q8 20 17 18 Q22 18 24 24 Q26 18 31 18 Q40 20 32 35 Z",
        "M22.5 19 L22.5 14 L19 14 L19 11 L22.5 11 L22.5 7 L25.5 7 L25.5 11 L29 11 L29 14 L25.5 14 L25.5 19 Z",
        _FOOT,
    ),
}


def _corner(square: str, turned: bool) -> tuple[int, int]:
    """A square's column and row in the picture, which is `turned` when black sits below."""
    column, row = "abcdefgh".index(square[0]), 8 - int(square[1])
    return (7 - column, 7 - row) if turned else (column, row)


def _centre(square: str, turned: bool) -> tuple[float, float]:
    column, row = _corner(square, turned)
    return _EDGE + (column + 0.5) * _CELL, _EDGE + (row + 0.5) * _CELL


def places(turned: bool) -> Places:
    """Where the squares are."""
    size = 8 * _CELL + 2 * _EDGE
    names = (f"{file}{rank}" for rank in range(1, 9) for file in "abcdefgh")
    return Places(size, size, _CELL, {name: _centre(name, turned) for name in names})


def board(
    squares: Mapping[str, str],
    last: str,
    marks: Mapping[str, Mark],
    turned: bool = False,
    pieces: str = "",
) -> str:
    """The board from white's side, or `turned` from black's: pieces by square as in FEN, the last move
    shaded, marks as arrows. `pieces` is `letters` for letters on discs, else shapes."""
    size = 8 * _CELL + 2 * _EDGE
    picture = Svg(size, size)
    picture.rect(0, 0, size, size, fill="#3a2c22", rx=6, class_="frame")
    for square in squares:
        column, row = _corner(square, turned)
        light = (column + row) % 2 == 0
        x, y = _EDGE + column * _CELL, _EDGE + row * _CELL
        picture.rect(x, y, _CELL, _CELL, fill=_LIGHT if light else _DARK, class_="light" if light else "dark")
        if square in (last[:2], last[2:4]):
            picture.rect(x, y, _CELL, _CELL, fill=_LAST, fill_opacity=0.75, class_="last")
    for square, piece in squares.items():
        if piece:
            column, row = _corner(square, turned)
            x, y = _EDGE + column * _CELL, _EDGE + row * _CELL
            with picture.piece(square, piece, "white" if piece.isupper() else "black"):
                draw = _draw_letter if pieces == "letters" else _draw_piece
                draw(picture, piece, x, y)
    for i in range(8):
        middle = _EDGE + (i + 0.5) * _CELL
        file, rank = ("hgfedcba"[i], i + 1) if turned else ("abcdefgh"[i], 8 - i)
        picture.text(middle, size - _EDGE / 2, file, 12, fill="#ead9b9")
        picture.text(_EDGE / 2, middle, str(rank), 12, fill="#ead9b9")
    order = sorted(marks.items(), key=lambda item: (item[1].best, item[1].strength))
    asked = [item for item in order[:-_MOST_ARROWS] if item[1].asked]
    for move, mark in asked + order[-_MOST_ARROWS:]:
        _draw_arrow(picture, move, mark, turned)
    return picture.render()


def _draw_piece(picture: Svg, piece: str, x: float, y: float) -> None:
    white = piece.isupper()
    fill, rim = ("#fdfaf2", "#2a2220") if white else ("#2a2522", "#efe6d6")
    for outline in _SHAPES[piece.lower()]:
        picture.path(outline, x, y, fill=fill, stroke=rim, stroke_width=1.4, stroke_linejoin="round")


def piece_svg(piece: str, letters: bool) -> str:
    """A piece around (0, 0)."""
    picture = Svg(0, 0)
    draw = _draw_letter if letters else _draw_piece
    draw(picture, piece, -_CELL / 2, -_CELL / 2)
    return picture.body()


def _draw_letter(picture: Svg, piece: str, x: float, y: float) -> None:
    fill, ink = ("#fdfaf2", "#2a2220") if piece.isupper() else ("#2a2522", "#fdfaf2")
    middle_x, middle_y = x + _CELL / 2, y + _CELL / 2
    picture.circle(middle_x, middle_y, 0.4 * _CELL, fill=fill, stroke="#6b5a4a", stroke_width=1.5)
    picture.text(middle_x, middle_y, piece.upper(), 24, fill=ink, font_weight="bold")


def _draw_arrow(picture: Svg, move: str, mark: Mark, turned: bool) -> None:
    (x1, y1), (x2, y2) = _centre(move[:2], turned), _centre(move[2:4], turned)
    length = math.hypot(x2 - x1, y2 - y1)
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    width = 3 + 6 * mark.strength
    tip, back = (x2 - 6 * dx, y2 - 6 * dy), 10 + width
    bx, by = tip[0] - back * dx, tip[1] - back * dy
    colour = "#ffb703" if mark.best else bar_colour(mark.strength)
    picture.line(x1, y1, bx, by, stroke=colour, stroke_width=width, stroke_linecap="round", opacity=0.8)
    wing = 0.5 * back
    corners = [tip, (bx - wing * dy, by + wing * dx), (bx + wing * dy, by - wing * dx)]
    outline = "M" + " L".join(f"{x:g} {y:g}" for x, y in corners) + " Z"
    picture.path(outline, 0, 0, fill=colour, opacity=0.85)
    if mark.best or mark.asked or mark.strength > 0.3:
        middle_x, middle_y = (x1 + bx) / 2, (y1 + by) / 2
        picture.circle(middle_x, middle_y, 11, fill="#ffffff", opacity=0.85)
        picture.text(middle_x, middle_y, mark.text, 11, fill="#10202a", font_weight="bold")
