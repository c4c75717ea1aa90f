"""`kibitz nboard`: the engine behind the NBoard program."""

from __future__ import annotations

import sys

import typer

from kibitz.errors import BadOption
from kibitz.games.othello.commands.otp import Spec, make_engine

_HELP = """Run as an NBoard engine (protocol version 2) on stdin and stdout.

In NBoard choose Engine, Add engine and give this command. `set depth` is turned into simulations, see
docs/nboard.md.

Example: printf 'nboard 2\\nset depth 8\\ngo\\n' | kibitz nboard --engine uct:c=0.7
"""


def register(app: typer.Typer) -> None:
    app.command("nboard", help=_HELP)(nboard)


def nboard(
    engine: Spec = "default",
) -> None:
    from kibitz.protocols.nboard import NBoard
    from kibitz.protocols.streams import Output

    made, limit = make_engine(engine)
    if limit:
        raise BadOption(
            f"bad engine {engine!r}: NBoard sets the limits itself, with `set depth` and the clock"
        )
    with made:
        NBoard(made, send=Output(sys.stdout).say).run(sys.stdin.buffer)
