"""`kibitz judge`: two OTP players, some rounds, one result."""

from __future__ import annotations

import json
import re
from typing import Annotated

import typer

from kibitz.cli import common
from kibitz.errors import BadOption

_HELP = """Judge a match of two OTP players who connect to PORT.

Colours swap each round. A player who answers late, wrongly or not at all loses the round and all that remain.
The last two lines are the result: NAME:... QUIT:... WIN:... LOSE:... DRAW:...

Example: kibitz judge 7122 & kibitz otp 127.0.0.1 7122 & kibitz otp 127.0.0.1 7122 --engine random
"""


def register(app: typer.Typer) -> None:
    app.command("judge", help=_HELP)(judge)


def judge(
    port: Annotated[str, typer.Argument(help="Where players connect, 1 to 65535.", metavar="PORT")] = "",
    rounds: Annotated[int, typer.Option(help="Number of games.")] = 2,
    host: Annotated[
        str, typer.Option(help="The address to listen on; only this machine can connect by default.")
    ] = "127.0.0.1",
    timeouts: Annotated[
        str,
        typer.Option(help="Seconds for both to connect, for a move, for any other answer.", metavar="C,M,A"),
    ] = "10,10,1",
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Read answers as the classic judge does: one packet, no line end."),
    ] = False,
    seed: Annotated[
        int | None, typer.Option(help="Random seed that draws black. [default: the first to connect]")
    ] = None,
    as_json: common.AsJson = False,
) -> None:
    from kibitz.protocols.judge import run_judge

    number = read_port(port, "kibitz judge 7122")

    seconds = timeouts.split(",")
    if len(seconds) != 3 or not all(re.fullmatch(r"\d+(\.\d+)?", each.strip()) for each in seconds):
        raise BadOption(f"--timeouts takes three numbers of seconds such as 10,10,1, got {timeouts!r}")
    connect, move, answer = map(float, seconds)

    def tell(line: str) -> None:
        if not as_json:
            print(line, flush=True)

    verdict = run_judge(
        number,
        host,
        tell=tell,
        rounds=rounds,
        connect_timeout=connect,
        genmove_timeout=move,
        command_timeout=answer,
        strict=strict,
        seed=seed,
    )
    if as_json:
        print(json.dumps(verdict.to_dict()))
    else:
        for player in verdict.players:
            print(player.closing_line())


def read_port(text: str, example: str) -> int:
    """A port from the command line; BadOption shows an example."""
    if not text:
        raise BadOption(f"a PORT is missing, expected for example: {example}")
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 65535):
        raise BadOption(f"bad port {text!r}, expected a number from 1 to 65535")
    return int(text)
