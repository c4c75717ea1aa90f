"""Othello: positions, presets, the exact endgame.

>>> import kibitz
>>> kibitz.othello.Position().play("d3", "c5").discs
(3, 3)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kibitz import _native
from kibitz.facts import extractor
from kibitz.games.base import GameInfo, GameOptions, NativeSearch, Records, Searches
from kibitz.games.othello import evaluation
from kibitz.games.othello.endgame import Solution, solve, solve_for_engine
from kibitz.games.othello.position import Position
from kibitz.games.othello.presets import LEVELS, NETWORK_PRESETS, PRESETS
from kibitz.games.sample import Sample
from kibitz.options import ALPHA_BETA, OwnOptions, joined

__all__ = ["PRESETS", "Position", "Solution", "perft", "solve"]


def perft(position: Position, depth: int) -> int:
    """Lines of play of `depth` plies; a pass is a ply, a game that ends earlier is one line.

    >>> perft(kibitz.othello.Position(), 5)
    1396
    """
    return _native.othello_perft(position.state, depth)


def _load(source: str) -> tuple[Position, ...]:
    from kibitz.games.othello import records  # it builds on this package

    return tuple(record.position() for record in records.read(source))


_OPTIONS = joined(ALPHA_BETA, OwnOptions(_native.othello_option_table, _native.OthelloOptions))
_CORNERS = (0, 7, 56, 63)


def _weigh_corners(plan: _native.Plan, options: Mapping[str, Any]) -> None:
    factor = _OPTIONS.native(options).corner_weight
    if factor != 1.0:
        for corner in _CORNERS:
            plan.weight(corner, factor, everywhere=True)


#: Of alpha-beta's transposition table.
_TABLE_MB = 16


def _search(state: Any, options: Any, network: Any) -> NativeSearch:
    if options.evaluator == "hand":
        evaluation.use_bundled()
    return _native.OthelloSearch(state, options, network)


def _alpha_beta(state: Any, options: Any, own: Any, network: Any) -> NativeSearch:
    evaluation.use_bundled()
    return _native.OthelloAlphaBeta(state, options, own.depth, own.multi_pv, own.table_mb or _TABLE_MB)


def info() -> GameInfo:
    return GameInfo(
        name="othello",
        title="Othello",
        position=Position,
        searches=Searches(_search, _alpha_beta, _native.OthelloSelfplay, evaluation.use_bundled),
        records=Records(_load, suffixes=("ggf",), other_suffixes=("wtb", "obf")),
        presets=PRESETS,
        network_presets=NETWORK_PRESETS,
        levels=LEVELS,
        facts=extractor("kibitz.games.othello.facts"),
        sample=Sample(has_score=True, has_ownership=True),
        solve=solve_for_engine,
        demo=("d3", "c5", "f6", "f5", "e6", "e3"),
        perft=perft,
        options=GameOptions(_OPTIONS, _weigh_corners),
    )
