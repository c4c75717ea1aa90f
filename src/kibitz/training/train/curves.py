"""The curves of a run as a picture: each term of the loss, in training and on held-back samples.

>>> svg = curves_picture("go", [{"step": 50, "total": 3.0}, {"step": 100, "total": 2.5}])
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from kibitz.errors import BadRecord

__all__ = ["curves_picture", "read_rows", "terms_of", "thinned"]

_WIDTH, _PANEL, _TOP = 640, 150, 44
_LEFT, _RIGHT = 60, 624
_MAX_POINTS = 300
_TRAINING, _HELD = "#2a6fb0", "#c0392b"
_MAX_LINE = 1 << 20

#: What a row has beside the terms.
_OTHERS = ("step", "rate", "perSecond", "evaluation")

Points = list[tuple[float, float]]


def read_rows(folder: str | os.PathLike[str], log: str = "log.jsonl") -> list[dict[str, Any]]:
    """The rows of a run's log, the last of each step: a run that was killed repeats some."""
    path = Path(folder) / log
    if not path.is_file():
        raise BadRecord(f"{folder}: no training run there ({log} is missing)")
    rows_by_step: dict[tuple[int, bool], dict[str, Any]] = {}
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                row = json.loads(line) if len(line) < _MAX_LINE else None
            except (ValueError, RecursionError):
                row = None
            if not isinstance(row, dict) or not isinstance(row.get("step"), int):
                raise BadRecord(f"{path}, line {number}: no row of a training log")
            rows_by_step[row["step"], "evaluation" in row] = row
    return [rows_by_step[key] for key in sorted(rows_by_step)]


def terms_of(rows: Iterable[Mapping[str, Any]]) -> tuple[dict[str, Points], dict[str, Points]]:
    """Each term over the steps: in training, and on held-back samples."""
    training: dict[str, Points] = {}
    held: dict[str, Points] = {}
    for row in rows:
        into, terms = (held, row["evaluation"]) if "evaluation" in row else (training, row)
        for name, value in terms.items() if isinstance(terms, Mapping) else ():
            if name not in _OTHERS and isinstance(value, (int, float)):
                into.setdefault(name, []).append((float(row["step"]), float(value)))
    return training, held


def curves_picture(title: str, rows: Iterable[Mapping[str, Any]]) -> str:
    """SVG text: a panel for each term."""
    training, held = terms_of(rows)
    names = list(dict.fromkeys([*training, *held]))
    height = _TOP + _PANEL * len(names) + 12
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif" '
        'font-size="12">',
        f'<rect width="{_WIDTH}" height="{height}" fill="#fff"/>',
        f'<text x="{_LEFT}" y="24" font-size="14" fill="#222">{escape(title)}</text>',
        f'<text x="{_RIGHT}" y="24" text-anchor="end" fill="{_HELD}">held back</text>',
        f'<text x="{_RIGHT - 70}" y="24" text-anchor="end" fill="{_TRAINING}">training</text>',
    ]
    for number, name in enumerate(names):
        curves = ((training.get(name, []), _TRAINING), (held.get(name, []), _HELD))
        parts += _panel(_TOP + number * _PANEL, name, curves)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _panel(top: float, name: str, curves: Sequence[tuple[Points, str]]) -> list[str]:
    bottom = top + _PANEL - 34
    points = [point for curve, _ in curves for point in curve]
    last = max(step for step, _ in points)
    low, high = min(value for _, value in points), max(value for _, value in points)
    span = high - low or 1.0

    def place(step: float, value: float) -> str:
        x = _LEFT + (_RIGHT - _LEFT) * step / max(1.0, last)
        return f"{x:.1f},{bottom - (bottom - top - 8) * (value - low) / span:.1f}"

    parts = [f'<line x1="{_LEFT}" y1="{bottom}" x2="{_RIGHT}" y2="{bottom}" stroke="#888"/>']
    for value, y in ((high, top + 12), (low, bottom)):
        parts.append(f'<text x="{_LEFT - 8}" y="{y}" text-anchor="end" fill="#555">{value:.3g}</text>')
    parts.append(f'<text x="{_LEFT}" y="{bottom + 18}" fill="#222">{escape(name)}</text>')
    parts.append(
        f'<text x="{_RIGHT}" y="{bottom + 18}" text-anchor="end" fill="#555">{last:,.0f} steps</text>'
    )
    for curve, colour in curves:
        if curve:
            shown = " ".join(place(*point) for point in thinned(curve))
            parts.append(f'<polyline points="{shown}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
    return parts


def thinned(points: Points) -> Points:
    """Means of neighbours, to what a picture can show."""
    size = -(-len(points) // _MAX_POINTS)
    groups = [points[start : start + size] for start in range(0, len(points), size)]
    return [(group[-1][0], sum(value for _, value in group) / len(group)) for group in groups]
