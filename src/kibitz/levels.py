"""Playing like a weaker player: a level searches less and does not always choose the best move it sees.

>>> import kibitz
>>> from kibitz.games import registry
>>> level = get_level("othello", "beginner")
>>> with kibitz.Engine("othello", seed=1) as engine:
...     move, report = play_at(engine, kibitz.othello.Position(), level, random.Random(1))
>>> move in kibitz.othello.Position().legal_moves
True
"""

from __future__ import annotations

import math
import random
from dataclasses import replace
from typing import Any

from kibitz.engine import Engine
from kibitz.errors import BadOption
from kibitz.games import registry
from kibitz.games.base import Position
from kibitz.games.level import Level
from kibitz.games.registry import GameName
from kibitz.report import Report
from kibitz.request import Budget, Request

__all__ = ["get_level", "play_as_human", "play_at"]

#: Moves of a report that a level chooses among.
_CANDIDATES = 60


def get_level(game: GameName | str, name: str) -> Level:
    """A level of a game by name; BadOption names those there are.

    >>> get_level("othello", "beginner").name
    'beginner'
    """
    levels = registry.get(game).levels
    for level in levels:
        if level.name == name:
            return level
    known = ", ".join(level.name for level in levels) or "none"
    raise BadOption(f"unknown level {name!r} of {game}, expected {known}")


def choose(report: Report, level: Level, rng: random.Random) -> str:
    """The move a player of this level takes: the better the likelier, none that loses too much. Among equally
    good moves the evaluator's priors decide, where it has some."""
    if level.spread <= 0 or len(report.moves) < 2 or report.moves[0].proven == "win":
        return report.best
    # Nothing is known of a move without visits, unless nothing was searched at all.
    seen = [info for info in report.moves if not info.pruned and (info.visits or info.proven)]
    seen = seen or [info for info in report.moves if not info.pruned]
    best = max((info.value for info in seen), default=0.0)
    known = [info for info in seen if best - info.value <= level.most_loss]
    if not known:
        return report.best
    priors = [info.prior for info in known]
    plain = not all(priors)
    weights = [
        math.exp((info.value - best) / level.spread) * (1.0 if plain else prior)
        for info, prior in zip(known, priors, strict=True)
    ]
    return rng.choices([info.move for info in known], weights)[0]


def choose_as_human(report: Report, most_loss: float, rng: random.Random) -> str:
    """A move as likely as the human model says, but for those that lose more than `most_loss` of a win by the
    search; 1 is the policy as it is."""
    assert report.human is not None
    judged = {info.move: info for info in report.moves if info.visits or info.proven}
    best = max((info.value for info in judged.values()), default=0.0)
    shares = {
        move: share
        for move, share in report.human.policy.items()
        if most_loss >= 1 or (move in judged and best - judged[move].value <= most_loss)
    }
    if sum(shares.values()) <= 0:
        return report.best
    return rng.choices(list(shares), list(shares.values()))[0]


def play_as_human(
    engine: Engine, position: Position, most_loss: float, rng: random.Random, **limits: Any
) -> tuple[str, Report]:
    """The move a player of the engine's human model takes, and what was seen. Every plausible move is
    searched, so that the limit on losses knows it.

    >>> import random
    >>> with kibitz.Engine("chess", network="none", human="maia-1100.pb.gz", seed=1) as engine:
    ...     move, _ = play_as_human(engine, kibitz.chess.Position(), 0.1, random.Random(1), simulations=50)
    >>> move in kibitz.chess.Position().legal_moves
    True
    """
    report = engine.analyze(position, plausible=True, **limits)
    return choose_as_human(report, most_loss, rng), report


def request_at(position: Position, level: Level) -> Request:
    """What a level asks of an engine. It sees what the side to move may see."""
    return at_level(Request(position.mover_view(), line_length=1), level)


def at_level(request: Request, level: Level) -> Request:
    """The same request with the budget and the options of a level."""
    options = {**request.options, **level.options}
    return replace(request, budget=Budget.from_dict(dict(level.budget)), options=options, top=_CANDIDATES)


def play_at(engine: Engine, position: Position, level: Level, rng: random.Random) -> tuple[str, Report]:
    """The move a level plays, and what it saw.

    >>> import random
    >>> start, level = kibitz.othello.Position(), get_level("othello", "beginner")
    >>> with kibitz.Engine("othello", seed=1) as engine:
    ...     move, _ = play_at(engine, start, level, random.Random(1))
    >>> move in start.legal_moves
    True
    """
    *_, report = engine.run(request_at(position, level))
    return choose(report, level, rng), report
