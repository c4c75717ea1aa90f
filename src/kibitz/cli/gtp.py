"""`kibitz gtp`: the Go Text Protocol for graphical boards."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from kibitz import __version__
from kibitz.cli import common
from kibitz.cli.networks import describe_network, load_human_model, load_network
from kibitz.engine import Engine
from kibitz.games.bundled import NONE
from kibitz.games.networks import network_file as chosen_file
from kibitz.protocols.gtp import GtpServer
from kibitz.protocols.katago_settings import Settings, read_config, read_overrides

#: The version of KataGo whose commands and answers these are.
KATAGO_VERSION = "1.17.2"

_HELP = """Run as a GTP engine on stdin and stdout, with KataGo's extensions.

`kata-analyze 50 include D4,Q16 20` guarantees those moves 20 visits each, and with a human model
`kata-analyze 50 humanPolicyAbove 0.05 20` what a person would play.

Example:

    kibitz gtp --network b6c96.bin.gz --visits 200
"""


def register(app: typer.Typer) -> None:
    app.command("gtp", help=_HELP)(gtp)


def gtp(
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
    override_config: Annotated[
        list[str] | None,
        typer.Option(
            "--override-config",
            "-override-config",
            help="Settings that override the config file.",
            metavar="K=V,...",
        ),
    ] = None,
    human_model: Annotated[
        str | None,
        typer.Option(
            "--human-model",
            "-human-model",
            "--human",
            help="Human model: a network that says what a person would play.",
            metavar="FILE",
        ),
    ] = None,
    override_version: Annotated[
        str | None,
        typer.Option("--override-version", "-override-version", help="Answer to the command `version`."),
    ] = None,
    as_katago: Annotated[
        bool,
        typer.Option(
            "--as-katago",
            help="Give KataGo's name and version, for GUIs that look for them.",
        ),
    ] = False,
) -> None:
    # A game that is played shows the network its moves, and keeps its tree.
    settings = Settings(options={"history": "full", "reuse": True}, perspective="SIDETOMOVE")
    given = {**(read_config(config) if config else {}), **read_overrides(override_config)}
    unknown = settings.apply(given)
    for note in settings.without_effect(given):
        typer.echo(note, err=True)
    if visits is not None:
        settings.apply({"maxVisits": str(visits)})
    if seconds is not None:
        settings.apply({"maxTime": str(seconds)})
        if visits is None:
            settings.max_visits = 2**50
    if unknown:
        typer.echo(f"ignored, no meaning here: {', '.join(sorted(unknown))}", err=True)
    network, about = None, None
    network_file = chosen_file("go", network_file or model)
    if network_file is not None:
        network, tuning = load_network(network_file, precision, tuned=settings.tune)
        settings.tune(tuning)
        about = describe_network(network_file, network, settings)
    version = override_version or (KATAGO_VERSION if as_katago else __version__)
    human = load_human_model("go", human_model)
    with Engine("go", network=network or NONE, human=human) as engine:
        server = GtpServer(
            engine,
            settings,
            sys.stdout,
            version=version,
            name="KataGo" if as_katago else "Kibitz",
            about=about,
        )
        server.serve(sys.stdin.buffer)
