"""`kibitz analyze`: one position in depth, or every position of a recorded game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from kibitz.cli import common
from kibitz.cli.go_network import load_network, search_options
from kibitz.cli.sgf_review import review
from kibitz.engine import Engine, make_request
from kibitz.errors import BadOption, BadRequest
from kibitz.games import registry
from kibitz.games.base import Position
from kibitz.report import Report

__all__ = ["register"]

_HELP = """Analyse a position, or every position of a game.

SOURCE is a position as text, moves from the start, or a record file; `start` is the start position. An SGF
file alone is a game of Go: a table of every move, the biggest mistakes, an annotated record, a picture.

Examples:

    kibitz analyze othello start --simulations 100000 --include d3 --min-visits 2000

    kibitz analyze othello f5d6c3d3c4 --seconds 2 --json

    kibitz analyze othello game.ggf --whole-game --simulations 20000

    kibitz analyze game.sgf --model b6c96.bin.gz --visits 100 --sgf annotated.sgf --curve winrate.svg
"""


def register(app: typer.Typer) -> None:
    app.command("analyze", help=_HELP)(analyze)


def analyze(
    game: common.Game,
    source: Annotated[
        str | None, typer.Argument(help="Position, moves or file.", metavar="[SOURCE]", show_default=False)
    ] = None,
    preset: common.Preset = "default",
    simulations: common.Simulations = None,
    visits: common.Visits = None,
    seconds: common.Seconds = None,
    include: common.Include = None,
    min_visits: common.MinVisits = 1,
    allow: common.Allow = None,
    avoid: common.Avoid = None,
    weight: common.Weight = None,
    prune: common.Prune = None,
    style: common.Style = None,
    threads: common.Threads = None,
    option: common.Option = None,
    number: Annotated[int, typer.Option(help="Which game of a file with several.")] = 1,
    ply: Annotated[int | None, typer.Option(help="Analyse the position after so many moves.")] = None,
    whole_game: Annotated[bool, typer.Option("--whole-game", help="Every position of the game.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show what the search thought.")] = False,
    picture: Annotated[
        Path | None, typer.Option(help="Draw the board to this file.", metavar="FILE.svg")
    ] = None,
    model: Annotated[str | None, typer.Option(help="Network file (Go).", metavar="FILE")] = None,
    precision: Annotated[str, typer.Option(help="The network in fp32, or int8 (fast).")] = "fp32",
    sgf: Annotated[
        Path | None, typer.Option(help="Write the annotated game of Go here.", metavar="FILE.sgf")
    ] = None,
    curve: Annotated[
        Path | None, typer.Option(help="Draw the winrate over a game of Go.", metavar="FILE.svg")
    ] = None,
    as_json: common.AsJson = False,
) -> None:
    options = common.read_options(option, threads=threads)
    alone = source is None
    if source is None:
        if not game.lower().endswith(".sgf"):
            raise BadOption(f"analyze {game} needs a position, moves or a file; or name an SGF file alone")
        game, source = "go", game
    if registry.get(game).solve:
        options.setdefault("solve_all", True)
    wishes: dict[str, Any] = {
        "simulations": simulations,
        "visits": visits,
        "seconds": seconds,
        "include": include,
        "min_visits": min_visits,
        "allow": allow,
        "avoid": avoid,
        "weights": common.read_weights(weight),
        "prune": prune,
        "style": style,
    }
    console = Console()
    network = None
    if model is not None:
        network, tuning = load_network(model, precision)
        given = visits or (100 if not (simulations or seconds) and alone else None)
        options = {**search_options(tuning, given), **options}
    with Engine(game, preset, network=network, **options) as engine:
        if alone or (game == "go" and (sgf or curve)):
            if not (simulations or visits or seconds):
                wishes["visits"] = 100
            review(source, engine, wishes, number=number, sgf_out=sgf, curve_out=curve, as_json=as_json)
            return
        last = _choose(game, source, number)
        if whole_game:
            _whole_game(console, engine, last, wishes, as_json)
            return
        position = last if ply is None else last.start.play(*last.moves[: _checked_ply(ply, last)])
        report = _one(console, engine, position, wishes, debug, as_json)
    if picture:
        picture.write_text(report.svg(), encoding="utf-8")


def _choose(game: str, source: str, number: int) -> Position:
    games = common.read_games(game, source)
    if not 1 <= number <= len(games):
        raise BadOption(f"--number must be from 1 to {len(games)}, got {number}")
    return games[number - 1]


def _checked_ply(ply: int, position: Position) -> int:
    if not 0 <= ply <= len(position.moves):
        raise BadOption(f"--ply must be from 0 to {len(position.moves)}, got {ply}")
    return ply


def _one(
    console: Console, engine: Engine, position: Position, wishes: dict[str, Any], debug: bool, as_json: bool
) -> Report:
    request = make_request(position, **wishes)
    if not as_json:
        console.print(str(position), highlight=False)
    report: Report | None = None
    with Live(console=console, transient=True, auto_refresh=False) as live:
        for report in engine.run(request, every=0.25, debug=debug):
            if console.is_terminal and not as_json and not report.final:
                live.update(Text(report.summary()), refresh=True)
            if debug and not report.final and not as_json:
                console.print(report.thoughts, highlight=False)
    assert report is not None
    if as_json:
        typer.echo(report.to_json(indent=2))
    else:
        common.show_report(console, report)
        if debug:
            console.print(report.thoughts, highlight=False)
    return report


def _whole_game(
    console: Console, engine: Engine, last: Position, wishes: dict[str, Any], as_json: bool
) -> None:
    """Every position of the game: what was played, what was best, and what the difference cost."""
    if not last.moves:
        raise BadRequest("--whole-game needs a game with moves; this is a single position")
    position = last.start
    reports: list[tuple[Report, str]] = []
    with common.progress_bar("positions", len(last.moves)) as progress:
        for played in last.moves:
            # The move that was played is always looked at: its cost is what people want to know.
            asked = {**wishes, "include": [*(wishes["include"] or ()), played]}
            reports.append((engine.analyze(position, **asked), played))
            position = position.play(played)
            progress.advance(progress.tasks[0].id)
    if as_json:
        typer.echo(json.dumps([{**report.to_dict(), "played": played} for report, played in reports]))
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("ply", "side", "played", "value", "best", "value", "cost"):
        table.add_column(name, justify="left" if name in ("side", "played", "best") else "right")
    for number, (report, played) in enumerate(reports, 1):
        values = {info.move: info.value for info in report.moves}
        best, own = report.moves[0].value, values.get(played, report.root.value)
        cost = max(0.0, best - own)
        table.add_row(
            str(number),
            report.position.mover,
            played,
            f"{100 * own:.1f}%",
            report.best,
            f"{100 * best:.1f}%",
            f"{100 * cost:.1f}" if cost > 0.0005 else "",
            style="red" if cost > 0.15 else "yellow" if cost > 0.05 else None,
        )
    console.print(table)
