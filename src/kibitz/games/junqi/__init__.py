"""Junqi: the true board, views, beliefs, scoring, search, records.

>>> import kibitz
>>> kibitz.junqi.Position().play("S11-C31").mover
'E'
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from kibitz import _native
from kibitz.errors import BadOption
from kibitz.games.base import Deals, GameInfo, GameOptions, Records, Searches, StyleEffect
from kibitz.games.junqi import facts, layouts
from kibitz.games.junqi.pieces import SEATS
from kibitz.games.junqi.position import Position, View
from kibitz.games.junqi.presets import LEVELS, PRESETS, options
from kibitz.games.junqi.presets import table as option_table
from kibitz.games.junqi.weights import Weights
from kibitz.sentences import Sentence

__all__ = ["PRESETS", "Position", "View", "Weights", "deal", "layouts", "openings"]


#: Behaviours a player may prefer at the first ply.
STYLES = ("aggressive", "balanced", "defensive", "probing")


def openings(count: int, seed: int, players: int = 4) -> list[str]:
    """Fresh positions for the pairs of a match: the second side's layouts mirror the first's.

    >>> len(openings(2, seed=1))
    2
    """
    return [Position.deal(layouts.deal(1000 * seed + number, players)).notation for number in range(count)]


def deal(
    seed: int,
    players: int = 4,
    seat: str = "S",
    layout: str | None = None,
    save: Path | None = None,
    *,
    first: str | None = None,
    options: str = "",
) -> Position:
    """A game for people to play: secret set-ups, the one at `seat` of the player's own choice. `first` begins
    (S by default); `options` are as `Position.deal` takes them. A game that will be saved as a .jgs record
    has the rules of such records.

    >>> deal(seed=7, players=2).side_names
    ('SN', 'EW')
    """
    from kibitz.games.junqi import records  # it builds on this package

    expected: dict[str, tuple[object, type | tuple[type, ...]]] = {
        "seed": (seed, int),
        "players": (players, int),
        "seat": (seat, str),
        "layout": (layout, (str, type(None))),
        "save": (save, (Path, type(None))),
        "options": (options, str),
    }
    for name, (value, kind) in expected.items():
        if not isinstance(value, kind) or isinstance(value, bool):
            raise BadOption(f"{name} of a deal cannot be a {type(value).__name__}")
    if players not in (2, 4):
        raise BadOption(f"Junqi has 2 or 4 players, not {players}")
    if save is not None:
        if save.suffix != ".jgs" or players != 4:
            raise BadOption(f"a game of four players can be saved as a .jgs record, got {save.name}")
        options = f"{options} qq".strip()
    seats = SEATS if players == 4 else "SN"
    dealt = list(layouts.deal_secretly(seed, players))
    if layout is not None and seat in seats:
        own = records.read_jql(layout) if layout.endswith(".jql") else layout
        dealt[seats.index(seat)] = layouts.check(own)
    return Position.deal(dealt, first=first, options=options)


def _load(source: str) -> Sequence[Position | View]:
    """A record file; or a view as text, which begins with its seat."""
    from kibitz.games.junqi import records

    if re.match("[SENW] [24] ", source):
        return [View(source)]
    return [records.read_jgs(source).position()]


def _save(position: Position, path: Path) -> None:
    from kibitz.games.junqi import records

    records.write_jgs(path, records.record_of(position))


def _styled(name: str, _: Any, strength: float, options: Mapping[str, Any]) -> StyleEffect:
    """A behaviour is preferred or not; it has no strength between."""
    if strength <= 0:
        return StyleEffect()
    if name == "balanced":
        return StyleEffect(inactive_reason=Sentence("junqi.balanced"))
    if str(options.get("apply_style_filter_first_ply", True)).lower() in ("false", "no", "off", "0"):
        return StyleEffect(inactive_reason=Sentence("junqi.filterOff"))
    return StyleEffect(options={"style": name}, said=(Sentence("junqi.firstPly"),))


def info() -> GameInfo:
    return GameInfo(
        name="junqi",
        title="Junqi",
        position=Position,
        view=View,
        # Visits are worlds here; a move that is included is searched in all of them.
        searches=Searches(_native.JunqiSearch, family="worlds", guarantee="junqi.guaranteed"),
        records=Records(_load, _save, suffixes=("jgs",)),
        presets=PRESETS,
        agent_settings={"players": 4},
        options=GameOptions(check=options, table=option_table),
        unsupported={
            "reuse": "nothing is kept between requests: a view is all a search may know",
            "exact simulations": "simulations are the nodes of iterations that are finished or not counted",
            "transpositions": "the seats move in turn, so that three plies have one order",
        },
        deals=Deals(openings, deal),
        styles={name: partial(_styled, name) for name in STYLES},
        demo=("S11-C31", "E15-N11", "N11-E15"),
        levels=LEVELS,
        facts=facts.find,
    )
