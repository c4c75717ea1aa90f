"""Running an exact solver of the native core: its limits, the wait for it, and how it is stopped.

>>> import kibitz
>>> job = kibitz._native.OthelloSolver(1)
>>> run(job, kibitz.othello.Position("-XXXXXX-" + "X" * 54 + "O- X"), "score", seconds=10)
>>> job.result().score
64
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from kibitz.errors import BadOption, BadRequest
from kibitz.games.base import Position
from kibitz.running.shutdown import NativeWork

#: Seconds between two looks at whether to stop.
_TICK = 0.05


class Solver(Protocol):
    """A solver that works on a thread of its own. Its answers are read where `run` has returned."""

    @property
    def start(self) -> Callable[..., None]:
        """`start(state, task, seconds=..., nodes=...)`; what a task is, is the solver's own affair."""

    def wait(self, seconds: float) -> bool:
        """True once it has ended, by itself or by `stop`."""

    def stop(self) -> None:
        """Asks it to end; returns at once."""


S = TypeVar("S")


def make_solver(kind: Callable[..., S], table_mb: int, *rest: Any) -> S:
    """A solver with a table of so many megabytes; BadOption where there is no memory for it."""
    try:
        return kind(table_mb, *rest)
    except MemoryError:
        raise BadOption(f"table_mb {table_mb}: there is not that much memory") from None
    except (TypeError, ValueError):
        raise BadOption(f"table_mb must be from 1 to {2**20}, got {table_mb}") from None


def never() -> bool:
    """For who lets a solver run until its end or its limits."""
    return False


def run(
    job: Solver,
    position: Position,
    task: Any,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    should_stop: Callable[[], bool] = never,
) -> None:
    """Blocks until the task is done, a limit ended it, or `should_stop` said so."""
    if position.is_over:
        raise BadRequest("the game is over; there is nothing to solve")
    limits = {"seconds": seconds, "nodes": nodes}
    with NativeWork(job.stop):
        job.start(position.state, task, **{name: limit for name, limit in limits.items() if limit})
        try:
            # The wait ends with the task, so a quick answer costs no tick.
            while not job.wait(_TICK):
                if should_stop():
                    job.stop()
        finally:
            job.stop()
