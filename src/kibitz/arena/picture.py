"""A picture of a match: the score of A and its 95% interval, pair after pair, as SVG drawn by hand.

>>> svg = score_picture("uct", "flat", half_points=[2, 4, 3, 4])
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from kibitz.arena import elo
from kibitz.arena.running import running

_WIDTH, _HEIGHT = 640, 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 628, 40, 284


def score_picture(a: str, b: str, half_points: Sequence[int]) -> str:
    """SVG text; `half_points` is what A made in each pair, 0 to 4, as in `Tally.history`.

    >>> score_picture("uct", "random", [4, 3, 4])[:4]
    '<svg'
    """
    estimates = [(one.pairs, one.estimate.score) for one in running(half_points)]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" '
        'font-size="12">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
        f'<text x="{_LEFT}" y="24" font-size="14" fill="#222">{escape(_title(a, b, estimates))}</text>',
    ]
    for percent in (0, 25, 50, 75, 100):
        y = _y(percent / 100)
        colour = "#888" if percent == 50 else "#ddd"
        parts.append(f'<line x1="{_LEFT}" y1="{y}" x2="{_RIGHT}" y2="{y}" stroke="{colour}"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 4}" text-anchor="end" fill="#555">{percent}%</text>')
    if estimates:
        total = len(half_points)
        xs = [round(_LEFT + (_RIGHT - _LEFT) * pairs / total, 1) for pairs, _ in estimates]
        upper = [f"{x},{_y(score.high)}" for x, (_, score) in zip(xs, estimates, strict=True)]
        lower = [f"{x},{_y(score.low)}" for x, (_, score) in zip(xs, estimates, strict=True)]
        line = [f"{x},{_y(score.value)}" for x, (_, score) in zip(xs, estimates, strict=True)]
        parts.append(f'<polygon points="{" ".join(upper + lower[::-1])}" fill="#2a6fb0" fill-opacity="0.2"/>')
        parts.append(f'<polyline points="{" ".join(line)}" fill="none" stroke="#2a6fb0" stroke-width="2"/>')
        parts.append(
            f'<text x="{_RIGHT}" y="{_BOTTOM + 22}" text-anchor="end" fill="#555">{2 * total} games</text>'
        )
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def _title(a: str, b: str, estimates: Sequence[tuple[int, elo.Interval]]) -> str:
    if not estimates:
        return f"{a} - {b}: no games yet"
    score = estimates[-1][1]
    return f"{a} - {b}: {100 * score.value:.1f}% (95%: {100 * score.low:.1f}% to {100 * score.high:.1f}%)"


def _y(score: float) -> float:
    return round(_BOTTOM - (_BOTTOM - _TOP) * score, 1)
