"""`kibitz analyze`: one position in depth, or every position of a recorded game."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.live import Live
from rich.text import Text

from kibitz.book import Book
from kibitz.cli import common
from kibitz.cli.book import book_table
from kibitz.cli.ctrl_c import stopped_by_ctrl_c
from kibitz.cli.networks import with_network
from kibitz.cli.output import status, write_text
from kibitz.cli.review import Elsewhere, Outputs, open_record, review
from kibitz.engine import Engine
from kibitz.errors import BadOption
from kibitz.games import registry
from kibitz.games.base import Position
from kibitz.human import Plausible
from kibitz.report import Report
from kibitz.request import make_request
from kibitz.review.task import AnalysisTask

__all__ = ["register"]

_HELP = """Analyze a position, or every position of a game.

SOURCE is a position as text, moves from the start, or a record file; `start` is the start position. A review
of a whole game has a table of every move and the biggest mistakes; an SGF or PGN file alone is reviewed.

Examples:

    kibitz analyze othello start --simulations 100000 --include d3 --min-visits 2000

    kibitz analyze othello f5d6c3d3c4 --seconds 2 --json

    kibitz analyze othello game.ggf --whole-game --simulations 20000 --curve winrate.svg

    kibitz analyze chess game.pgn --whole-game --pgn annotated.pgn --curve winrate.svg

    kibitz analyze chess game.pgn --whole-game --human maia-1500 --pgn annotated.pgn --curve losses.svg

    kibitz analyze chess game.pgn --whole-game --simulations 100000 --processes 4

    kibitz analyze game.sgf --network b6c96.bin.gz --visits 100 --sgf annotated.sgf --curve winrate.svg
