"""`kibitz match`: two players, many games, one answer."""

from __future__ import annotations

import sys
from collections.abc import Generator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from kibitz.arena import Event, MatchFinished, Sprt, Summary, run_match, score_picture
from kibitz.arena.match import Progress
from kibitz.arena.spec import PlayerSpec, parse_player
from kibitz.cli import common, matches
from kibitz.cli.output import write_text
from kibitz.errors import BadOption
from kibitz.fleet.termination import on_termination
from kibitz.games.networks import described, load_network
from kibitz.request import Budget

_INTERRUPTED = 130
#: Settings of `-o`: games at once in each process, whose positions share network batches; the Elo model of
#: the SPRT, logistic or normalized; seconds a move before a player without a clock forfeits.
_SETTINGS = {"parallel": 1, "sprt_model": "logistic", "move_timeout": 60.0}

_HELP = """Play a match of A against B: Elo with a 95% interval.

Every opening is played twice with colours swapped. A player is a preset of the engine with options (uct,
uct:c=0.7,simulations=5000), a named level (level:club), random, greedy, or another program:
"gtp:gnugo --mode gtp", "uci:stockfish; Skill Level=3", "nboard:edax -nboard; depth=8", codingame:./bot.

`-o parallel=8` plays so many games at once in each process, `-o move_timeout=60` is when a player without a
clock forfeits, `-o sprt_model=normalized` takes normalized Elo as bounds.

Examples:

    kibitz match othello default uct --games 200 --seconds-per-move 0.1 --processes 2

    kibitz match uttt default uct --position codingame --seconds-per-move 0.05

    kibitz match junqi default classic --position players=4 --games 200 --seconds-per-move 0.05

    kibitz match chess lc0 "uci:stockfish; Skill Level=3" --network maia-1900.pb.gz --tc 10+0.1

    kibitz match go default "gtp:gnugo --mode gtp --chinese-rules" --position size=9 --seconds-per-move 1

    kibitz match othello uct:c=0.7 uct --games 20000 --sprt 0 10 --output c.jsonl --resume
"""


def register(app: typer.Typer) -> None:
    """Add `match` to the command line."""
    app.command("match", help=_HELP)(match)


def match(
    game: Annotated[str, typer.Argument(help="The game, such as othello.", metavar="GAME")],
    a: Annotated[str, typer.Argument(help="First player.", metavar="A")],
    b: Annotated[str, typer.Argument(help="Second player.", metavar="B")],
    games: Annotated[int, typer.Option(help="Number of games, even.")] = 100,
    simulations: matches.Simulations = None,
    visits: matches.Visits = None,
    seconds_per_move: matches.SecondsPerMove = None,
    time_control: Annotated[
        str | None,
        typer.Option(
            "--tc",
            "--time-control",
            help="Time control: seconds per game + increment per move.",
            metavar="SECONDS+INCREMENT",
        ),
    ] = None,
    network: Annotated[
        str | None,
        typer.Option(
            help="Network file for engines that take one and name none; none: no network.", metavar="FILE"
        ),
    ] = None,
    processes: common.Workers = "1",
    openings: matches.Openings = None,
    position: common.Start = None,
    seed: matches.Seed = 0,
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option(help="SPRT: stop when H0 (ELO0) or H1 (ELO1) is accepted.", metavar="ELO0 ELO1"),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option", "-o", help=f"A setting ({', '.join(_SETTINGS)}). Repeatable.", metavar="NAME=VALUE"
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="Write every game to this file.", metavar="FILE.jsonl")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the match in the output file.")] = False,
    picture: Annotated[
        Path | None, typer.Option(help="Draw the score over the games.", metavar="FILE.svg")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    settings = common.only_settings(option, _SETTINGS)
    file, plies = matches.read_openings(openings)
    workers, fleet = common.read_workers(processes)
    start, dealing = common.read_start(game, position)
    if resume and output is None:
        raise BadOption("--resume needs --output FILE.jsonl, the file to continue")
    first, second = parse_player(a), parse_player(b)
    if network is None:
        _say_bundled(game, (first, second))
    with on_termination() as signals:
        events = run_match(
            game,
            first,
            second,
            games=games,
            budget=Budget(simulations=simulations, visits=visits, seconds=seconds_per_move),
            time_control=time_control,
            network=network,
            openings=file,
            opening_plies=plies,
            position=start,
            processes=workers,
            parallel=settings["parallel"],
            fleet=fleet,
            seed=seed,
            sprt=None if sprt is None else Sprt(*sprt, model=settings["sprt_model"]),
            output=output,
            resume=resume,
            move_timeout=settings["move_timeout"],
            players=dealing.get("players"),
        )
        finished = follow(events, games)
    if picture is not None:
        write_text(picture, score_picture(a, b, finished.history))
    _show(finished.summary, as_json)
    if finished.summary.stopped == "interrupted":
        hint = "; add --resume to the same command to go on" if output is not None else ""
        print(f"kibitz: the match was interrupted{hint}", file=sys.stderr)
        raise typer.Exit(128 + signals[0] if signals else _INTERRUPTED)


def _say_bundled(game: str, players: tuple[PlayerSpec, PlayerSpec]) -> None:
    """Names the network that comes with Kibitz where a player uses it."""
    for text in dict.fromkeys(player.text for player in players if player.is_bundled(game)):
        typer.echo(f"{text}: network: {described(game, load_network(game))}", err=True)


def follow(events: Generator[Event, None, None], games: int) -> MatchFinished:
    """Show how the match goes, also while a game runs, until it ends."""
    state = "match"
    with matches.game_bar(state, games) as bar:
        try:
            for event in events:
                if isinstance(event, Progress):
                    state = _line(event.summary)
                bar.show(event, state)
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
