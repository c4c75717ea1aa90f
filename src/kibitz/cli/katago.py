"""`kibitz katago analysis`: KataGo's analysis engine, with guaranteed moves."""

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
from kibitz.games.networks import network_file
from kibitz.protocols.katago import AnalysisServer
from kibitz.protocols.katago_settings import Settings, read_config, read_overrides

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
    settings = Settings()
    given = {**(read_config(config) if config else {}), **read_overrides(override_config)}
    unknown = settings.apply(given)
    if analysis_threads is not None:
        settings.apply({"numAnalysisThreads": str(analysis_threads)})
    _say(f"kibitz {__version__}, KataGo's analysis engine")
    if unknown:
        _say(f"ignored, no meaning here: {', '.join(sorted(unknown))}")
    network, about = None, None
    model = network_file("go", model or old_model)
    if model is None:
        _say("no network: searching with playouts")
    else:
        network, tuning = load_network(model, precision, tuned=settings.tune)
        about = describe_network(model, network, settings)
        settings.tune(tuning)
        if analysis_threads is None and "numAnalysisThreads" not in given:
            settings.analysis_threads = tuning.streams

    human = load_human_model("go", human_model)

    def make_engine() -> Engine:
        return Engine("go", network=network or NONE, human=human)

    threads = settings.options.get("threads")
    each = f"{threads} search threads each" if threads else f"{settings.streams} search threads for one alone"
    _say(f"{settings.analysis_threads} positions at once, {each}")
    server = AnalysisServer(make_engine, settings, sys.stdout, about=about, version=__version__)
    _say("Started, ready to begin handling requests")
    server.serve(sys.stdin.buffer, wait=not quit_without_waiting)


def _say(text: str) -> None:
    typer.echo(text, err=True)
