"""What `kibitz match` and `kibitz arena ladder` share: options of games to be played, and their bar."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress as Bar

from kibitz.arena import Event, MatchFinished, MovePlayed
from kibitz.arena.match import Progress
from kibitz.arena.openings import DEFAULT_PLIES
from kibitz.arena.plan import DEFAULT_SIMULATIONS
from kibitz.cli.output import progress_bar

Simulations = Annotated[
    int | None,
    typer.Option(help=f"Simulations per move. [default: {DEFAULT_SIMULATIONS} without other limit]"),
]
Visits = Annotated[int | None, typer.Option(help="Root visits per move.")]
SecondsPerMove = Annotated[float | None, typer.Option(help="Seconds per move.")]
Openings = Annotated[
    str | None,
    typer.Option(
        help="Opening file (moves or a position per line), or a number of random plies. "
        f"[default: {DEFAULT_PLIES}]",
        metavar="FILE|PLIES",
    ),
]
Seed = Annotated[int, typer.Option(help="Random seed for openings and players.")]


def read_openings(text: str | None) -> tuple[Path | None, int | None]:
    """The file of openings, or the number of random plies."""
    if text is not None and text.isdecimal():
        return None, int(text)
    return None if text is None else Path(text), None


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
    with progress_bar(title, games) as bar:
        yield GameBar(bar)
