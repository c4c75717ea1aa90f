"""`kibitz gtp`: the Go Text Protocol for graphical boards."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from kibitz import __version__
from kibitz.cli import common
from kibitz.cli.networks import load_network
from kibitz.engine import Engine
from kibitz.errors import BadOption
from kibitz.protocols.gtp import GtpServer
from kibitz.protocols.katago_settings import Settings, read_config

__all__ = ["register"]

_HELP = """Run as a GTP engine on stdin and stdout, with KataGo's extensions.

`kata-analyze 50 include D4,Q16 20` guarantees those moves 20 visits each.

Example:

    kibitz gtp --game go --network b6c96.bin.gz --visits 200
"""


def register(app: typer.Typer) -> None:
    app.command("gtp", help=_HELP)(gtp)


def gtp(
    game: Annotated[str, typer.Option(help="The game: go.")] = "go",
    network_file: Annotated[
        str | None, typer.Option("--network", "-model", help="Network file.", metavar="FILE")
    ] = None,
    model: common.OldModel = None,
    config: Annotated[
        Path | None, typer.Option("--config", "-config", help="KataGo's config file.", metavar="FILE")
    ] = None,
    visits: Annotated[int | None, typer.Option(help="Visits per move.")] = None,
    seconds: Annotated[float | None, typer.Option(help="Seconds per move.")] = None,
    precision: Annotated[str, typer.Option(help="Network precision: fp32, or int8 (faster).")] = "fp32",
) -> None:
    if game != "go":
        raise BadOption(f"GTP is for go, not for {game}")
    # A game that is played shows the network its moves, and keeps its tree.
    settings = Settings(options={"history": "full", "reuse": True}, perspective="SIDETOMOVE")
    unknown = settings.apply(read_config(config)) if config else []
    if visits is not None:
        settings.apply({"maxVisits": str(visits)})
    if seconds is not None:
        settings.apply({"maxTime": str(seconds)})
        if visits is None:
            settings.max_visits = 2**50
    if unknown:
        typer.echo(f"ignored, no meaning here: {', '.join(sorted(unknown))}", err=True)
    network = None
    network_file = network_file or model
    if network_file is not None:
        network, tuning = load_network(network_file, precision, tuned=settings.tune)
        settings.tune(tuning)
    with Engine(game, network=network) as engine:
        GtpServer(engine, settings, sys.stdout, version=__version__).serve(iter(sys.stdin.readline, ""))
