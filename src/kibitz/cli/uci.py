"""`kibitz uci`: the engine for chess GUIs."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["register"]

_HELP = """Speak UCI, the protocol of chess programs, on the standard streams. Enter this command in your GUI.

Without a network it plays with a judgement of its own; give it one with --weights, or with the option
WeightsFile in the GUI. Options: docs/uci.md.

Example: kibitz uci --weights maia-1900.pb.gz --option Threads=2
"""


def register(app: typer.Typer) -> None:
    app.command("uci", help=_HELP)(uci)


def uci(
    weights: Annotated[
        str, typer.Option(help="An Lc0 network, as the option WeightsFile.", metavar="FILE")
    ] = "",
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option", "-o", help="A UCI option, such as MultiPV=3. Repeatable.", metavar="NAME=VALUE"
        ),
    ] = None,
) -> None:
    from kibitz.errors import BadOption
    from kibitz.protocols.uci import run

    settings = [("WeightsFile", weights)] if weights else []
    for item in option or ():
        name, equals, value = item.partition("=")
        if not equals:
            raise BadOption(f"--option takes NAME=VALUE, got {item!r}")
        settings.append((name, value))
    run(settings=settings)
