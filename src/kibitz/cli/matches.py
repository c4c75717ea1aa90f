"""What `kibitz match` and `kibitz arena ladder` share: options of games to be played, and their bar."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress as Bar

from kibitz.arena import Event, MatchFinished, MovePlayed, Progress
from kibitz.arena.openings import DEFAULT_PLIES
from kibitz.arena.plan import DEFAULT_SIMULATIONS
from kibitz.cli import common
from kibitz.errors import BadOption

__all__ = [
    "GameBar",
    "MoveTimeout",
    "OpeningPlies",
    "Openings",
    "Processes",
    "SecondsPerMove",
    "Seed",
    "Simulations",
    "StartPosition",
    "Visits",
    "check_openings",
    "game_bar",
]

Simulations = Annotated[
    int | None,
    typer.Option(help=f"Simulations per move. [default: {DEFAULT_SIMULATIONS} without other limit]"),
]
Visits = Annotated[int | None, typer.Option(help="Root visits per move.")]
SecondsPerMove = Annotated[float | None, typer.Option(help="Seconds per move.")]
OpeningPlies = Annotated[
    int | None, typer.Option(help=f"Random plies before each pair of games. [default: {DEFAULT_PLIES}]")
]
Openings = Annotated[
    Path | None, typer.Option(help="Opening file: moves or a position per line.", metavar="FILE")
]
StartPosition = Annotated[
    str | None, typer.Option(help="Position the random plies start from.", metavar="NOTATION")
]
Processes = Annotated[int, typer.Option(help="Games in parallel.")]
Seed = Annotated[int, typer.Option(help="Random seed for openings and players.")]
MoveTimeout = Annotated[
    float, typer.Option(help="Seconds per move before a player without a clock forfeits.")
]


def check_openings(openings: Path | None, opening_plies: int | None) -> None:
    """Raises BadOption when openings are both read and made."""
    if openings is not None and opening_plies is not None:
        raise BadOption("give either --openings or --opening-plies, not both")


class GameBar:
    """A bar of games, of one match or of several one after the other."""

    def __init__(self, bar: Bar) -> None:
        self._bar = bar
        self._task = bar.tasks[0].id
        self._shown = 0

    def show(self, event: Event, state: str) -> None:
        """`state` is how things stand, in a few words; the game that runs is added to it."""
        if isinstance(event, Progress):
            self._bar.update(self._task, description=state)
            self._bar.advance(self._task, event.done - self._shown)
            self._shown = event.done
        elif isinstance(event, MovePlayed):
            self._bar.update(self._task, description=f"{state}  game {event.game + 1}, ply {event.ply}")
            self._bar.advance(self._task, 0)
        elif isinstance(event, MatchFinished):
            self._shown = 0


@contextmanager
def game_bar(title: str, games: int) -> Iterator[GameBar]:
    with common.progress_bar(title, games) as bar:
        yield GameBar(bar)