"""

#: Files that are a game by themselves, without its name.
_ALONE = {".sgf": "go", ".pgn": "chess"}


def register(app: typer.Typer) -> None:
    app.command("analyze", help=_HELP)(analyze)


def analyze(
    game: common.Game,
    source: Annotated[
        str | None, typer.Argument(help="Position, moves or file.", metavar="SOURCE", show_default=False)
    ] = None,
    preset: common.Preset = "default",
    simulations: common.Simulations = None,
    visits: common.Visits = None,
    seconds: common.Seconds = None,
    include: common.Include = None,
    min_visits: common.MinVisits = None,
    allow: common.Allow = None,
    avoid: common.Avoid = None,
    weight: common.Weight = None,
    prune: common.Prune = None,
    style: common.Style = None,
    threads: common.Threads = None,
    option: common.Option = None,
    number: Annotated[int, typer.Option(help="Number of the game in the file.")] = 1,
    ply: Annotated[int | None, typer.Option(help="Analyze the position after this many moves.")] = None,
    whole_game: Annotated[
        bool, typer.Option("--whole-game", help="Review every position of the game.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Print the search tree.")] = False,
    picture: Annotated[
        Path | None, typer.Option(help="Draw the board to this file.", metavar="FILE.svg")
    ] = None,
    network: common.Network = None,
    model: common.OldModel = None,
    precision: common.Precision = None,
    human: common.Human = None,
    human_profile: common.HumanProfile = None,
    plausible: common.PlausibleShare = None,
    sgf: Annotated[
        Path | None, typer.Option(help="Write the reviewed game of Go here.", metavar="FILE.sgf")
    ] = None,
    pgn: Annotated[
        Path | None, typer.Option(help="Write the reviewed game of chess here.", metavar="FILE.pgn")
    ] = None,
    curve: Annotated[
        Path | None, typer.Option(help="Draw the winrate over the game.", metavar="FILE.svg")
    ] = None,
    book: Annotated[
        Path | None, typer.Option(help="Opening book to show, or to review with.", metavar="FILE")
    ] = None,
    processes: Annotated[
        int,
        typer.Option(help="Whole games: worker processes that share the positions.", metavar="N", min=0),
    ] = 0,
    fleet: common.Fleet = "local",
    as_json: common.AsJson = False,
) -> None:
    options = common.read_options(option, threads=threads, network=network or model, precision=precision)
    alone = source is None
    if source is None:
        game, source = _game_of_file(game), game
    for name, path, wanted in (("--sgf", sgf, "go"), ("--pgn", pgn, "chess")):
        if path and game != wanted:
            raise BadOption(f"{name} writes games of {wanted}, not of {game}")
    whole_game = whole_game or alone or bool(sgf or pgn or curve)
    if whole_game:
        for name, given in (("--ply", ply is not None), ("--picture", picture), ("--debug", debug)):
            if given:
                raise BadOption(f"{name} has no effect on the review of a whole game")
    elif processes or fleet != "local":
        raise BadOption("--processes and --fleet share the positions of a whole game (--whole-game)")
    elif min_visits is not None and not include and not human:
        raise BadOption("--min-visits has no effect without --include or --human")
    if plausible is not None and human is None:
        raise BadOption("--plausible needs a human model, --human FILE")
    # A style from a file comes with options, so it is the engine's.
    is_file_style = style is not None and ".json" in style.lower()
    if is_file_style:
        options["style"] = style
    opening = None if book is None else Book.open(book, game)
    shown = registry.get(game).analysis_options
    if whole_game:  # a review needs the best move and the one that was played
        shown.pop("multi_pv", None)
    options = {**shown, **options}
    asked: dict[str, Any] = {
        "simulations": simulations,
        "visits": visits,
        "seconds": seconds,
        "include": include,
        "min_visits": 1 if min_visits is None else min_visits,
        "allow": allow,
        "avoid": avoid,
        "weights": common.read_weights(weight),
        "prune": prune,
        "style": None if is_file_style else style,
        "plausible": None if human is None else _plausible(plausible, min_visits),
    }
    if game == "go" and whole_game and not (simulations or visits or seconds):
        asked["visits"] = 100
    options |= {"human": human, "human_profile": human_profile}
    # What is wrong with the game comes out before a network is loaded.
    record = open_record(game, source, number) if whole_game else None
    last = None if whole_game else _choose(game, source, number)
    moves = 0 if last is None else len(last.moves) if ply is None else _checked_ply(ply, last)
    if record is not None and (processes or fleet != "local"):
        elsewhere = Elsewhere(AnalysisTask(game, preset, options), processes, fleet)
        review(record, elsewhere, asked, Outputs(sgf or pgn, curve, as_json), opening)
        return
    with Engine(game, preset, **with_network(game, options, preset)) as engine:
        if record is not None:
            review(record, engine, asked, Outputs(sgf or pgn, curve, as_json), opening)
            return
        assert last is not None
        position = last if moves == len(last.moves) else last.start.play(*last.moves[:moves])
        if opening is not None and not as_json and opening.entries(position):
            Console().print(book_table(opening, position))
        report = _one(Console(), engine, position, asked, debug, as_json)
    if picture:
        write_text(picture, report.svg())
    if report.stop_reason == "stopped":
        raise KeyboardInterrupt


def _plausible(share: float | None, min_visits: int | None) -> Plausible:
    wish = Plausible() if share is None else Plausible(above=share)
    return wish if min_visits is None else replace(wish, min_visits=min_visits)


def _game_of_file(name: str) -> str:
    suffixes = [suffix.lower() for suffix in Path(name).suffixes[-2:]]
    for suffix, game in _ALONE.items():
        if suffix in suffixes:
            return game
    registry.get(name)  # an unknown game is told as everywhere
    raise BadOption(f"analyze {name} needs a position, moves or a file; an SGF or PGN file can stand alone")


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
    console: Console, engine: Engine, position: Position, asked: dict[str, Any], debug: bool, as_json: bool
) -> Report:
    position = position.seen()
    request = make_request(position, **asked)
    if not as_json:
        console.print(str(position), highlight=False, markup=False, soft_wrap=True)
    report: Report | None = None
    with (
        stopped_by_ctrl_c(engine),
        Live(console=console, transient=True, auto_refresh=False) as live,
        status("") as shown,
    ):
        for report in engine.run(request, every=0.25, debug=debug):
            if console.is_terminal and not as_json and not report.final:
                live.update(Text(report.summary()), refresh=True)
            elif not report.final:
                shown.update(report.summary())
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
