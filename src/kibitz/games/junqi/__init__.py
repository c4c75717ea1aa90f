"""Junqi: the true board, views, beliefs, scoring, search, records.

>>> import kibitz
>>> kibitz.junqi.Position().play("S11-C31").mover
'E'
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from kibitz import _native
from kibitz.games.base import GameInfo
from kibitz.games.junqi import layouts
from kibitz.games.junqi.position import Position, View
from kibitz.games.junqi.presets import PRESETS, options
from kibitz.games.junqi.weights import Weights

__all__ = ["PRESETS", "Position", "View", "Weights", "info", "layouts", "openings"]


#: Behaviours a player may prefer at the first ply.
STYLES = ("aggressive", "balanced", "defensive", "probing")


def openings(count: int, seed: int, players: int = 4) -> list[str]:
    """Fresh positions for the pairs of a match: the second side's layouts mirror the first's."""
    return [Position.deal(layouts.deal(1000 * seed + number, players)).notation for number in range(count)]


def _load(source: str) -> Sequence[Position]:
    from kibitz.games.junqi import records  # it builds on this package

    return [records.read_jgs(source).position()]


def _styled(name: str, strength: float) -> Mapping[str, Any]:
    """A behaviour is preferred or not; it has no strength between."""
    return {"style": name} if strength > 0 else {}


def info() -> GameInfo:
    return GameInfo(
        name="junqi",
        title="Junqi",
        position=Position,
        search=_native.JunqiSearch,
        presets=PRESETS,
        options=options,
        openings=openings,
        styles={name: partial(_styled, name) for name in STYLES},
        demo=("S11-C31", "E15-N11", "N11-E15"),
        load=_load,
    )
