"""`kibitz gtp`: the Go Text Protocol for graphical boards."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli import common
from kibitz.cli.engines import run_gtp

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
    run_gtp(
        network_file,
        model,
        config,
        visits,
        seconds,
        precision,
        override_config,
        human_model,
        override_version,
        as_katago,
    )
