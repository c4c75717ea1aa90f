"""What a chess game teaches about style: S of the game, S2 of each side, a tag, and planes about style.

>>> from kibitz.training.game_part import style_of_game
>>> scored = style_of_game("chess", None, ("g1f3", "d7d5", "g2g3", "g8f6", "f1g2"))
>>> scored.tags, bool(0 < scored.game < 1)
(('neutral',), True)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from kibitz import _native
from kibitz.games.base import Position
from kibitz.training.game_part import GameStyle


@cache
def style_scores() -> tuple[Any, Any]:
    """The norm of S and the weights of S2 that come with Kibitz."""
    from kibitz.style import load_norm, load_s2  # a core without style has none

    return load_norm(), load_s2()


def style_of_moves(first: Any, played: Sequence[int]) -> GameStyle | None:
    """The style of a game by the packaged norm and weights; None where there is nothing to measure."""
    if not played:
        return None
    norm, s2 = style_scores()
    window = norm.window.native()
    moves = list(played[: norm.window.plies])
    measures = _native.style_measure(first, moves, window)
    score = norm.score({name: getattr(measures, name) for name in ("co", "dcc", "fch", "pb_delay", "cl")})
    white, black = s2.sides(np.array(_native.style_measure_sides(first, moves, window)))
    return GameStyle(float(score), (float(white), float(black)))


def written_with_style(positions: Sequence[Position]) -> Iterator[Any]:
    """The native positions of one game with all planes about style, in the order they were played."""
    state, done = positions[0].start.state.written_as("classical", list(_native.STYLE_PLANES)), 0
    for position in positions:
        for text in position.moves[done:]:
            state = state.replayed([state.parse_move(text)])
        done = len(position.moves)
        yield state
