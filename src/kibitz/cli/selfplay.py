"""`kibitz selfplay`: games an engine plays against itself, as data."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli import common
from kibitz.cli.output import progress_bar

_HELP = """Play games of the engine against itself, with or without a network.

FILE.jsonl keeps every game with what the search thought at each move; chess can also be written to
FILE.pgn, with the style score S of each game. The same settings and seed give the same file, whatever the
number of processes, threads and machines. A run that was interrupted goes on with --resume. With --style,
games start from opening lines with the chance strength * alpha + base, and the search is biased towards the
style. With `-o resign=0.02` a side that is lost gives up, except in a share of games that checks how often
that is wrong. At few visits, `-o rule=gumbel` learns most.

A FOLDER or URL (s3://...) gets the games as samples for training instead: the workers write them, so any
number of machines can play. With --resume, a run whose command died goes on, on whatever machine it is given.

Examples:

    kibitz selfplay othello --games 1000 --visits 200 -o temperature_plies=20 --output games.jsonl

    kibitz selfplay othello --games 500 --network NET --visits 16 -o rule=gumbel --output games.jsonl

    kibitz selfplay go --position size=9 --games 100 --network b6c96.bin.gz --visits 64 --output games.jsonl

    kibitz selfplay othello --games 100000 --network NET --processes ray:HEAD:6379 --output s3://bucket/run

    kibitz selfplay chess --games 1000 --network maia-1900.pb.gz --style medium --output medium.pgn
"""

_INTERRUPTED = 130

#: Settings of a run that few change, with their defaults (kibitz.training.settings; `openings` is a file of
#: opening lines, in chess `hypermodern` takes Kibitz's own); and for each process:
#: games at once (0: as many as suit the network) and threads. `norm` is a style_norm.json, `shard_games` the
#: games of a shard.
_SETTINGS = {
    "openings": "",
    "alpha": 0.5,
    "base": 0.0,
    "contact_temperature": 1.0,
    "style_network": "",
    "precision": "fp32",
    "runtime": "auto",
    "plies": 0,
    "temperature_plies": 0,
    "opening_plies": 0,
    "fast_visits": 0,
    "full_share": 0.25,
    "resign": 0.0,
    "play_out": 0.1,
    "parallel": 0,
    "threads": 1,
    "norm": "",
    "shard_games": 64,
}


def register(app: typer.Typer) -> None:
    app.command("selfplay", help=_HELP)(selfplay)


def selfplay(
    game: common.Game,
    output: Annotated[
        str, typer.Option(help="Where to write the games.", metavar="FILE.jsonl|FILE.pgn|FOLDER|URL")
    ],
    games: Annotated[int, typer.Option(help="Number of games.")] = 100,
    visits: Annotated[
        int | None, typer.Option(help="Root visits per move. [default: 100 without other limit]")
    ] = None,
    simulations: Annotated[int | None, typer.Option(help="Simulations per move.")] = None,
    style: Annotated[
        str, typer.Option(help="Playing style: off, light, medium, strong, NAME:LEVEL.", metavar="STYLE")
    ] = "off",
    network: Annotated[
        str | None,
        typer.Option(
            help="A network file, or a name from `nets list`; none: no network."
            " [default: the bundled one, where the game has one]",
            metavar="FILE",
        ),
    ] = None,
    preset: Annotated[
        str, typer.Option(help="A named set of options. `default` is the network's, where there is one.")
    ] = "default",
    position: common.Start = None,
    temperature: Annotated[float, typer.Option(help="Moves are drawn by visits ^ (1 / temperature).")] = 1.0,
    seed: Annotated[int, typer.Option(help="Random seed of the run.")] = 0,
    processes: common.Workers = "1",
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            "-o",
            help=f"A search option, or a setting of the run ({', '.join(_SETTINGS)}). Repeatable.",
            metavar="NAME=VALUE",
        ),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Resume an interrupted run.")] = False,
) -> None:
    from kibitz.errors import BadOption
    from kibitz.files.store import open_store
    from kibitz.fleet.termination import on_termination
    from kibitz.games.networks import network_file
    from kibitz.request import Budget
    from kibitz.style import load_norm, measure_pgn
    from kibitz.training.resignation import ResignationCheck
    from kibitz.training.samples.manifest import MANIFEST, Manifest
    from kibitz.training.selfplay import run_selfplay
    from kibitz.training.settings import SelfplaySettings
    from kibitz.training.shard_run import Place, check_of, run_shards

    start, dealing = common.read_start(game, position)
    workers, fleet = common.read_workers(processes)
    own, options = common.read_settings(option, _SETTINGS)
    parallel, threads, norm = own.pop("parallel"), own.pop("threads"), own.pop("norm")
    shard_games = own.pop("shard_games")
    if visits is None and simulations is None:
        visits = 100
    settings = SelfplaySettings(
        game,
        games=games,
        budget=Budget(simulations=simulations, visits=visits),
        seed=seed,
        position=start or "",
        temperature=temperature,
        style="" if style == "off" else style,
        preset=preset,
        network=network_file(game, network, preset, options) or "",
        options=options,
        **{**own, **dealing},
    )
    chosen = load_norm(norm or None)
    check = ResignationCheck()
    steps: Iterator[int]
    if Path(output).suffix in (".jsonl", ".pgn"):
        steps = run_selfplay(
            settings,
            output,
            processes=workers,
            parallel=parallel or None,
            threads=threads,
            fleet=fleet,
            resume=resume,
            norm=chosen,
            sink=check,
        )
    else:
        if not resume and MANIFEST in open_store(output).names():
            raise BadOption(f"{output} has samples; go on with --resume, or give another folder")
        where = Place(workers, parallel, threads, fleet)
        steps = run_shards(settings, output, place=where, shard_games=shard_games, wait=resume)
    with on_termination() as signals:
        try:
            with progress_bar("games", games) as progress:
                task, shown = progress.tasks[0].id, 0
                for done in steps:
                    progress.advance(task, done - shown)
                    shown = done
        except KeyboardInterrupt:
            print("kibitz: interrupted; add --resume to the same command to go on", file=sys.stderr)
            raise typer.Exit(128 + signals[0] if signals else _INTERRUPTED) from None
    summary = f"{output}: {games:,} games"
    if output.endswith(".pgn"):
        scores = chosen.scores(measure_pgn(output, window=chosen.window))
        summary += f", S {scores.mean():.3f} (sd {scores.std():.3f})"
    elif not output.endswith(".jsonl"):
        manifest = Manifest.read(output)
        check = check_of(manifest.shards)
        summary += f", {manifest.positions:,} positions in {len(manifest.shards):,} shards"
    if settings.resign:
        summary += f"; {check}"
    typer.echo(summary)
