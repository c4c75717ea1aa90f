"""What a style costs by the values of a network, so that a level does the same with every network.

On the openings of a game (`GameInfo.style_lines`) every move gets a few visits. The cost of the style is
what its cheapest liked move is behind the best, for each 1 of bonus that it has more. The scale of a network
is its mean cost over that of the network that the budgets were chosen with. A network to which all moves are
alike, as one that imitates people, has a low scale: a small budget already buys every move it looks at.

The scale of a file is kept in the cache by the file's digest.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from kibitz.games.base import GameInfo
from kibitz.games.bundled import NONE
from kibitz.network import EngineNetwork
from kibitz.report import Report

#: The cost of 1 of bonus by the values of kibitz-chess-5, about.
_USUAL_COST = 0.05
_LEAST, _MOST = 0.5, 1.5
_VISITS = 200
_MIN_VISITS = 4
#: Moves with less more of bonus than the best say little of the cost.
_LIKED = 0.3
#: What a kept scale depends on beside the network.
_FORM = "style-scale-1"

_lock = threading.Lock()
_known: dict[tuple[str, str, str], float] = {}


def measured_scale(
    info: GameInfo,
    preset: str,
    network: EngineNetwork | None,
    make_engine: Callable[..., AbstractContextManager[Any]],
) -> float:
    """From 0.5 to 1.5; 1 for a network that is a function."""
    if network is not None and not network.digest:
        return 1.0
    key = (info.name, preset, "" if network is None else network.digest)
    with _lock:
        if key not in _known:
            _known[key] = _kept(key, network, lambda: _measure(info, preset, network, make_engine))
        return _known[key]


def _kept(key: tuple[str, str, str], network: EngineNetwork | None, measure: Callable[[], float]) -> float:
    """Networks that the core runs are measured in no time, and anew in each version."""
    if network is None or network.traits.in_core:
        return measure()
    from kibitz.nets import cache  # a network of a file has it loaded

    name = "style/" + cache.key_of(_FORM, *key) + ".json"
    if (body := cache.read(name)) is not None:
        return float(json.loads(body)["scale"])
    scale = measure()
    cache.write(name, json.dumps({"scale": scale}).encode())
    return scale


def _measure(
    info: GameInfo,
    preset: str,
    network: EngineNetwork | None,
    make_engine: Callable[..., AbstractContextManager[Any]],
) -> float:
    given = NONE if network is None else network
    with make_engine(info.name, preset, network=given, threads=1, seed=1) as engine:
        costs = [_cost(info, engine, info.position().play(*line)) for line in info.style_lines]
    known = [cost for cost in costs if cost is not None]
    mean = sum(known) / len(known) if known else _USUAL_COST
    return min(_MOST, max(_LEAST, mean / _USUAL_COST))


def _cost(info: GameInfo, engine: Any, position: Any) -> float | None:
    """Win probability for 1 of bonus; None where the best move is among the most liked."""
    style = next(iter(info.styles.values()))
    bonuses = {
        position.state.move_text(move): bonus for move, bonus in style(position, 1.0, {}).bonuses.items()
    }
    report: Report = engine.analyze(
        position, visits=_VISITS, include=list(position.legal_moves), min_visits=_MIN_VISITS
    )
    best = report.moves[0]
    gains = [(move, bonuses.get(move.move, 0.0) - bonuses.get(best.move, 0.0)) for move in report.moves]
    costs = [(best.value - move.value) / gain for move, gain in gains if gain > _LIKED]
    return max(0.0, min(costs)) if costs else None
