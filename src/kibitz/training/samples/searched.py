"""Samples of a game that was played by searches (`kibitz selfplay`, `PlayedGame`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kibitz.errors import BadRequest
from kibitz.games import registry
from kibitz.games.base import Position
from kibitz.training.game import PlayedGame, SearchedMove
from kibitz.training.game_part import style_of_game, training_of
from kibitz.training.samples.schema import GameSamples


def samples_of_game(
    game: PlayedGame,
    game_id: str,
    *,
    source: str = "",
    seed: int = 0,
    generation: int = 0,
    tags: Sequence[str] = (),
    style_planes: bool = False,
) -> GameSamples | None:
    """The samples of the positions that were searched with the whole budget; None when there are none. The
    policy is the one that the search teaches, or the shares of its visits. A game that was broken off has no
    result: its search values stand in for it. With `style_planes` positions of a game whose
    style is measured have all planes about it behind the others.

    >>> from kibitz.training.selfplay import play_games
    >>> from kibitz.training.settings import SelfplaySettings
    >>> settings = SelfplaySettings("uttt", games=1, budget=kibitz.Budget(visits=4), seed=1)
    >>> game = next(play_games(settings, [0], processes=0))
    >>> samples_of_game(game, "first").game
    'uttt'
    """
    info = registry.get(game.game)
    if info.sample is None:
        raise BadRequest(f"{game.game} has no samples for networks")
    start = info.position(game.start)
    positions, position = [], start
    for move, search in zip(game.moves, game.searches, strict=True):
        if search is not None and search.full:
            positions.append((position, search))
        position = position.play(move)
    if not positions:
        return None
    planes, numbers = stacked([item for item, _ in positions], style_planes)
    values, scores, owners = _targets(info.sample, position, game.result, positions)
    plies = np.array([len(item.moves) for item, _ in positions])
    sides = sides_of([item for item, _ in positions])
    scored = style_of_game(game.game, game.start, game.moves)
    return GameSamples(
        game.game,
        game_id,
        planes,
        numbers,
        [_policy(info.sample, item, search) for item, search in positions],
        values,
        sides,
        plies,
        len(position.moves) - plies,
        q=np.array([2 * search.value - 1 for _, search in positions], np.float32),
        score=scores,
        ownership=owners,
        style=None if scored is None else scored.of_game(len(sides)),
        mover_style=None if scored is None else scored.of_movers(sides),
        source=source,
        seed=seed,
        generation=generation,
        tags=(*tags, *(scored.tags if scored else ())),
    )


def stacked(positions: Sequence[Position], style_planes: bool = False) -> tuple[Any, Any]:
    """Planes and globals of positions of one board size."""
    style = training_of(positions[0].game).style
    if style_planes and style is not None:
        encoded = [state.encode() for state in style.with_planes(positions)]
    else:
        encoded = [position.state.encode() for position in positions]
    return np.stack([planes for planes, _ in encoded]), np.stack([numbers for _, numbers in encoded])


def sides_of(positions: Sequence[Position]) -> Any:
    """Who is to move, 0 or 1."""
    return np.array([position.state.to_move for position in positions])


def _policy(sample: Any, position: Position, search: SearchedMove) -> tuple[Any, Any]:
    shares = search.visits if search.policy is None else search.policy
    total = sum(shares.values()) or 1
    indices = np.array([sample.policy_index(position, move) for move in shares], np.uint16)
    return indices, np.array([share / total for share in shares.values()], np.float32)


def _targets(
    sample: Any, last: Position, result: float | None, positions: Sequence[tuple[Position, SearchedMove]]
) -> Any:
    sides = [position.state.to_move for position, _ in positions]
    if result is None:
        guessed = [(search.value, 0.0, 1 - search.value) for _, search in positions]
        return np.array(guessed, np.float32), None, None
    if not last.is_over:  # one side gave up: nobody knows the margin
        won = [(result, 0.0, 1 - result), (1 - result, 0.0, result)]
        return np.array([won[side] for side in sides], np.float32), None, None
    by_side = [sample.targets(last, side) for side in (0, 1)]
    mine = [by_side[side] for side in sides]
    values = np.array([target.value for target in mine], np.float32)
    scores = np.array([target.score for target in mine], np.float32) if sample.has_score else None
    owners = np.stack([target.ownership for target in mine]) if sample.has_ownership else None
    return values, scores, owners
