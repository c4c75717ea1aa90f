"""`kibitz analyze game.sgf`: a whole game of Go as a table, an annotated record and a picture."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer
from rich.console import Console
from rich.table import Table

from kibitz.cli import common
from kibitz.draw import Svg
from kibitz.engine import Engine
from kibitz.errors import BadOption, BadRequest
from kibitz.games.go import sgf
from kibitz.report import Report

__all__ = ["Turn", "annotated", "curve", "review"]

#: A move that loses more than this of the winrate, or points, is marked.
_MISTAKE, _BLUNDER = 0.05, 0.15
_WIDTH, _HEIGHT, _EDGE = 760, 300, 40


@dataclass(frozen=True)
class Turn:
    """A move that was played, and what was thought before and after it; rates and leads are black's."""

    number: int
    colour: str
    played: str
    best: str
    line: tuple[str, ...]
    winrate: float
    lead: float | None
    #: What the move cost its player.
    loss: float
    points: float | None

    def to_dict(self) -> dict[str, Any]:
        return {**vars(self), "line": list(self.line)}


def review(
    path: str,
    engine: Engine,
    wishes: dict[str, Any],
    *,
    number: int = 1,
    sgf_out: Path | None = None,
    curve_out: Path | None = None,
    as_json: bool = False,
) -> None:
    records = sgf.read(path)
    if not 1 <= number <= len(records):
        raise BadOption(f"--number must be from 1 to {len(records)}, got {number}")
    record = records[number - 1]
    if not record.moves:
        raise BadRequest(f"{path}: the game has no moves")
    for note in record.notes:
        typer.echo(f"note: {note}", err=True)
    turns = _turns(record, _reports(record, engine, wishes))
    if sgf_out:
        sgf_out.write_text(annotated(record, turns), encoding="utf-8")
    if curve_out:
        curve_out.write_text(curve(turns), encoding="utf-8")
    if as_json:
        typer.echo(json.dumps([turn.to_dict() for turn in turns]))
    else:
        _show(Console(), turns)


def _reports(record: sgf.Record, engine: Engine, wishes: dict[str, Any]) -> list[Report]:
    """A report of every position, the last one too. The move that was played is always looked at."""
    reports = []
    positions = record.positions()
    with common.progress_bar("positions", len(positions)) as progress:
        for position, following in zip(positions, [*record.moves, None], strict=True):
            at = position.resumed() if position.is_over else position
            asked = dict(wishes)
            if following and at.accepts(following[1]):
                asked["include"] = [*(wishes.get("include") or ()), following[1]]
            reports.append(engine.analyze(at, **asked))
            progress.advance(progress.tasks[0].id)
    return reports


def _turns(record: sgf.Record, reports: Sequence[Report]) -> list[Turn]:
    def black(report: Report) -> tuple[float, float | None]:
        root, first = report.root, report.position.to_move == 0
        lead = None if root.lead is None else root.lead if first else -root.lead
        return (root.value if first else 1 - root.value), lead

    turns = []
    for n, (colour, vertex) in enumerate(record.moves):
        (before, lead_before), (after, lead_after) = black(reports[n]), black(reports[n + 1])
        sign = 1 if colour == "B" else -1
        points = None
        if lead_before is not None and lead_after is not None:
            points = max(0.0, sign * (lead_before - lead_after))
        best = reports[n].moves[0]
        loss = max(0.0, sign * (before - after))
        turns.append(Turn(n + 1, colour, vertex, best.move, best.line, after, lead_after, loss, points))
    return turns


def _rank(turn: Turn) -> tuple[float, float]:
    return (turn.loss, turn.points or 0.0)


