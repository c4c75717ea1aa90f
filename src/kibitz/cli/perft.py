"""`kibitz perft`: counts lines of play, the check that the rules are right."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from kibitz.cli import common
from kibitz.errors import BadOption, BadRequest
from kibitz.games import registry

_HELP = """Count lines of play of DEPTH plies (perft).

Example: kibitz perft othello 11
"""


def register(app: typer.Typer) -> None:
    app.command("perft", help=_HELP)(perft)


def perft(
    game: common.Game,
    depth: Annotated[int, typer.Argument(help="Depth in plies.", metavar="DEPTH")],
    position: Annotated[str, typer.Option(help="Start position.")] = "start",
) -> None:
    count = registry.get(game).perft
    if count is None:
        raise BadRequest(f"{game} has no perft")
    if not 0 <= depth <= 40:
        raise BadOption(f"DEPTH must be from 0 to 40, got {depth}")
    start = common.read_games(game, position)[0]
    begun = time.perf_counter()
    leaves = count(start, depth)
    seconds = time.perf_counter() - begun
    typer.echo(f"{leaves} leaves at depth {depth} in {seconds:.3f} s ({leaves / max(seconds, 1e-9):,.0f}/s)")
