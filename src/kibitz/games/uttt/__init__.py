"""Ultimate tic-tac-toe: positions, presets, the exact solver.

>>> import kibitz
>>> kibitz.uttt.Position().play("44", "40").constraint
0
"""

from __future__ import annotations

from kibitz import _native
from kibitz.facts import extractor
from kibitz.games.base import GameInfo, Records, Searches
from kibitz.games.sample import Sample
from kibitz.games.uttt.endgame import MoveWorths, Solution, rate_moves, solve, solve_for_engine
from kibitz.games.uttt.position import Position
from kibitz.games.uttt.presets import LEVELS, NETWORK_PRESETS, PRESETS
from kibitz.games.uttt.tables import engine_tables, search

__all__ = ["PRESETS", "MoveWorths", "Position", "Solution", "perft", "rate_moves", "solve"]


def perft(position: Position, depth: int) -> int:
    """Lines of play of `depth` plies.

    >>> perft(kibitz.uttt.Position(), 3)
    6336
    """
    return _native.uttt_perft(position.state, depth)


def _load(source: str) -> tuple[Position, ...]:
    from kibitz.games.uttt import records  # it builds on this package

    return tuple(records.read(source))


def info() -> GameInfo:
    return GameInfo(
        name="uttt",
        title="Ultimate tic-tac-toe",
        position=Position,
        searches=Searches(search, selfplay=_native.UtttSelfplay, prepare=engine_tables),
        records=Records(_load),
        presets=PRESETS,
        network_presets=NETWORK_PRESETS,
        sample=Sample(),
        solve=solve_for_engine,
        demo=("44", "40", "04", "48", "84", "43"),
        perft=perft,
        levels=LEVELS,
        facts=extractor("kibitz.games.uttt.facts"),
    )
