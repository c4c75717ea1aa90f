"""`kibitz selfplay`: games an engine plays against itself, as data."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli import common
from kibitz.errors import BadOption

__all__ = ["register"]

_HELP = """Play games of the engine against itself, with or without a network.

FILE.jsonl keeps every game with what the search thought at each move; chess can also be written to
FILE.pgn, with the style score S of each game. The same settings and seed give the same file, whatever the
number of processes, threads and machines. A run that was interrupted goes on with --resume. With --style,
games start from opening lines with the chance strength * alpha + base, and the search is biased towards the
style. With --resign a side that is lost gives up, except in a share of games that checks how often that is
wrong. At few visits, `-o rule=gumbel` learns most.

Examples:

    kibitz selfplay othello --games 1000 --visits 200 --temperature-plies 20 --output games.jsonl

    kibitz selfplay othello --games 500 --network NET --visits 16 -o rule=gumbel --output games.jsonl

    kibitz selfplay go --size 9 --games 100 --network b6c96.bin.gz --visits 64 --output games.jsonl

    kibitz selfplay chess --games 1000 --network maia-1900.pb.gz --style medium --output medium.pgn
"""

_INTERRUPTED = 130


def register(app: typer.Typer) -> None:
    app.command("selfplay", help=_HELP)(selfplay)


def selfplay(
    game: common.Game,
    output: Annotated[Path, typer.Option(help="Where to write the games.", metavar="FILE.jsonl|FILE.pgn")],
    games: Annotated[int, typer.Option(help="Number of games.")] = 100,
    visits: Annotated[
        int | None, typer.Option(help="Root visits per move. [default: 100 without other limit]")
    ] = None,
    simulations: Annotated[int | None, typer.Option(help="Simulations per move.")] = None,
    style: Annotated[
        str, typer.Option(help="Playing style: off, light, medium, strong, NAME:LEVEL.", metavar="STYLE")
    ] = "off",
    openings: Annotated[
        str,
        typer.Option(help="File of opening lines; in chess, hypermodern takes Kibitz's own.", metavar="FILE"),
    ] = "",
    alpha: Annotated[float, typer.Option(help="Chance of an opening line per unit of style strength.")] = 0.5,
    base: Annotated[float, typer.Option(help="Chance of an opening line without any style.")] = 0.0,
    contact_prior: Annotated[
        float, typer.Option(help="Chess: factor of the prior of early contact of central pawns.")
    ] = 1.0,
    contact_temperature: Annotated[
        float, typer.Option(help="Chess: factor of the temperature where early contact is the favourite.")
    ] = 1.0,
    network: Annotated[
        str, typer.Option(help="A network file, or a name from `nets list`.", metavar="FILE")
    ] = "",
    style_network: Annotated[
        str,
        typer.Option(help="A network for the positions where the style has a say.", metavar="FILE"),
    ] = "",
    precision: Annotated[str, typer.Option(help="Precision of the network: fp32 or int8.")] = "fp32",
    runtime: Annotated[
        str, typer.Option(help="Runtime of the network: auto, native, onnxruntime or openvino.")
    ] = "auto",
    preset: Annotated[
        str, typer.Option(help="A named set of options. `default` is the network's, where there is one.")
    ] = "default",
    position: Annotated[str, typer.Option(help="Start position of the games.", metavar="NOTATION")] = "",
    size: common.Size = None,
    rules: common.Rules = None,
    komi: common.Komi = None,
    players: Annotated[int, typer.Option(help="Junqi: 2 or 4 players.")] = 4,
    plies: Annotated[int, typer.Option(help="Stop games after this many plies; 0 for no limit.")] = 0,
    temperature: Annotated[float, typer.Option(help="Moves are drawn by visits ^ (1 / temperature).")] = 1.0,
    temperature_plies: Annotated[
        int, typer.Option(help="Plies after which the best move is played; 0 for never.")
    ] = 0,
    fast_visits: Annotated[
        int, typer.Option(help="Playout cap randomization: visits of the moves that teach no policy; 0 off.")
    ] = 0,
    full_share: Annotated[
        float, typer.Option(help="Share of moves searched in full, with --fast-visits.")
    ] = 0.25,
    resign: Annotated[float, typer.Option(help="Root value at which a side resigns; 0 never.")] = 0.0,
    play_out: Annotated[float, typer.Option(help="Share of games in which nobody may resign.")] = 0.1,
    seed: Annotated[int, typer.Option(help="Random seed of the run.")] = 0,
    processes: Annotated[
        int, typer.Option(help="Worker processes; with --fleet ray, 0 is one for each CPU.")
    ] = 1,
    parallel: Annotated[int | None, typer.Option(help="Games at once in each process.")] = None,
    threads: Annotated[int, typer.Option(help="Native threads of each process.")] = 1,
    fleet: common.Fleet = "local",
    option: common.Option = None,
    norm: Annotated[
        Path | None, typer.Option(help="A style_norm.json. [default: the packaged norm]", metavar="FILE")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Resume an interrupted run.")] = False,
) -> None:
    from kibitz.arena import Budget, start_position
    from kibitz.fleet import on_termination
    from kibitz.games import registry
    from kibitz.style import load_norm, measure_pgn
    from kibitz.training.resignation import ResignationCheck
    from kibitz.training.selfplay import run_selfplay
    from kibitz.training.settings import SelfplaySettings

    if size is not None or rules is not None or komi is not None:
        if position:
            raise BadOption("--position says everything itself; give no --size, --rules or --komi with it")
        position = start_position(registry.get(game).position, size, rules, komi).notation
    if visits is None and simulations is None:
        visits = 100
    settings = SelfplaySettings(
        game,
        games=games,
        budget=Budget(simulations=simulations, visits=visits),
        seed=seed,
        position=position,
        players=players,
        plies=plies,
        temperature=temperature,
        temperature_plies=temperature_plies,
        fast_visits=fast_visits,
        full_share=full_share,
        resign=resign,
        play_out=play_out,
        style="" if style == "off" else style,
        openings=openings,
        alpha=alpha,
        base=base,
        contact_prior=contact_prior,
        contact_temperature=contact_temperature,
        preset=preset,
        network=network,
        style_network=style_network,
        precision=precision,
        runtime=runtime,
        options=common.read_options(option),
    )
    chosen = load_norm(norm)
    check = ResignationCheck()
    with on_termination() as signals:
        try:
            with common.progress_bar("games", games) as progress:
                task, shown = progress.tasks[0].id, 0
                for done in run_selfplay(
                    settings,
                    output,
                    processes=processes,
                    parallel=parallel,
                    threads=threads,
                    fleet=fleet,
                    resume=resume,
                    norm=chosen,
                    sink=check,
                ):
                    progress.advance(task, done - shown)
                    shown = done
        except KeyboardInterrupt:
            print("kibitz: interrupted; add --resume to the same command to go on", file=sys.stderr)
            raise typer.Exit(128 + signals[0] if signals else _INTERRUPTED) from None
    told = f"{output}: {games:,} games"
    if output.suffix == ".pgn":
        scores = chosen.scores(measure_pgn(output, window=chosen.window))
        told += f", S {scores.mean():.3f} (sd {scores.std():.3f})"
    if resign:
        told += f"; {check}"
    typer.echo(told)
