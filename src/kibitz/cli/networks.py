"""Loading a network for a command: what is said while it takes long."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import typer

from kibitz.games import networks
from kibitz.protocols.katago_settings import Settings

__all__ = ["describe_network", "load_network", "with_network"]


def describe_network(file: str, network: Any, settings: Settings) -> dict[str, Any]:
    """What KataGo's protocols tell of a network."""
    return {
        "name": Path(file).name,
        "internalName": network.name,
        "maxBatchSize": int(settings.options.get("batch", 1)),
        "usesHumanSLProfile": False,
        "version": network.version,
        "usingFP16": "false",
    }


def with_network(game: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Options of an engine, with the network that they name loaded."""
    options = dict(options)
    precision = options.pop("precision", "fp32")
    if "network" in options:
        options["network"], _ = load_network(options["network"], precision, game=game)
    return options


def load_network(
    file: str,
    precision: str,
    *,
    game: str = "go",
    tuned: Callable[[Any], None] = lambda tuning: None,
) -> tuple[Any, Any]:
    """A network from a file or by the name `kibitz nets` knows it by, and how to use it now, which is said on
    stderr too. Where that was not measured on this machine yet, it is while no search runs; `tuned`
    hears of it."""

    def announce(shape: Any) -> None:
        typer.echo(
            f"calibrating int8 for {shape.columns}x{shape.rows} on games of its own; once on this machine",
            err=True,
        )

    network = networks.load_network(game, file, precision=precision, before_calibration=announce)
    tuning = network.tune_later(found=tuned)
    typer.echo(f"network {network.name}, {precision}; {tuning}", err=True)
    return network, tuning
