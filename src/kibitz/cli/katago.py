"""`kibitz katago analysis`: KataGo's analysis engine, with guaranteed moves."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli import common
from kibitz.cli.engines import run_analysis

_HELP = """Run as KataGo's analysis engine: JSON on stdin and stdout.

Takes KataGo's arguments; keys of a config file that have no meaning here are named once and ignored.
Without -model it uses the network that comes with Kibitz, with `-model none` playouts.

Examples:

    kibitz katago analysis -model b6c96.bin.gz

    kibitz katago analysis -model b6c96.bin.gz -config analysis.cfg -override-config maxVisits=100
"""


def register(app: typer.Typer) -> None:
    group = typer.Typer(help="KataGo's protocols.", no_args_is_help=True)
    group.command("analysis", help=_HELP)(analysis)
    app.add_typer(group, name="katago")


def analysis(
    model: Annotated[
        str | None, typer.Option("-model", "--network", help="Network file.", metavar="FILE")
    ] = None,
    old_model: common.OldModel = None,
    human_model: Annotated[
        str | None,
        typer.Option(
            "-human-model",
            "--human-model",
            "--human",
            help="Human model: a network that says what a person would play.",
            metavar="FILE",
        ),
    ] = None,
    config: Annotated[
        Path | None, typer.Option("-config", "--config", help="KataGo's config file.", metavar="FILE")
    ] = None,
    override_config: Annotated[
        list[str] | None,
        typer.Option(
            "-override-config",
            "--override-config",
            help="Settings that override the config file.",
            metavar="K=V,...",
        ),
    ] = None,
    analysis_threads: Annotated[
        int | None,
        typer.Option("-analysis-threads", "--analysis-threads", help="Positions searched at once."),
    ] = None,
    precision: Annotated[str, typer.Option(help="Network precision: fp32, or int8 (faster).")] = "fp32",
    quit_without_waiting: Annotated[
        bool,
        typer.Option("-quit-without-waiting", "--quit-without-waiting", help="Exit when stdin closes."),
    ] = False,
) -> None:
    run_analysis(
        model,
        old_model,
        human_model,
        config,
        override_config,
        analysis_threads,
        precision,
        quit_without_waiting,
    )
