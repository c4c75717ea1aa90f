"""A small kit for drawing boards as SVG: enough for every game, and nothing to install.

>>> picture = Svg(20, 20)
>>> picture.circle(10, 10, 8, fill="black")
>>> picture.render()[:4]
'<svg'
"""

from __future__ import annotations

import colorsys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape

__all__ = ["Mark", "Places", "Svg"]

FONT = "'Segoe UI', 'Noto Sans', Helvetica, Arial, sans-serif"
_INK = "#0b1d26"


class Mark:
    """What a report writes on a square: a number or word, a second line, and how strong (0 to 1). A move that
    was asked about is shown where there is no room for all.

    >>> Mark("54%", "120", strength=0.9, best=True).text
    '54%'
    """

    __slots__ = ("asked", "best", "detail", "strength", "text")

    def __init__(
        self, text: str, detail: str = "", strength: float = 0.0, best: bool = False, asked: bool = False
    ) -> None:
        self.text = text
        self.detail = detail
        self.strength = strength
        self.best = best
        self.asked = asked


@dataclass(frozen=True)
class Places:
    """Where a picture has the squares, points or nodes that moves name, for who draws on it or is clicked.

    >>> picture_places = kibitz.othello.Position().places()
    >>> len(picture_places.at), "d3" in picture_places.at
    (64, True)
    """

    width: float
    height: float
    #: The width and height that one place has.
    cell: float
    at: Mapping[str, tuple[float, float]]


class Svg:
    """Collects shapes and renders them as one self-contained picture.

    >>> picture = Svg(100, 100)
    >>> picture.rect(0, 0, 100, 100, fill="#0a7d4f")
    >>> picture.render()[:4]
    '<svg'
    """

    def __init__(self, width: float, height: float) -> None:
        self.width = width
        self.height = height
        self._parts: list[str] = []

    def _add(self, tag: str, text: str | None, attributes: dict[str, object]) -> None:
        words = [tag]
        for name, value in attributes.items():
            shown = f"{value:g}" if isinstance(value, float) else escape(str(value))
            words.append(f'{name.rstrip("_").replace("_", "-")}="{shown}"')
        body = "/>" if text is None else f">{escape(text, quote=False)}</{tag}>"
        self._parts.append(f"<{' '.join(words)}{body}")

    @contextmanager
    def piece(self, place: str, kind: str, side: str, number: str = "") -> Iterator[None]:
        """What is drawn meanwhile is one piece, for who moves it: its place, what it is, whose it is, and
        its number where pieces of a side differ by more."""
        named = {"data-place": place, "data-piece": kind, "data-side": side, "data-number": number}
        words = " ".join(f'{name}="{escape(value)}"' for name, value in named.items() if value)
        self._parts.append(f'<g class="piece" {words}>')
        yield
        self._parts.append("</g>")

    @contextmanager
    def group(self, name: str) -> Iterator[None]:
        """What is drawn meanwhile is a group of this class."""
        self._parts.append(f'<g class="{escape(name)}">')
        yield
        self._parts.append("</g>")

    def rect(self, x: float, y: float, width: float, height: float, **attributes: object) -> None:
        self._add("rect", None, {"x": x, "y": y, "width": width, "height": height, **attributes})

    def circle(self, x: float, y: float, radius: float, **attributes: object) -> None:
        self._add("circle", None, {"cx": x, "cy": y, "r": radius, **attributes})

    def line(self, x1: float, y1: float, x2: float, y2: float, **attributes: object) -> None:
        self._add("line", None, {"x1": x1, "y1": y1, "x2": x2, "y2": y2, **attributes})

    def polyline(self, points: list[tuple[float, float]], **attributes: object) -> None:
        joined = " ".join(f"{x:g},{y:g}" for x, y in points)
        self._add("polyline", None, {"points": joined, "fill": "none", **attributes})

    def path(self, outline: str, x: float, y: float, **attributes: object) -> None:
        """An outline in SVG's own words, moved to (x, y)."""
        self._add("path", None, {"d": outline, "transform": f"translate({x:g} {y:g})", **attributes})

    def text(self, x: float, y: float, text: str, size: float, **attributes: object) -> None:
        middle = {"text_anchor": "middle", "dominant_baseline": "central", "font_family": FONT}
        self._add("text", text, {"x": x, "y": y, "font_size": size, **middle, **attributes})

    def body(self) -> str:
        """The shapes alone, for a picture of somebody else's."""
        return "".join(self._parts)

    def copy(self) -> Svg:
        """A picture with the same shapes, to draw on."""
        other = Svg(self.width, self.height)
        other._parts = list(self._parts)
        return other

    def render(self) -> str:
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width:g}" height="{self.height:g}" '
            f'viewBox="0 0 {self.width:g} {self.height:g}">'
        )
        return head + self.body() + "</svg>"


def draw_mark(
    picture: Svg,
    x: float,
    y: float,
    mark: Mark,
    radius: float,
    size: int,
    *,
    rim: str = "#ffd166",
    rim_width: int = 3,
) -> None:
    """A mark as a disc around (x, y), its text of `size`; `rim` is the colour around the best move."""
    stroke = rim if mark.best else "none"
    picture.circle(x, y, radius, fill=bar_colour(mark.strength), stroke=stroke, stroke_width=rim_width)
    above, below = -(-size // 3), (size + 5) // 2
    picture.text(x, y - above if mark.detail else y, mark.text, size, fill=_INK, font_weight="bold")
    if mark.detail:
        picture.text(x, y + below, mark.detail, below, fill=_INK)


def bar_colour(strength: float) -> str:
    """From pale blue to strong green as a move takes more of the visits. Plain hex: every viewer reads it."""
    share = min(max(strength, 0.0), 1.0)
    hue, light, saturation = (200 - 60 * share) / 360, 0.82 - 0.27 * share, 0.5 + 0.3 * share
    red, green, blue = colorsys.hls_to_rgb(hue, light, saturation)
    return f"#{round(255 * red):02x}{round(255 * green):02x}{round(255 * blue):02x}"
