"""The page of a training loop: loss, Elo by generation, games; SVG in one HTML file without scripts."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from kibitz.chart import Curve, chart

__all__ = ["loop_page"]


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
        f"{report['elo']['value']:.0f}",
        "yes" if report["promoted"] else "no",
        f"{report['seconds'] / 60:.1f}",
        report["network"][:12],
    ]
    return "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in cells) + "</tr>\n"
