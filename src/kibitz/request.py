"""A request: a position, steering, and a budget."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kibitz.errors import BadRequest
from kibitz.games.base import Position
from kibitz.steering import Steering

__all__ = ["Budget", "Request"]

#: How long to think when nobody says: long enough to be useful, short enough to wait for.
DEFAULT_SECONDS = 1.0


@dataclass(frozen=True)
class Budget:
    """When to stop; the first limit reached counts. `unlimited` searches until it is stopped."""

    simulations: int | None = None
    visits: int | None = None
    seconds: float | None = None
    unlimited: bool = False

    def __post_init__(self) -> None:
        for name in ("simulations", "visits"):
            value = getattr(self, name)
            if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
                raise BadRequest(f"{name} must be a whole number of at least 1, got {value!r}")
        seconds = self.seconds
        if seconds is not None:
            if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
                raise BadRequest(f"seconds must be a number, got {seconds!r}")
            if not math.isfinite(seconds) or seconds <= 0:
                raise BadRequest(f"seconds must be above 0, got {seconds!r}")

    def to_dict(self) -> dict[str, Any]:
        """Only what is limited: `{"simulations": 1000}`."""
        given = {"simulations": self.simulations, "visits": self.visits, "seconds": self.seconds}
        return {name: value for name, value in given.items() if value is not None}

    def limits(self) -> dict[str, Any]:
        """Keywords for the native search."""
        limits = self.to_dict()
        if not limits and not self.unlimited:
            limits["seconds"] = DEFAULT_SECONDS
        return limits


@dataclass(frozen=True)
class Request:
    """What an engine is asked."""

    position: Position
    steering: Steering = field(default_factory=Steering)
    budget: Budget = field(default_factory=Budget)
    #: Search options for this request only, over the engine's own.
    options: Mapping[str, Any] = field(default_factory=dict)
    #: Longest line of play in the report.
    line_length: int = 32
    #: Also report moves that got no visit.
    unvisited: bool = False
    #: Tell who owns what after each move too (with the option `ownership`).
    move_ownership: bool = False

    def __post_init__(self) -> None:
        if self.position.is_over:
            raise BadRequest(f"the game is over ({self.position.notation}); there is nothing to search")
        if not self.position.legal_moves:
            raise BadRequest(
                f"it is the turn of {self.position.mover}, whose moves are not to be seen from here"
            )
