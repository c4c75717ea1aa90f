"""`kibitz match`: two players, many games, one answer."""

from __future__ import annotations

import sys
from collections.abc import Generator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as ProgressBar

from kibitz.arena import Event, Limit, MatchFinished, Progress, Sprt, Summary, run_match, score_picture
from kibitz.arena.openings import DEFAULT_PLIES
from kibitz.arena.player import DEFAULT_SIMULATIONS
from kibitz.errors import BadOption

__all__ = ["register"]

_INTERRUPTED = 130

_HELP = """Play a match of A against B and say who is stronger, with a 95% interval.

Every opening is played twice with colours swapped. A player is a preset of the engine with options (uct,
uct:c=0.7,simulations=5000), random, greedy, or another program (gtp:gtp-rhino -b 0 -l 3,
"uci:stockfish; Skill Level=3").

Examples:

    kibitz match othello default uct --games 200 --seconds-per-move 0.1 --processes 2

    kibitz match uttt default uct --position codingame --seconds-per-move 0.05

    kibitz match junqi default classic --players 4 --games 200 --seconds-per-move 0.05

    kibitz match othello uct:c=0.7 uct --games 20000 --sprt 0 10 --output c.jsonl --resume
"""


def register(app: typer.Typer) -> None:
    """Add `match` to the command line."""
    app.command("match", help=_HELP)(match)


def match(
    game: Annotated[str, typer.Argument(help="The game, such as othello.", metavar="GAME")],
    a: Annotated[str, typer.Argument(help="One player.", metavar="A")],
    b: Annotated[str, typer.Argument(help="The other.", metavar="B")],
    games: Annotated[int, typer.Option(help="How many games, an even number.")] = 100,
    simulations: Annotated[
        int | None,
        typer.Option(help=f"Simulations a move. [default: {DEFAULT_SIMULATIONS} without other limit]"),
    ] = None,
    visits: Annotated[int | None, typer.Option(help="Visits of the root a move.")] = None,
    seconds_per_move: Annotated[float | None, typer.Option(help="Seconds a move.")] = None,
    processes: Annotated[int, typer.Option(help="Games played at the same time.")] = 1,
    opening_plies: Annotated[
        int | None, typer.Option(help=f"Random plies before each pair. [default: {DEFAULT_PLIES}]")
    ] = None,
    openings: Annotated[
        Path | None,
        typer.Option(help="A file with moves or a position on each line, instead.", metavar="FILE"),
    ] = None,
    position: Annotated[
        str | None,
        typer.Option(
            help="Where the random plies begin, instead of the start of the game.", metavar="NOTATION"
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the openings and of the players' random numbers.")] = 0,
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option(help="Stop when A is shown to be ELO0 (H0) or ELO1 (H1) stronger.", metavar="ELO0 ELO1"),
    ] = None,
    sprt_model: Annotated[
        str, typer.Option(help="What ELO0 and ELO1 mean: logistic or normalized.")
    ] = "logistic",
    players: Annotated[int | None, typer.Option(help="Junqi: 2 or 4 players. [default: 4]")] = None,
    move_timeout: Annotated[
        float, typer.Option(help="Seconds until a player loses who has no clock.")
    ] = 60.0,
    output: Annotated[
        Path | None, typer.Option(help="Write every game to this file.", metavar="FILE.jsonl")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the match in the output file.")] = False,
    picture: Annotated[
        Path | None, typer.Option(help="Draw the score over the games to this file.", metavar="FILE.svg")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    if openings is not None and (opening_plies is not None or position is not None):
        raise BadOption("give either --openings or --opening-plies and --position, not both")
    if resume and output is None:
        raise BadOption("--resume needs --output FILE.jsonl, the file to continue")
    events = run_match(
        game,
        a,
        b,
        games=games,
        limit=Limit(simulations=simulations, visits=visits, seconds=seconds_per_move),
        openings=openings,
        opening_plies=opening_plies,
        position=position,
        processes=processes,
        seed=seed,
        sprt=None if sprt is None else Sprt(*sprt, model=sprt_model),
        output=output,
        resume=resume,
        move_timeout=move_timeout,
        players=players,
    )
    finished = _follow(events)
    if picture is not None:
        picture.write_text(score_picture(a, b, finished.history), encoding="utf-8")
    _show(finished.summary, as_json)
    if finished.summary.stopped == "interrupted":
        hint = "; add --resume to the same command to go on" if output is not None else ""
        print(f"kibitz: the match was interrupted{hint}", file=sys.stderr)
        raise typer.Exit(_INTERRUPTED)


def _follow(events: Generator[Event, None, None]) -> MatchFinished:
    """Show how the match goes, on a terminal only, until it ends."""
    console = Console(stderr=True)
    with ProgressBar(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as bar:
        task = bar.add_task("match", total=None)
        try:
            for event in events:
                if isinstance(event, Progress):
                    bar.update(
                        task, completed=event.done, total=event.games, description=_line(event.summary)
                    )
        except KeyboardInterrupt:
            # It came while the bar was drawn; the match has to know, to stop its workers and to count.
            event = events.throw(KeyboardInterrupt())
    assert isinstance(event, MatchFinished)
    return event


def _line(summary: Summary) -> str:
    """The state of the match in a few words; the interval is what one waits for."""
    line = (
        f"+{summary.wins} ={summary.draws} -{summary.losses}  {100 * summary.score.value:.1f}% "
        f"({100 * summary.score.low:.1f} to {100 * summary.score.high:.1f})"
    )
    return line if summary.sprt is None else f"{line}  LLR {summary.sprt.llr:+.2f}"


def _show(summary: Summary, as_json: bool) -> None:
    if as_json:
        print(summary.to_json())
    else:
        Console().print(summary.table())