def _show(console: Console, turns: Sequence[Turn]) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("move", "", "played", "black wins", "black leads", "cost", "points", "better", "line"):
        table.add_column(name, justify="left" if name in ("", "played", "better", "line") else "right")
    for turn in turns:
        other = turn.best != turn.played
        table.add_row(
            str(turn.number),
            turn.colour,
            turn.played,
            f"{100 * turn.winrate:.1f}%",
            "" if turn.lead is None else f"{turn.lead:+.1f}",
            f"{100 * turn.loss:.1f}" if turn.loss >= 0.005 else "",
            f"{turn.points:.1f}" if turn.points and turn.points >= 0.5 else "",
            turn.best if other else "",
            " ".join(turn.line[:5]) if other else "",
            style="red" if turn.loss > _BLUNDER else "yellow" if turn.loss > _MISTAKE else None,
        )
    console.print(table)
    worst = [turn for turn in sorted(turns, key=_rank, reverse=True)[:5] if turn.loss > _MISTAKE]
    console.print("\nBiggest mistakes" if worst else "\nNo mistakes worth the name", style="bold")
    for turn in worst:
        points = "" if turn.points is None else f" and {turn.points:.1f} points"
        name = "Black" if turn.colour == "B" else "White"
        console.print(
            f"  move {turn.number}, {name} {turn.played}: cost {100 * turn.loss:.1f}%{points}; "
            f"better {turn.best} ({' '.join(turn.line[:6])})",
            highlight=False,
        )


def annotated(record: sgf.Record, turns: Sequence[Turn]) -> str:
    """The record with a comment on every move, and the better line as a variation where it mattered."""
    comments, variations = {}, {}
    for turn in turns:
        lead = "" if turn.lead is None else f", lead {turn.lead:+.1f}"
        comment = f"Black {100 * turn.winrate:.1f}%{lead}"
        if turn.loss > 0.005:
            comment += f"\nCost {100 * turn.loss:.1f}%"
            comment += "" if turn.points is None else f", {turn.points:.1f} points"
        if turn.best != turn.played:
            comment += f"\nBetter: {turn.best}"
        comments[turn.number] = comment
        if turn.loss > _MISTAKE and turn.best != turn.played:
            colours = (turn.colour, "W" if turn.colour == "B" else "B")
            line = [(colours[i % 2], vertex) for i, vertex in enumerate(turn.line[:10])]
            variations[turn.number - 1] = [(line, f"Instead of {turn.played}")]
    return sgf.write(record, comments, variations)


def curve(turns: Sequence[Turn]) -> str:
    """Black's winrate (and lead) over the game as a picture."""
    picture = Svg(_WIDTH, _HEIGHT)
    picture.rect(0, 0, _WIDTH, _HEIGHT, fill="#ffffff", rx=6)
    wide, high = _WIDTH - 2 * _EDGE, _HEIGHT - 2 * _EDGE

    def x(number: float) -> float:
        return _EDGE + wide * number / max(1, len(turns))

    def y(share: float) -> float:
        return _EDGE + high * (1 - share)

    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        picture.line(_EDGE, y(share), _WIDTH - _EDGE, y(share), stroke="#d0d7de", stroke_width=1)
        picture.text(_EDGE / 2, y(share), f"{100 * share:.0f}%", 11, fill="#57606a")
    step = max(1, round(len(turns) / 10))
    for number in range(0, len(turns) + 1, step):
        picture.text(x(number), _HEIGHT - _EDGE / 2, str(number), 11, fill="#57606a")
    leads = [turn.lead for turn in turns if turn.lead is not None]
    if leads:
        most = max(5.0, *(abs(lead) for lead in leads))
        points = [(x(t.number), y(0.5 + 0.5 * t.lead / most)) for t in turns if t.lead is not None]
        picture.polyline(points, stroke="#b08800", stroke_width=1.5)
        picture.text(_WIDTH - _EDGE / 2, y(1.0), f"+{most:.0f}", 11, fill="#b08800")
        picture.text(_WIDTH - _EDGE / 2, y(0.0), f"-{most:.0f}", 11, fill="#b08800")
    picture.polyline([(x(t.number), y(t.winrate)) for t in turns], stroke="#0969da", stroke_width=2)
    for turn in turns:
        if turn.loss > _MISTAKE:
            fill = "#cf222e" if turn.loss > _BLUNDER else "#d4a72c"
            picture.circle(x(turn.number), y(turn.winrate), 4, fill=fill)
    picture.text(_WIDTH / 2, _EDGE / 2, "Black's winrate (blue) and lead (gold)", 13, fill="#24292f")
    return picture.render()
