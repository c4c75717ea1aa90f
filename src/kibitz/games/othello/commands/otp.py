"""`kibitz otp`: play under an OTP judge."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from kibitz.arena import parse_player
from kibitz.engine import Engine
from kibitz.errors import BadOption
from kibitz.games.othello.commands.judge import read_port

_HELP = """Connect to an OTP judge and play until it says quit.

The player is a preset with options (uct, uct:c=0.7,simulations=5000,seed=1), or random (random:seed=1). It
thinks one second a move unless a budget is given. A line for every request of the judge goes to stdout.

Example: kibitz otp 127.0.0.1 7122 --engine uct:c=0.7,simulations=5000
"""

Spec = Annotated[str, typer.Option("--engine", "--preset", help="Engine, such as uct:c=0.7.", metavar="SPEC")]


def register(app: typer.Typer) -> None:
    app.command("otp", help=_HELP)(otp)


def otp(
    host: Annotated[str, typer.Argument(help="The judge's address.", metavar="HOST")] = "",
    port: Annotated[str, typer.Argument(help="The judge's port.", metavar="PORT")] = "",
    engine: Spec = "default",
    connect_timeout: Annotated[float, typer.Option(help="Seconds to wait for the judge.")] = 3.0,
    debug: Annotated[bool, typer.Option("--debug", help="Print the search tree to stderr.")] = False,
) -> None:
    from kibitz.protocols.otp import OTP, ROTP, serve

    if not host:
        raise BadOption("a HOST and a PORT are missing, expected for example: kibitz otp 127.0.0.1 7122")
    number = read_port(port, "kibitz otp 127.0.0.1 7122")

    def tell(line: str) -> None:
        print(line, flush=True)

    called = f"kibitz-{engine.partition(':')[0]}"
    player, colon, seed = engine.strip().partition(":seed=")
    if player == "random" and (seed.isdecimal() or not colon):
        own = ROTP(called, int(seed) if colon else None)
        serve(own, host, number, connect_seconds=connect_timeout, tell=tell)
        return
    made, limit = make_engine(engine)
    with made:
        thinking = OTP(made, name=called, debug=debug, **limit)
        serve(thinking, host, number, connect_seconds=connect_timeout, tell=tell)


def make_engine(spec: str) -> tuple[Engine, dict[str, Any]]:
    """The Othello engine a text names, and the limits in that text."""
    player = parse_player(spec)
    if player.kind != "engine":
        raise BadOption(f"bad engine {spec!r}, expected a preset such as default or uct:c=0.7")
    limit = player.budget.to_dict()
    if "visits" in limit:
        raise BadOption(f"bad engine {spec!r}: expected a limit by simulations or seconds, not by visits")
    return Engine("othello", player.argument, **player.options), limit
