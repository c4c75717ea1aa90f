"""A picture of a ladder: players from the strongest down, Elo with 95% intervals, as SVG drawn by hand."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from kibitz.arena.ratings import Rating

_WIDTH, _ROW, _TOP = 720, 24, 56
_LEFT, _RIGHT = 260, 660
_LONGEST = 40


def ladder_picture(game: str, table: Sequence[Rating]) -> str:
    """SVG text.

    >>> from kibitz.arena.ratings import Score, rate
    >>> ladder_picture("othello", rate({("uct", "random"): Score(8.5, 10)}))[:4]
    '<svg'
    """
    height = _TOP + _ROW * len(table) + 16
    low = min(rating.elo.low for rating in table)
    high = max(rating.elo.high for rating in table)
    step = next((size for size in (25, 50, 100, 200, 500, 1000) if (high - low) / size <= 10), 2000)
    first, last = int(low // step) * step, int(-(-high // step)) * step

    def x(elo: float) -> float:
        return round(_LEFT + (_RIGHT - _LEFT) * (elo - first) / max(last - first, 1), 1)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif" '
        'font-size="12">',
        f'<rect width="{_WIDTH}" height="{height}" fill="#fff"/>',
        f'<text x="12" y="24" font-size="14" fill="#222">{escape(game)}: Elo, 95% intervals</text>',
    ]
    for mark in range(first, last + 1, step):
        colour = "#888" if mark == 0 else "#ddd"
        parts.append(
            f'<line x1="{x(mark)}" y1="{_TOP - 6}" x2="{x(mark)}" y2="{height - 10}" stroke="{colour}"/>'
        )
        parts.append(f'<text x="{x(mark)}" y="{_TOP - 12}" text-anchor="middle" fill="#555">{mark}</text>')
    for number, rating in enumerate(table):
        y = _TOP + _ROW * number + _ROW // 2
        name = rating.player if len(rating.player) <= _LONGEST else rating.player[: _LONGEST - 1] + "…"
        elo = rating.elo
        parts.append(f'<text x="12" y="{y + 4}" fill="#222">{escape(name)}</text>')
        parts.append(
            f'<line x1="{x(elo.low)}" y1="{y}" x2="{x(elo.high)}" y2="{y}" '
            'stroke="#2a6fb0" stroke-width="2"/>'
        )
        parts.append(f'<circle cx="{x(elo.value)}" cy="{y}" r="4" fill="#2a6fb0"/>')
        parts.append(f'<text x="{_WIDTH - 12}" y="{y + 4}" text-anchor="end">{elo.value:+.0f}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"
