"""Line charts as SVG, with intervals: training curves, what a style does.

>>> chart("Elo", [Curve("best", [(0, 0.0), (1, 120.0)], [0.0, 30.0])]).startswith("<svg")
True
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

_WIDTH, _HEIGHT = 640, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 628, 40, 256
_COLOURS = ("#2a6fb0", "#b0502a", "#3a8a3a", "#8a3a8a", "#777", "#b08a00")


@dataclass(frozen=True)
class Curve:
    name: str
    points: Sequence[tuple[float, float]]
    #: Half the width of an interval around each point, where it is known.
    spread: Sequence[float] = ()


def chart(
    title: str, curves: Sequence[Curve], unit: str = "", across: str = "generation", logarithmic: bool = False
) -> str:
    """A line chart as SVG; `logarithmic` is the axis across, whose values are then all above 0."""
    shown = [curve for curve in curves if curve.points]
    xs = [x for curve in shown for x, _ in curve.points] or [0.0, 1.0]
    ys = [y for curve in shown for _, y in curve.points] or [0.0, 1.0]
    for curve in shown:
        for (_, y), half in zip(curve.points, curve.spread, strict=False):
            ys += [y - half, y + half]
    low_x, high_x = min(xs), max(max(xs), min(xs) + 1)
    low_y, high_y = min(ys), max(max(ys), min(ys) + 1e-9)
    margin = 0.06 * (high_y - low_y)
    low_y, high_y = low_y - margin, high_y + margin

    def scale(x: float) -> float:
        return math.log(x) if logarithmic else x

    def at(x: float, y: float) -> tuple[float, float]:
        right = (scale(x) - scale(low_x)) / (scale(high_x) - scale(low_x))
        up = (y - low_y) / (high_y - low_y)
        return round(_LEFT + (_RIGHT - _LEFT) * right, 1), round(_BOTTOM - (_BOTTOM - _TOP) * up, 1)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" '
        'font-size="12">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
        f'<text x="{_LEFT}" y="24" font-size="14" fill="#222">{escape(title)}</text>',
    ]
    for value in _round_values(low_y, high_y):
        _, y = at(low_x, value)
        parts.append(f'<line x1="{_LEFT}" y1="{y}" x2="{_RIGHT}" y2="{y}" stroke="#ddd"/>')
        parts.append(
            f'<text x="{_LEFT - 6}" y="{y + 4}" text-anchor="end" fill="#555">{value:.4g}{unit}</text>'
        )
    for value in sorted(set(xs) if logarithmic else {low_x, (low_x + high_x) / 2, high_x}):
        x, _ = at(value, low_y)
        parts.append(f'<text x="{x}" y="{_BOTTOM + 18}" text-anchor="middle" fill="#555">{value:.6g}</text>')
    parts.append(
        f'<text x="{_RIGHT}" y="{_BOTTOM + 36}" text-anchor="end" fill="#555">{escape(across)}</text>'
    )
    for number, curve in enumerate(shown):
        colour = _COLOURS[number % len(_COLOURS)]
        places = [at(x, y) for x, y in curve.points]
        line = " ".join(f"{x},{y}" for x, y in places)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for (x, y), half in zip(curve.points, curve.spread, strict=False):
            (px, top), (_, bottom) = at(x, y + half), at(x, y - half)
            parts.append(f'<line x1="{px}" y1="{top}" x2="{px}" y2="{bottom}" stroke="{colour}"/>')
        x, y = _LEFT + 8 + 140 * (number % 4), _TOP + 8 + 16 * (number // 4)
        parts.append(f'<text x="{x}" y="{y}" fill="{colour}">{escape(curve.name)}</text>')
    parts.append("</svg>")
    return "\n".join(parts)


def stacked(title: str, charts: Sequence[str]) -> str:
    """Charts below each other under a title, as SVG."""
    height = _TOP + _HEIGHT * len(charts)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif">',
        f'<rect width="{_WIDTH}" height="{height}" fill="#fff"/>',
        f'<text x="{_LEFT}" y="28" font-size="16" fill="#222">{escape(title)}</text>',
    ]
    for number, one in enumerate(charts):
        place = f'<svg y="{_TOP + number * _HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}"'
        parts.append(one.replace("<svg", place, 1))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _round_values(low: float, high: float) -> list[float]:
    """Four to ten values of 1, 2 or 5 times a power of ten apart."""
    least = (high - low) / 8
    unit = 10.0 ** math.floor(math.log10(least))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= least)
    return [step * number for number in range(math.ceil(low / step), math.floor(high / step) + 1)]
