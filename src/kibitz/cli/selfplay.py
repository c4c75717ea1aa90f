"""`kibitz selfplay`: games an engine plays against itself, as PGN."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli import common
from kibitz.errors import BadOption

__all__ = ["register"]

_HELP = """Let the engine play games against itself and write them as PGN, with the style score S of each.

The same settings and seed give the same file, whatever the number of processes. A run that was interrupted
goes on with --resume. With --style, games start from opening lines with the chance
strength * alpha + base, and the search leans to the style.

Examples:

    kibitz selfplay chess --games 1000 --visits 8 --plies 24 --network maia-1900.pb.gz --output off.pgn

    kibitz selfplay chess --games 1000 --visits 8 --plies 24 --network maia-1900.pb.gz --style medium --openings hypermodern --output medium.pgn
"""  # noqa: E501

_INTERRUPTED = 130


def register(app: typer.Typer) -> None:
    app.command("selfplay", help=_HELP)(selfplay)


def selfplay(
    game: common.Game,
    output: Annotated[Path, typer.Option(help="Where to write the games.", metavar="FILE.pgn")],
    games: Annotated[int, typer.Option(help="How many games.")] = 100,
    visits: Annotated[int, typer.Option(help="Visits of the root a move.")] = 100,
    style: Annotated[
        str, typer.Option(help="off, light, medium, strong, or a strength.", metavar="LEVEL")
    ] = "off",
    openings: Annotated[
        str, typer.Option(help="File of opening lines; hypermodern takes Kibitz's own.", metavar="FILE")
    ] = "",
    alpha: Annotated[float, typer.Option(help="Chance of an opening line for each unit of strength.")] = 0.5,
    base: Annotated[float, typer.Option(help="Chance of an opening line without any style.")] = 0.0,
    contact_prior: Annotated[
        float, typer.Option(help="Factor of the prior of early contact of central pawns.")
    ] = 1.0,
    contact_temperature: Annotated[
        float, typer.Option(help="Factor of the temperature where early contact is the favourite.")
    ] = 1.0,
    network: Annotated[str, typer.Option(help="An Lc0 network.", metavar="FILE")] = "",
    precision: Annotated[str, typer.Option(help="Of the network: fp32 or int8.")] = "fp32",
    runtime: Annotated[str, typer.Option(help="Of the network: native, onnxruntime or openvino.")] = "native",
    preset: Annotated[str | None, typer.Option(help="A named set of options; lc0 with a network.")] = None,
    plies: Annotated[int, typer.Option(help="Break games off after so many plies; 0 plays on.")] = 0,
    temperature: Annotated[float, typer.Option(help="Moves are drawn by visits ^ (1 / temperature).")] = 1.0,
    temperature_plies: Annotated[
        int, typer.Option(help="After so many plies the best is played; 0 never.")
    ] = 0,
    seed: Annotated[int, typer.Option(help="Of all random numbers.")] = 0,
    processes: Annotated[int, typer.Option(help="Processes that play.")] = 1,
    parallel: Annotated[int | None, typer.Option(help="Games at once in each process.")] = None,
    option: common.Option = None,
    norm: Annotated[
        Path | None, typer.Option(help="A style_norm.json; Kibitz's own by default.", metavar="FILE")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with an interrupted run.")] = False,
) -> None:
    from kibitz.steering import STYLE_LEVELS, make_style, style_options
    from kibitz.style import load_norm, measure_pgn
    from kibitz.training.selfplay import run_selfplay
    from kibitz.training.settings import SelfplaySettings

    if game != "chess":
        raise BadOption(f"self-play knows chess only, not {game}")
    wish = make_style(style)
    if wish is None or not style_options(wish, game):
        raise BadOption(f"--style takes {', '.join(STYLE_LEVELS)} or a strength, got {style!r}")
    settings = SelfplaySettings(
        games=games,
        visits=visits,
        seed=seed,
        plies=plies,
        temperature=temperature,
        temperature_plies=temperature_plies,
        style=wish.strength,
        openings=openings,
        alpha=alpha,
        base=base,
        contact_prior=contact_prior,
        contact_temperature=contact_temperature,
        preset=preset or ("lc0" if network else "default"),
        network=network,
        precision=precision,
        runtime=runtime,
        options=common.read_options(option),
    )
    chosen = load_norm(norm)
    try:
        with common.progress_bar("games", games) as progress:
            for done in run_selfplay(
                settings, output, processes=processes, parallel=parallel, resume=resume, norm=chosen
            ):
                progress.update(progress.tasks[0].id, completed=done)
    except KeyboardInterrupt:
        print("kibitz: interrupted; add --resume to the same command to go on", file=sys.stderr)
        raise typer.Exit(_INTERRUPTED) from None
    scores = chosen.scores(measure_pgn(output, window=chosen.window))
    typer.echo(f"{output}: {games:,} games, S {scores.mean():.3f} (sd {scores.std():.3f})")
