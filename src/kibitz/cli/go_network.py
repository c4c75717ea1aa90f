"""Loading a network for the commands that play Go."""

from __future__ import annotations

from typing import Any

import typer

from kibitz.games import networks
from kibitz.protocols.katago_settings import Settings

__all__ = ["load_network", "search_options"]


def search_options(tuning: Any, visits: int | None) -> dict[str, Any]:
    """Threads and batch of a search that has the machine to itself and so many visits (None: many)."""
    tuned = Settings({}, visits or 2**50, largest_batch=tuning.batch, streams=tuning.streams)
    return tuned.search_options(alone=True)


def load_network(model: str, precision: str, size: tuple[int, int] = (19, 19)) -> tuple[Any, Any]:
    """A KataGo network from a file or by the name `kibitz nets` knows it by, tuned to this machine, and
    how it was tuned, which is said on stderr too."""

    def announce(shape: Any) -> None:
        typer.echo(
            f"calibrating int8 for {shape.columns}x{shape.rows} on games of its own; once on this machine",
            err=True,
        )

    network = networks.load_network("go", model, precision=precision, before_calibration=announce)
    tuning = network.tune(rows=size[1], columns=size[0])
    typer.echo(f"network {network.name}, {precision}; {tuning}", err=True)
    return network, tuning
