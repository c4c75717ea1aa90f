"""Reviews of whole games: what each move cost, the biggest mistakes, the curve of the winrate."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer
from rich.console import Console
from rich.table import Table

from kibitz.cli import common
from kibitz.cli.output import progress_bar, write_text
from kibitz.draw import Svg
from kibitz.engine import Engine
from kibitz.errors import BadOption, BadRequest
from kibitz.human import Plausible
from kibitz.report import Report
from kibitz.request import Request
from kibitz.review import losses
from kibitz.review.comments import turning_point
from kibitz.review.examine import Examination, answered
from kibitz.review.labels import LABELS, summaries, turning_points, worst_first
from kibitz.review.records import Record, Turn, record_kind
from kibitz.review.review_task import AnalysisJob, AnalysisTask, analyzed

_WIDTH, _HEIGHT, _EDGE = 760, 300, 40
#: Columns of text where no terminal says how many it has.
_PIPED_WIDTH = 140
#: Columns that a human model adds: how likely the move was, and what such a player loses on average.
_OF_PEOPLE = ("players", "expected")
#: Moves that are listed as the biggest mistakes.
_SHOWN = 5
_STYLES = {"blunder": "red", "mistake": "yellow", "inaccuracy": "yellow", "brilliant": "cyan"}
_DOTS = {"blunder": "#cf222e", "mistake": "#bc4c00", "inaccuracy": "#d4a72c", "brilliant": "#1b7c83"}
_GREY = "#57606a"


@dataclass(frozen=True)
class Outputs:
    """What a review writes besides its table."""

    record: Path | None = None
    curve: Path | None = None
    as_json: bool = False
    #: Of the comments that are written.
    language: str = "en"
    #: Whose mistakes are listed; "" for everybody's.
    side: str = ""


@dataclass(frozen=True)
class Elsewhere:
    """Worker processes that analyze the positions, each by itself, on this machine or on a cluster."""

    task: AnalysisTask
    processes: int
    fleet: str

    def __call__(self, asked: Sequence[tuple[int, Request]]) -> Iterator[tuple[int, Report]]:
        jobs = (AnalysisJob(*row) for row in asked)
        return analyzed(self.task, jobs, processes=self.processes, fleet=self.fleet)


def register(app: typer.Typer) -> None:
    from kibitz.cli.review_games import HELP, review_games  # it builds on this module

    app.command("review", help=HELP)(review_games)


def review(examination: Examination, analyst: Engine | Elsewhere, outputs: Outputs) -> None:
    """Analyzes every position of a game and writes what came of it."""
    _check_side(examination.record, outputs)
    tell(examination, examined(examination, analyst), outputs)


def _check_side(record: Record, outputs: Outputs) -> None:
    if outputs.side and outputs.side not in record.sides:
        raise BadOption(f"-o side must be {' or '.join(dict.fromkeys(record.sides))}, got {outputs.side!r}")


def tell(examination: Examination, turns: list[Turn], outputs: Outputs) -> None:
    """Writes what came of a review."""
    record = examination.record
    for note in record.notes:
        typer.echo(f"note: {note}", err=True)
    _check_side(record, outputs)
    if outputs.record:
        write_text(outputs.record, record.annotated(turns, outputs.language))
    if outputs.curve:
        write_text(outputs.curve, curve(turns, record.first_side))
    if outputs.as_json:
        # The last report is of the position after the last move.
        rows = zip(turns, examination.reports, strict=False)
        typer.echo(
            json.dumps([{**report.to_dict(), **record.to_dict(turn)} for turn, report in rows if report])
        )
    else:
        console = Console(width=None if sys.stdout.isatty() else _PIPED_WIDTH)
        _show(console, record, turns, outputs.side, outputs.language)
        effort = examination.effort
        console.print(f"Searched: {effort.name}, {effort.said}", style="dim", highlight=False)


def examined(examination: Examination, analyst: Engine | Elsewhere) -> list[Turn]:
    """Runs the searches of a review: what came of every move."""
    return examined_together([examination], analyst)[0]


def examined_together(examinations: Sequence[Examination], analyst: Engine | Elsewhere) -> list[list[Turn]]:
    """Runs the searches of several reviews as one, so that workers do not wait for the end of each game."""
    looks = [(one, number) for one in examinations for number in range(len(one.record.positions))]
    asked = [(index, one.look(number)) for index, (one, number) in enumerate(looks)]
    for index, report in _answers("positions", analyst, asked):
        one, number = looks[index]
        one.reports[number] = report
    checks = [
        (one, number, request)
        for one in examinations
        for number in range(len(one.record.moves))
        for request in one.checks_of(number)
    ]
    asked = [(index, request) for index, (_, _, request) in enumerate(checks)]
    answers = dict(_answers("suspected mistakes", analyst, asked))
    for index, (one, number, _) in enumerate(checks):
        one.checks.setdefault(number, []).append(answers[index])
    return [[one.turn(number) for number in range(len(one.record.moves))] for one in examinations]


def _answers(
    what: str, analyst: Engine | Elsewhere, asked: Sequence[tuple[int, Request | None]]
) -> Iterator[tuple[int, Report]]:
    """The reports of the requests by number, as they are done."""
    questions = [(number, request) for number, request in asked if request is not None]
    with progress_bar(what, len(questions)) as progress:
        if isinstance(analyst, Engine):
            answers: Any = ((number, answered(analyst, request)) for number, request in questions)
        else:
            answers = analyst(questions)
        for answer in answers:
            yield answer
            progress.advance(progress.tasks[0].id)


def _show(console: Console, record: Record, turns: Sequence[Turn], side: str, language: str) -> None:
    with_leads = any(turn.lead for turn in turns)  # a network for chess says 0 throughout
    _show_turns(console, record, turns, with_leads)
    _show_mistakes(console, record, worst_first(turns, side)[:_SHOWN], with_leads, language)
    _show_turning_points(console, record, turns, language)
    _show_sides(console, turns, record.unit if with_leads else "")


def _show_turns(console: Console, record: Record, turns: Sequence[Turn], with_leads: bool) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    headings = ["move", "", "played", f"{record.first_side} wins", f"{record.first_side} leads", "cost"]
    with_people = any(turn.human is not None for turn in turns)
    absent = {*(() if with_leads else (headings[4], record.unit)), *(() if with_people else _OF_PEOPLE)}
    for name in (*headings, record.unit, *_OF_PEOPLE, "better", "line"):
        if name not in absent:
            table.add_column(
                name, justify="left" if name in ("", "played", "better", "line") else "right", no_wrap=True
            )
    for turn in turns:
        names = record.named(turn)
        other = turn.best != turn.played
        lead = "" if turn.lead is None else f"{turn.lead:+.1f}"
        points = f"{turn.points:.1f}" if turn.points and turn.points >= 0.5 else ""
        table.add_row(
            record.label(turn),
            turn.side,
            names.played,
            f"{100 * turn.winrate:.1f}%",
            *([lead] if with_leads else []),
            f"{100 * turn.loss:.1f}" if turn.loss >= 0.005 else "",
            *([points] if with_leads else []),
            *(_people(turn) if with_people else []),
            names.best if other else "",
            " ".join(names.line[:5]) if other else "",
            style=_STYLES.get(turn.label),
        )
    console.print(table)


def _show_mistakes(
    console: Console, record: Record, worst: Sequence[Turn], with_leads: bool, language: str
) -> None:
    console.print("\nBiggest mistakes" if worst else "\nNo mistakes", style="bold")
    for turn in worst:
        names = record.named(turn)
        points = f" and {turn.points:.1f} {record.unit}" if with_leads and turn.points is not None else ""
        console.print(
            f"  move {record.label(turn)} {turn.side} {names.played}: cost {100 * turn.loss:.1f}%{points}, "
            f"{turn.label}; "
            f"better {names.best} ({' '.join(names.line[:6])}){_whose(turn)}",
            highlight=False,
            soft_wrap=True,
        )
        for reason in turn.reasons.said:
            console.print(f"    {reason.worded(language)}", highlight=False, markup=False, soft_wrap=True)


def _show_turning_points(console: Console, record: Record, turns: Sequence[Turn], language: str) -> None:
    points = turning_points(record, turns)
    if points:
        console.print("\nTurning points", style="bold")
    for turn, was in points:
        said = turning_point(turn, was, record).worded(language)
        console.print(f"  {said}", highlight=False, markup=False, soft_wrap=True)


def _show_sides(console: Console, turns: Sequence[Turn], unit: str) -> None:
    console.print()
    for summary in summaries(turns):
        counts = [f"{summary.labels[label]} {label}" for label in LABELS if summary.labels[label]]
        phases = [f"{phase} {accuracy:.0f}%" for phase, accuracy in summary.phases.items()]
        points = "" if not unit or summary.points is None else f", {summary.points:.1f} {unit} a move"
        console.print(
            f"{summary.side}: accuracy {summary.accuracy:.0f}%{' (' if phases else ''}{', '.join(phases)}"
            f"{')' if phases else ''}, {100 * summary.loss:.1f}% a move{points}; {', '.join(counts)}",
            highlight=False,
            soft_wrap=True,
        )
    if any(turn.human is not None for turn in turns):
        for side, lost, expected in losses.by_side(turns):
            console.print(
                f"{side} lost {100 * lost:.0f}% in all; "
                f"such players lose {100 * expected:.0f}% in these positions",
                highlight=False,
            )


def _people(turn: Turn) -> tuple[str, str]:
    if turn.human is None or turn.expected_loss is None:
        return "", ""
    return f"{100 * turn.human:.0f}%", f"{100 * turn.expected_loss:.1f}"


def _whose(turn: Turn) -> str:
    """Whether a mistake was anybody's, or this player's own."""
    if turn.human is None:
        return ""
    whose = "anybody's" if turn.human >= Plausible().above else "your own"
    return f"; {whose}: {100 * turn.human:.0f}% of such players play it"


def curve(turns: Sequence[Turn], first_side: str) -> str:
    """The first side's winrate (and lead) over the game as a picture."""
    below = losses.HEIGHT if any(turn.expected_loss is not None for turn in turns) else 0
    picture = Svg(_WIDTH, _HEIGHT + below)
    picture.rect(0, 0, _WIDTH, _HEIGHT + below, fill="#ffffff", rx=6)
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
    if any(leads):
        most = max(5.0, *(abs(lead) for lead in leads))
        points = [(x(t.number), y(0.5 + 0.5 * t.lead / most)) for t in turns if t.lead is not None]
        picture.polyline(points, stroke="#b08800", stroke_width=1.5)
        picture.text(_WIDTH - _EDGE / 2, y(1.0), f"+{most:.0f}", 11, fill="#b08800")
        picture.text(_WIDTH - _EDGE / 2, y(0.0), f"-{most:.0f}", 11, fill="#b08800")
    picture.polyline([(x(t.number), y(t.winrate)) for t in turns], stroke="#0969da", stroke_width=2)
    for turn in turns:
        if turn.label in _DOTS:
            picture.circle(x(turn.number), y(turn.winrate), 4, fill=_DOTS[turn.label])
    _draw_phases(picture, turns, x)
    if below:
        losses.draw(picture, turns, _HEIGHT, _WIDTH, _EDGE)
    title = f"{first_side.title()}'s winrate (blue)" + (" and lead (gold)" if any(leads) else "")
    picture.text(_WIDTH / 2, _EDGE / 2, title, 13, fill="#24292f")
    return picture.render()


def _draw_phases(picture: Svg, turns: Sequence[Turn], x: Callable[[float], float]) -> None:
    """A dashed line where a phase begins, and its name."""
    begins = {turn.phase: turn.number - 1 for turn in reversed(turns) if turn.phase}
    for phase, number in begins.items():
        if number:
            picture.line(x(number), _EDGE, x(number), _HEIGHT - _EDGE, stroke=_GREY, stroke_dasharray="3 3")
        picture.text(x(number) + 34, _HEIGHT - _EDGE - 8, phase, 10, fill=_GREY)


def open_record(game: str, source: str, number: int) -> Record:
    """The game to review: the game with that number in a file, or moves."""
    kind = record_kind(game)
    if kind.needs_file:
        records = kind.read(game, source)
        record = records[_checked(number, len(records)) - 1]
    else:
        games = common.read_games(game, source)
        last = games[_checked(number, len(games)) - 1]
        record = kind(last, source if common.is_file(source) else "", number)
    if not record.moves:
        raise BadRequest("--whole-game needs a game with moves; this is a single position")
    return record


def _checked(number: int, games: int) -> int:
    if not 1 <= number <= games:
        raise BadOption(f"--number must be from 1 to {games}, got {number}")
    return number
