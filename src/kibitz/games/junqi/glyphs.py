"""The characters on pieces as strokes of our own, so that no picture needs a Chinese font.

>>> len(strokes("工"))
3
"""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

from kibitz.draw import Svg

FILE = Path(__file__).with_name("glyphs.txt")
#: Units a character is drawn on, each way.
GRID = 24
#: From one character to the next, in its own size.
_STEP = 1.12

Stroke = tuple[tuple[float, float], ...]


@cache
def _table() -> dict[str, tuple[Stroke, ...]]:
    out = {}
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            out[line[0]] = tuple(_stroke(part) for part in line[1:].split(";"))
    return out


def _stroke(text: str) -> Stroke:
    corners = (corner.split(",") for corner in text.split())
    return tuple((float(x), float(y)) for x, y in corners)


def strokes(character: str) -> tuple[Stroke, ...]:
    """The strokes of a character of the pieces' names, corner by corner."""
    return _table()[character]


@lru_cache(256)
def _outline(word: str, size: float) -> str:
    """The strokes of characters side by side."""
    scale, step = size / GRID, size * _STEP
    return " ".join(
        "M" + " L".join(f"{place * step + scale * px:.4g} {scale * py:.4g}" for px, py in stroke)
        for place, character in enumerate(word)
        for stroke in strokes(character)
    )


def draw_word(picture: Svg, x: float, y: float, word: str, size: float, colour: str) -> None:
    """Characters side by side around (x, y), each `size` high and wide."""
    left = x - (size * _STEP * (len(word) - 1) + size) / 2
    look = {"fill": "none", "stroke": colour, "stroke_linecap": "round", "stroke_linejoin": "round"}
    picture.path(_outline(word, size), left, y - size / 2, stroke_width=round(0.085 * size, 2), **look)
