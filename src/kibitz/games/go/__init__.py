"""Go: positions under any rules, records, presets.

>>> import kibitz
>>> kibitz.go.Position(19, rules="chinese", komi=7.5).play("Q16").mover
'white'
"""

from __future__ import annotations

from typing import Any

from kibitz import _native
from kibitz.games.base import GameInfo, PublicNetwork, Records, Searches
from kibitz.games.go import facts
from kibitz.games.go.position import Position
from kibitz.games.go.presets import LEVELS, NETWORK_PRESETS, PRESETS
from kibitz.games.sample import Sample

__all__ = ["PRESETS", "Position", "perft"]


def perft(position: Position, depth: int) -> int:
    """Lines of play of `depth` moves, passes included; a game that ends earlier is one line.

    >>> perft(kibitz.go.Position(9), 2)
    6643
    """
    return _native.go_perft(position.state, depth)


def _network_start(rows: int, columns: int) -> Any:
    return Position((columns, rows), rules="chinese").state.as_root("root")


def _load(source: str) -> tuple[Position, ...]:
    from kibitz.games.go import sgf  # it builds on this package

    return tuple(record.position() for record in sgf.read(source))


def info() -> GameInfo:
    return GameInfo(
        name="go",
        title="Go",
        position=Position,
        searches=Searches(_native.GoSearch, selfplay=_native.GoSelfplay),
        records=Records(_load, suffixes=("sgf",)),
        presets=PRESETS,
        sample=Sample(has_score=True, has_ownership=True, start=_network_start),
        demo=("Q16", "D4", "C16", "Q4", "R14"),
        network_presets=NETWORK_PRESETS,
        perft=perft,
        levels=LEVELS,
        public_network=PublicNetwork("katrain==1.20.0", 106),
        facts=facts.find,
        agent_settings={"size": 9},  # games of agents that learn are long enough on it
    )
