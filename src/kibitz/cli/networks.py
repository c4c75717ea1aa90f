"""Loading a network for a command: what is said while it takes long."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from kibitz.errors import KibitzError
from kibitz.games import networks
from kibitz.games.bundled import NONE
from kibitz.games.networks import described, network_file
from kibitz.protocols.katago_settings import Settings

#: Seconds between two lines of progress.
_EVERY = 10.0


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


def with_network(game: str, options: Mapping[str, Any], preset: str = "default") -> dict[str, Any]:
    """Options of an engine, with the network that they name loaded, else the bundled one of the game. A
    preset that was named is taken as it is, `none` is no network."""
    options = dict(options)
    precision = options.pop("precision", "fp32")
    file = network_file(game, options.pop("network", None), preset, options)
    options["network"] = NONE if file is None else load_network(file, precision, game=game)[0]
    return options


def load_human_model(game: str, file: str | None) -> Any:
    """The network of -human-model. GUIs give one whether it is needed or not, so a protocol goes on without
    one that cannot be read, and says so."""
    if file is None:
        return None
    try:
        network = networks.load_file(game, file)
    except KibitzError as error:
        print(f"ignored, -human-model: {error}", file=sys.stderr)
        return None
    print(f"human model {network.name}", file=sys.stderr)
    return network


def load_network(
    file: str,
    precision: str,
    *,
    game: str,
    tuned: Callable[[Any], None] = lambda tuning: None,
) -> tuple[Any, Any]:
    """A network from a file or by the name `kibitz nets` knows it by, and how to use it now, which is said on
    stderr too. Where that was not measured on this machine yet, it is while no search runs; `tuned`
    hears of it."""

    def announce(shape: Any) -> None:
        print(
            f"calibrating int8 for {shape.columns}x{shape.rows} on games of its own; once on this machine",
            file=sys.stderr,
        )

    begun = reported = time.monotonic()

    def going(step: str, done: int, total: int) -> None:
        nonlocal reported
        now = time.monotonic()
        if now - reported >= _EVERY:
            reported = now
            line = f"calibrating int8, {step}: {done} of {total} positions, {now - begun:.0f} s so far"
            print(line, file=sys.stderr)

    network = networks.load_file(game, file, precision=precision, before_calibration=announce, progress=going)
    tuning = network.tune_later(measured=tuned)
    print(f"network: {described(game, network)}, {precision}; {tuning}", file=sys.stderr)
    return network, tuning
