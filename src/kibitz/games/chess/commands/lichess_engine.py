"""`kibitz lichess-engine`: this machine answers the analysis board of lichess.org."""

from __future__ import annotations

import os

import typer

from kibitz.cli import common
from kibitz.errors import BadOption
from kibitz.protocols.lichess import BROKER, LICHESS, Provider

_HELP = """Answer the analysis board of lichess.org with the engine of this machine.

LICHESS_TOKEN holds a token of your account with the scopes engine:read and engine:write
(lichess.org/account/oauth/token). The engine then appears on the analysis board, under Engine manager.

Example: LICHESS_TOKEN=lip_... kibitz lichess-engine -o threads=2
"""

#: What few change: the engine's name on the board, its threads and memory, other servers.
_SETTINGS = {"name": "Kibitz", "threads": 1, "hash": 256, "lichess": LICHESS, "broker": BROKER}


def register(app: typer.Typer) -> None:
    app.command("lichess-engine", help=_HELP)(lichess_engine)


def lichess_engine(option: common.Option = None) -> None:
    settings, others = common.read_settings(option, _SETTINGS)
    if others:
        known = ", ".join(_SETTINGS)
        raise BadOption(f"unknown setting {next(iter(others))!r}, expected one of {known}")
    token = os.environ.get("LICHESS_TOKEN", "")
    if not token:
        raise BadOption(
            "set LICHESS_TOKEN to a token of your Lichess account with engine:read and engine:write"
        )
    provider = Provider(
        token,
        settings["name"],
        settings["threads"],
        settings["hash"],
        settings["lichess"],
        settings["broker"],
        say=lambda text: typer.echo(text, err=True),
    )
    name = provider.register()
    typer.echo(f"registered as {settings['name']} ({name}); Ctrl-C ends it", err=True)
    try:
        provider.serve()
    finally:
        provider.stop()
