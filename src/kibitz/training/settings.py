"""What a run of self-play is: everything that decides its games."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from kibitz.errors import BadOption

__all__ = ["SelfplaySettings"]


@dataclass(frozen=True)
class SelfplaySettings:
    """The settings of a run: `SelfplaySettings(games=1000, visits=8, style=0.6, network="maia.pb.gz")`.

    Two runs with equal settings have the same games; `digest` tells settings apart.
    """

    games: int = 100
    visits: int = 100
    #: The first games are the same whatever the number of games.
    seed: int = 0
    #: Plies after which a game is broken off; 0 plays to the end.
    plies: int = 0
    #: Moves are drawn by visits ^ (1 / temperature); 0 always plays the best.
    temperature: float = 1.0
    #: Plies of each game at which moves are drawn; after them the best is played. 0 draws to the end.
    temperature_plies: int = 0
    #: Strength of the style (steering.STYLE_LEVELS); 0 is off.
    style: float = 0.0
    #: File of opening lines; `hypermodern` takes Kibitz's own, empty none.
    openings: str = ""
    #: A game starts from a line with the chance style * alpha + base.
    alpha: float = 0.5
    base: float = 0.0
    #: What happens to early contact of central pawns: its root prior is multiplied by this,
    contact_prior: float = 1.0
    #: and where it is the favourite, moves are drawn at so many times the temperature.
    contact_temperature: float = 1.0
    preset: str = "default"
    #: Network file; empty searches without one.
    network: str = ""
    precision: str = "fp32"
    runtime: str = "native"
    #: Further options of the search.
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        limits: dict[str, tuple[float, float]] = {
            "games": (1, 10**9),
            "visits": (1, 10**9),
            "seed": (0, 2**62),
            "plies": (0, 10**6),
            "temperature": (0, 100),
            "temperature_plies": (0, 10**6),
            "style": (0, 10),
            "alpha": (0, 100),
            "base": (0, 1),
            "contact_prior": (0, 1),
            "contact_temperature": (1, 100),
        }
        for name, (least, most) in limits.items():
            value = getattr(self, name)
            if not least <= value <= most:
                raise BadOption(f"{name} must be from {least:g} to {most:g}, got {value!r}")

    @cached_property
    def digest(self) -> str:
        """Of all that decides a game: not of how many there are, nor of where the network's file lies."""
        told = {item.name: getattr(self, item.name) for item in fields(self) if item.name != "games"}
        told["options"] = dict(sorted(self.options.items()))
        for name in ("network", "openings"):
            path = told[name]
            if path and path != "hypermodern":
                told[name] = hashlib.sha256(Path(path).read_bytes()).hexdigest()
        text = json.dumps(told, sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()[:16]
