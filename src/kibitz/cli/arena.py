"""`kibitz arena`: ladders of several players."""

from __future__ import annotations

import json
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from kibitz.arena import MatchFinished
from kibitz.arena.ladder import LadderEvent, expand, run_ladder, standings
from kibitz.arena.ladder_picture import ladder_picture
from kibitz.arena.ratings import Rating
from kibitz.cli import common, matches
from kibitz.cli.output import write_text
from kibitz.errors import BadOption
from kibitz.fleet.termination import on_termination
from kibitz.request import Budget

_HELP = """Ladders of several players.

Example: kibitz arena ladder othello default levels random --work ladder
"""

_LADDER_HELP = """Rate players by a round robin: Elo with 95% intervals.

Players are those of `kibitz match`; `levels` stands for all named levels of the game (level:club is one of
them). Every pair plays a match with a results file in the folder of the ladder. A ladder that was stopped
goes on where it was, and players may be added to it.

Examples:

    kibitz arena ladder othello levels random --work ladder --games 20

    kibitz arena ladder othello default "nboard:edax -nboard; depth=8" --work ladder --seconds-per-move 0.1

    kibitz arena ladder othello --work ladder --picture ladder.svg
"""


def register(app: typer.Typer) -> None:
    group = typer.Typer(no_args_is_help=True, help=_HELP, rich_markup_mode=None)
    group.command("ladder", help=_LADDER_HELP)(ladder)
    app.add_typer(group, name="arena")


def ladder(
    game: Annotated[str, typer.Argument(help="The game, such as othello.", metavar="GAME")],
    players: Annotated[
        list[str] | None,
        typer.Argument(help="The players; none shows what the folder holds.", metavar="[PLAYER]..."),
    ] = None,
    work: Annotated[Path, typer.Option(help="Folder of the ladder.", metavar="DIR")] = Path("ladder"),
    games: Annotated[int, typer.Option(help="Games per pair of players, an even number.")] = 20,
    simulations: matches.Simulations = None,
    visits: matches.Visits = None,
    seconds_per_move: matches.SecondsPerMove = None,
    openings: matches.Openings = None,
    position: common.Start = None,
    processes: common.Workers = "1",
    seed: matches.Seed = 0,
    picture: Annotated[Path | None, typer.Option(help="Draw the ladder.", metavar="FILE.svg")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the ratings as JSON.")] = False,
) -> None:
    file, plies = matches.read_openings(openings)
    workers, fleet = common.read_workers(processes)
    start, _ = common.read_start(game, position)
    interrupted = False
    if players:
        names = expand(game, players)
        with on_termination():
            events = run_ladder(
                game,
                names,
                work,
                games=games,
                budget=Budget(simulations=simulations, visits=visits, seconds=seconds_per_move),
                openings=file,
                opening_plies=plies,
                position=start,
                processes=workers,
                fleet=fleet,
                seed=seed,
            )
            interrupted = not _follow(events, len(names) * (len(names) - 1) // 2 * games)
    table = standings(work, game, players or None)
    if not table:
        raise BadOption(f"{work} holds no games of {game}; name players to play some")
    if picture is not None:
        write_text(picture, ladder_picture(game, table))
    _show(game, table, as_json)
    if interrupted:
        print("kibitz: the ladder was interrupted; the same command goes on", file=sys.stderr)
        raise typer.Exit(130)


def _follow(events: Generator[LadderEvent, None, None], games: int) -> bool:
    """Show how the ladder goes; False when it was interrupted."""
    finished = True
    with matches.game_bar("ladder", games) as bar:
        for step in events:
            bar.show(step.event, f"match {step.number} of {step.matches}: {step.a} - {step.b}")
            if isinstance(step.event, MatchFinished):
                finished = step.event.summary.stopped != "interrupted"
    return finished


def _show(game: str, table: list[Rating], as_json: bool) -> None:
    if as_json:
        rows = [
            {
                "player": rating.player,
                "elo": round(rating.elo.value, 1),
                "low": round(rating.elo.low, 1),
                "high": round(rating.elo.high, 1),
                "points": rating.points,
                "games": rating.games,
            }
            for rating in table
        ]
        print(json.dumps({"game": game, "ratings": rows}))
        return
    shown = Table(title=Text(f"{game}: ladder"), title_justify="left")
    for column in ("player", "Elo", "95%", "score", "games"):
        shown.add_column(column, justify="left" if column == "player" else "right", overflow="fold")
    for rating in table:
        shown.add_row(
            Text(rating.player),
            f"{rating.elo.value:+.0f}",
            f"{rating.elo.low:+.0f} to {rating.elo.high:+.0f}",
            f"{100 * rating.points / rating.games:.1f}%",
            str(rating.games),
        )
    Console().print(shown)
