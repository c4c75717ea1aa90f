"""`kibitz uci`: the engine for chess GUIs."""

from __future__ import annotations

from typing import Annotated

import typer

from kibitz.cli import common
from kibitz.cli.engines import run_uci

_HELP = """Run as a UCI chess engine on stdin and stdout. Enter this command in your GUI.

It uses the network that comes with Kibitz, or the one of --network or of the option WeightsFile in the GUI;
with `none` a hand-written evaluation. Options: docs/uci.md.

Example: kibitz uci --network maia-1900.pb.gz --option Threads=2
"""


def register(app: typer.Typer) -> None:
    app.command("uci", help=_HELP)(uci)


def uci(
    network: Annotated[
        str | None, typer.Option(help="Lc0 network file; sets the UCI option WeightsFile.", metavar="FILE")
    ] = None,
    weights: common.OldWeights = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option", "-o", help="A UCI option, such as MultiPV=3. Repeatable.", metavar="NAME=VALUE"
        ),
    ] = None,
) -> None:
    run_uci(network, weights, option)
