"""`kibitz solve`: the exact worth of a position near the end of the game."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.console import Console

from kibitz.cli import common
from kibitz.errors import BadOption, BadRequest
from kibitz.games import othello, uttt

__all__ = ["register"]

_HELP = """Solve a position exactly: score, best move and line for the side to move.

Example: kibitz solve othello "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X"
"""


def register(app: typer.Typer) -> None:
    app.command("solve", help=_HELP)(solve)


def solve(
    game: common.Game,
    source: Annotated[str, typer.Argument(help="The position.", metavar="POSITION")],
    seconds: Annotated[float | None, typer.Option(help="Give up after so many seconds.")] = None,
    nodes: Annotated[int | None, typer.Option(help="Give up after so many nodes.")] = None,
    wld: Annotated[bool, typer.Option("--wld", help="Only who wins: 1, 0 or -1.")] = False,
    table_mb: Annotated[int, typer.Option(help="Memory of the table.")] = 256,
    as_json: common.AsJson = False,
) -> None:
    if not 1 <= table_mb <= 65536:
        raise BadOption(f"--table-mb must be from 1 to 65536, got {table_mb}")
    position = common.read_games(game, source)[0]
    if isinstance(position, uttt.Position):
        _solve_uttt(position, seconds, nodes, table_mb, as_json)
        return
    if not isinstance(position, othello.Position):
        raise BadRequest(f"there is no exact solver for {game}")
    with Console(stderr=True).status(f"solving {position.empties} empty squares"):
        found = othello.solve(position, seconds=seconds, nodes=nodes, wld=wld, table_mb=table_mb)
    if as_json:
        typer.echo(json.dumps(found.to_dict()))
    elif found.solved:
        typer.echo(f"{position.mover} {found.score:+d} with {found.best}: {' '.join(found.line)}")
        typer.echo(f"{found.nodes:,} nodes in {found.seconds:.2f} s")
    else:
        typer.echo(f"unknown after {found.nodes:,} nodes in {found.seconds:.2f} s: a limit ended the search")


def _solve_uttt(
    position: uttt.Position, seconds: float | None, nodes: int | None, table_mb: int, as_json: bool
) -> None:
    with Console(stderr=True).status(f"solving {position.empties} empty cells"):
        found = uttt.solve(position, seconds=seconds, nodes=nodes, table_mb=table_mb)
        rated = (
            uttt.rate_moves(position, seconds=seconds, nodes=nodes, table_mb=table_mb)
            if found.solved
            else None
        )
    moves = rated.moves if rated else ()
    if as_json:
        rows = [{"move": move, "result": result, "distance": distance} for move, result, distance in moves]
        typer.echo(json.dumps({**found.to_dict(), "moves": rows}))
    elif found.solved:
        words = {1: "win", 0: "draw", -1: "loss"}
        outcome = words[found.result or 0] + (f" in {found.distance}" if found.distance else "")
        typer.echo(f"{position.mover}: {outcome} with {found.best}: {' '.join(found.line)}")
        for move, result, distance in moves:
            typer.echo(f"  {move}  {words[result]}" + (f" in {distance}" if distance else ""))
        typer.echo(f"{found.nodes:,} nodes in {found.seconds:.2f} s")
    else:
        typer.echo(f"unknown after {found.nodes:,} nodes in {found.seconds:.2f} s: a limit ended the search")
