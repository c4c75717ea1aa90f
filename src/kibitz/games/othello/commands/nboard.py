"""`kibitz nboard`: the engine behind the NBoard program."""

from __future__ import annotations

import sys

import typer

from kibitz.arena import parse_player
from kibitz.errors import BadOption
from kibitz.games.othello.commands.otp import Spec, make_engine

_HELP = """Run as an NBoard engine (protocol version 2) on stdin and stdout.

In NBoard choose Engine, Add engine and give this command. `set depth` is turned into simulations, see
docs/nboard.md. `--engine level:casual` plays like a weaker player.

Example: printf 'nboard 2\\nset depth 8\\ngo\\n' | kibitz nboard --engine uct:c=0.7
"""


def register(app: typer.Typer) -> None:
    app.command("nboard", help=_HELP)(nboard)


def nboard(
    engine: Spec = "default",
) -> None:
    from kibitz.levels import get_level
    from kibitz.protocols.nboard import NBoard
    from kibitz.protocols.streams import Output

    player = parse_player(engine)
    level = get_level("othello", player.argument) if player.kind == "level" else None
    made, limit = make_engine(engine if level is None else "default")
    if limit:
        raise BadOption(
            f"bad engine {engine!r}: NBoard sets the limits itself, with `set depth` and the clock"
        )
    with made:
        NBoard(made, send=Output(sys.stdout).say, level=level).run(sys.stdin.buffer)
