"""Pictures of training: the terms of a run's loss as SVG, the page of a training loop. Both are charts of
kibitz/chart.py; the server reads the same rows for its page.

>>> svg = curves_picture("go", [{"step": 50, "total": 3.0}, {"step": 100, "total": 2.5}])
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from kibitz.draw.chart import Curve, chart, stacked
from kibitz.errors import BadRecord

_MAX_POINTS = 300
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
    """SVG text: a chart for each term."""
    training, held = terms_of(rows)
    return stacked(
        title,
        [
            chart(
                name,
                [
                    Curve("training", thinned(training.get(name, []))),
                    Curve("held back", thinned(held.get(name, []))),
                ],
                across="steps",
            )
            for name in dict.fromkeys([*training, *held])
        ],
    )


def thinned(points: Points) -> Points:
    """Means of neighbours, to what a picture can show."""
    size = max(1, -(-len(points) // _MAX_POINTS))
    groups = [points[start : start + size] for start in range(0, len(points), size)]
    return [(group[-1][0], sum(value for _, value in group) / len(group)) for group in groups]


def loop_page(title: str, reports: Sequence[dict[str, Any]]) -> str:
    """The page of the generations that are finished, each as its report says (training/loop.py)."""
    losses: dict[str, list[tuple[float, float]]] = {}
    for report in reports:
        for name, value in report["train"].get("losses", {}).items():
            losses.setdefault(name, []).append((report["generation"], value))
    elo = [(report["generation"], report["elo"]["value"]) for report in reports if report["promoted"]]
    spread = [report["elo"]["spread"] for report in reports if report["promoted"]]
    anchored = [
        (report["generation"], 100 * report["anchor"]["score"]) for report in reports if report.get("anchor")
    ]
    charts = [
        chart("Loss on held-back games", [Curve(name, points) for name, points in losses.items()]),
        chart("Elo over the first network (sum of the gates' matches)", [Curve("best network", elo, spread)]),
    ]
    if anchored:
        charts.append(chart("Score against the anchor", [Curve("best network", anchored)], "%"))
    rows = "".join(_row(report) for report in reports)
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8">\n'
        f"<title>{escape(title)}</title>\n"
        "<style>body{font-family:sans-serif;max-width:60rem;margin:2rem auto;color:#222}"
        "td,th{padding:.2rem .6rem;text-align:right;border-bottom:1px solid #ddd}"
        "svg{max-width:100%}</style>\n"
        f"<h1>{escape(title)}</h1>\n" + "\n".join(charts) + "\n"
        "<table><tr><th>generation</th><th>games</th><th>positions</th><th>gate</th><th>Elo</th>"
        f"<th>promoted</th><th>minutes</th><th>network</th></tr>\n{rows}</table>\n</html>\n"
    )


def _row(report: dict[str, Any]) -> str:
    gate = report.get("gate")
    cells = [
        report["generation"],
        report["selfplay"]["games"],
        report["selfplay"]["positions"],
        "" if gate is None else f"{gate['wins']}-{gate['draws']}-{gate['losses']}",
        "" if report["elo"] is None else f"{report['elo']['value']:.0f}",
        "yes" if report["promoted"] else "no",
        f"{report['seconds'] / 60:.1f}",
        (report["network"] or "")[:12],
    ]
    return "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in cells) + "</tr>\n"
