"""`kibitz bench`: speed on this machine, and a signature that changes when the search does."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from kibitz import _native
from kibitz.cli import common
from kibitz.engine import Engine
from kibitz.errors import BadOption
from kibitz.games import registry
from kibitz.games.base import Position
from kibitz.games.bundled import NONE

_HELP = """Measure search speed and print the search's signature.

The signature depends on the search's decisions only, not on the machine: a change of speed alone keeps it.

Example: kibitz bench othello
"""

#: Plies played by a fixed pattern before each bench position, so that they spread over the game.
_PLIES = (0, 6, 14, 24, 36)


def register(app: typer.Typer) -> None:
    app.command("bench", help=_HELP)(bench)


def positions(game: str) -> Iterator[Position]:
    """The fixed positions."""
    for plies in _PLIES:
        position = registry.get(game).position()
        for ply in range(plies):
            moves = position.legal_moves
            if not moves:
                break
            position = position.play(moves[(7 * ply + 3) % len(moves)])
        if not position.is_over:
            yield position


def presets_without_network(game: str) -> list[str]:
    """The presets that run with nothing but the package."""
    presets = registry.get(game).presets
    return [name for name, options in presets.items() if options.get("evaluator") != "network"]


def _known(game: str, **options: int) -> dict[str, Any]:
    """Those of the options that the game's search has."""
    table = registry.get(game).options.table()
    return {name: value for name, value in options.items() if name in table}


#: Simulations of a signature, and where there are more moves than so many, whose playouts are long.
_SIMULATIONS, _MANY_MOVES, _SIMULATIONS_OF_MANY = 5_000, 100, 1_000


def signature(game: str, preset: str = "default", simulations: int | None = None) -> str:
    """A digest of where the visits went, with one thread, a fixed seed and one leaf at a time (vector lanes
    differ from CPU to CPU, and the signature must not)."""
    digest = hashlib.sha256()
    for position in positions(game):
        many = len(position.legal_moves) > _MANY_MOVES
        asked = simulations or (_SIMULATIONS_OF_MANY if many else _SIMULATIONS)
        with Engine(
            game, preset, network=NONE, **_known(game, seed=1, threads=1, batch=1, solve_root=0)
        ) as engine:
            report = engine.analyze(position, simulations=asked)
        for info in report.moves:
            digest.update(f"{info.move} {info.visits}\n".encode())
    return digest.hexdigest()[:16]


def speed(game: str, preset: str, simulations: int) -> float:
    """Simulations a second over the fixed positions."""
    total, seconds = 0, 0.0
    for position in positions(game):
        with Engine(game, preset, network=NONE, **_known(game, threads=1, solve_root=0)) as engine:
            report = engine.analyze(position, simulations=simulations)
        total += report.simulations
        seconds += report.seconds
    return total / seconds


def bench(
    game: Annotated[str, typer.Argument(help="The game; all by default.", metavar="[GAME]")] = "all",
    preset: common.Preset = "default",
    simulations: Annotated[int, typer.Option(help="Simulations per position.")] = 50_000,
    as_json: common.AsJson = False,
) -> None:
    if simulations < 1:
        raise BadOption(f"--simulations must be at least 1, got {simulations}")
    games = registry.names() if game == "all" else (game,)
    for name in games:
        text = signature(name, preset)
        figure = speed(name, preset, simulations)
        if as_json:
            row = {"game": name, "preset": preset, "signature": text, "perSecond": round(figure)}
            typer.echo(json.dumps({**row, "threads": 1, "level": _native.LEVEL}))
        else:
            typer.echo(f"{name} {preset}: {figure:,.0f} simulations/s ({_native.LEVEL}), signature {text}")
