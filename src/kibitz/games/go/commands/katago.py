"""`kibitz katago analysis`: KataGo's analysis engine, with guaranteed moves."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli import common
from kibitz.cli.engines import run_analysis
from kibitz.errors import BadOption

_HELP = """Run as KataGo's analysis engine: JSON on stdin and stdout.

Takes KataGo's arguments; keys of a config file that have no meaning here are named once and ignored.
Without -model it uses the network that comes with Kibitz, with `-model none` playouts.

Examples:

    kibitz katago analysis -model b6c96.bin.gz

    kibitz katago analysis -model b6c96.bin.gz -config analysis.cfg -override-config maxVisits=100
"""


#: Known again when it is written anew.
_MARK = "Written by kibitz katago install-wrapper"
_SHELL = """#!/bin/sh
# {mark}
case "$1" in
  analysis) shift; exec {python} -m kibitz katago analysis "$@" ;;
  gtp) shift; exec {python} -m kibitz gtp --as-katago "$@" ;;
  version) exec {python} -m kibitz --version ;;
  *) echo "Kibitz in place of KataGo knows analysis, gtp and version" >&2; exit 2 ;;
esac
"""
_BATCH = f"""@echo off\r
rem {_MARK}\r
set words=%*\r
if "%1"=="analysis" "{sys.executable}" -m kibitz katago %words%\r
if "%1"=="gtp" "{sys.executable}" -m kibitz %words% --as-katago\r
if "%1"=="version" "{sys.executable}" -m kibitz --version\r
"""

_WRAPPER_HELP = """Write a program `katago` that boards can be pointed at.

KaTrain, Lizzieyzy, q5Go and Sabaki start a program file with `analysis` or `gtp` behind it; this one starts
Kibitz.

Example: kibitz katago install-wrapper ~/bin
"""


def register(app: typer.Typer) -> None:
    group = typer.Typer(help="KataGo's protocols.", no_args_is_help=True)
    group.command("analysis", help=_HELP)(analysis)
    group.command("install-wrapper", help=_WRAPPER_HELP)(install_wrapper)
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


def install_wrapper(
    folder: Annotated[Path, typer.Argument(help="Folder to write it to.", metavar="FOLDER")],
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    windows = sys.platform == "win32"
    path = folder.resolve() / ("katago.bat" if windows else "katago")
    if path.exists() and _MARK not in path.read_text(encoding="utf-8", errors="replace"):
        raise BadOption(f"{path} is another program; name another folder")
    text = _BATCH if windows else _SHELL.format(mark=_MARK, python=shlex.quote(sys.executable))
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    typer.echo(f"wrote {path}; KaTrain: General settings, Path to KataGo executable; others: engine command")
