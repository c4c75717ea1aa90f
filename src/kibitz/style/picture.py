"""Pictures of style: how a measure is spread in one or two sets of games, drawn with our own kit.

>>> svg = comparison_picture({"off": games_a, "medium": games_b}, load_norm())      # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from kibitz.draw import Svg
from kibitz.style.metrics import Array, Games, name_of
from kibitz.style.norm import Norm
from kibitz.style.report import columns

_COLOURS = ("#5b6b7b", "#c2541b", "#2a6fb0")
_PANEL, _HIGH, _GAP, _HEAD = 300.0, 150.0, 34.0, 74.0
_ACROSS = 3
_BARS = 32


def comparison_picture(game_sets: Mapping[str, Games], norm: Norm) -> str:
    """A panel for each measure, S first: the share of games over the measure's values, a line for each set,
    with the mean as a dashed line."""
    tables = {label: columns(games, norm) for label, games in game_sets.items()}
    names = list(next(iter(tables.values())))
    down = -(-len(names) // _ACROSS)
    width = _ACROSS * (_PANEL + _GAP) + _GAP
    height = _HEAD + down * (_HIGH + 2 * _GAP)
    picture = Svg(width, height)
    picture.rect(0, 0, width, height, fill="#ffffff")
    _legend(picture, {label: len(games) for label, games in game_sets.items()})
    for place, name in enumerate(names):
        x = _GAP + (place % _ACROSS) * (_PANEL + _GAP)
        y = _HEAD + (place // _ACROSS) * (_HIGH + 2 * _GAP)
        _panel(picture, x, y, name, [table[name] for table in tables.values()])
    return picture.render()


def _legend(picture: Svg, game_sets: Mapping[str, int]) -> None:
    x = _GAP
    for colour, (label, games) in zip(_COLOURS, game_sets.items(), strict=False):
        picture.rect(x, 18, 14, 14, fill=colour)
        text = f"{label} ({games:,} games)"
        picture.text(x + 20, 25, text, 13, text_anchor="start", fill="#222222")
        x += 34 + 7.2 * len(text)


def _panel(picture: Svg, x: float, y: float, name: str, game_sets: list[Array]) -> None:
    low = min(float(values.min()) for values in game_sets)
    high = max(float(values.max()) for values in game_sets)
    if high <= low:
        low, high = low - 0.5, high + 0.5
    edges = _edges(game_sets, low, high)
    shares = [np.histogram(values, edges)[0] / len(values) for values in game_sets]
    most = max(float(share.max()) for share in shares) or 1.0

    def across(value: float) -> float:
        return float(x + _PANEL * (value - edges[0]) / (edges[-1] - edges[0]))

    title = f"{name.upper()}, {name_of(name)}" if name in ("s", "s2") else f"{name_of(name)} ({name})"
    picture.text(x, y - 12, title, 13, text_anchor="start", fill="#222222")
    picture.rect(x, y, _PANEL, _HIGH, fill="#f6f7f8")
    for colour, values, share in zip(_COLOURS, game_sets, shares, strict=False):
        points = [(across(edges[0]), y + _HIGH)]
        for left, right, part in zip(edges[:-1], edges[1:], share, strict=True):
            top = y + _HIGH - (_HIGH - 8) * float(part) / most
            points += [(across(left), top), (across(right), top)]
        points.append((across(edges[-1]), y + _HIGH))
        picture.polyline(points, stroke=colour, stroke_width=1.6)
        mean = across(float(values.mean()))
        picture.line(mean, y, mean, y + _HIGH, stroke=colour, stroke_dasharray="4 3")
    for value, anchor in ((float(edges[0]), "start"), (float(edges[-1]), "end")):
        picture.text(across(value), y + _HIGH + 12, f"{value:.3g}", 11, text_anchor=anchor, fill="#555555")


def _edges(game_sets: list[Array], low: float, high: float) -> Array:
    """Bars of equal width; whole-numbered measures get a bar a number."""
    whole = all(bool((values == np.round(values)).all()) for values in game_sets)
    if whole and high - low <= 2 * _BARS:
        return np.arange(np.floor(low) - 0.5, np.ceil(high) + 1.0, 1.0)
    return np.linspace(low, high, _BARS + 1)
