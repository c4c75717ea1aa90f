"""Tags of positions: for each position of each game S of the game, S2 of the side to move, and whether the
game's S is high; as a JSON object a line.

>>> next(position_tags([{"moves": ["g1f3", "d7d5", "g2g3"]}]))["ply"]
0
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from kibitz import _native
from kibitz.games.chess.pgn import read_pgn
from kibitz.style.json_games import games_of_json, is_json, native_moves
from kibitz.style.norm import Norm, load_norm
from kibitz.style.s2 import S2, load_s2

#: Tags of games whose S is at least HIGH_SCORE, and of the others: what replay is balanced by. The packaged
#: norm's baseline has a mean S of 0.346 with a standard deviation of 0.093; this is half of one above it.
HIGH, NEUTRAL = "high", "neutral"
HIGH_SCORE = 0.39


def tag_of(score: float) -> str:
    """`high` or `neutral` by S of a game."""
    return HIGH if score >= HIGH_SCORE else NEUTRAL


def games_of_file(path: str | os.PathLike[str]) -> Iterator[Mapping[str, Any]]:
    """The games of a JSON or PGN file as objects with `moves` and `start`."""
    if is_json(path):
        yield from games_of_json(path)
        return
    for game in read_pgn(path):
        position = game.position()
        start = position.start
        yield {"moves": list(position.moves), "start": start.fen}


def position_tags(
    games: Iterable[Mapping[str, Any]], norm: Norm | None = None, s2: S2 | None = None
) -> Iterator[dict[str, Any]]:
    """One object a position before a move: game (from 1), ply (from 0), fen, move, s, s2, tag."""
    chosen, sides = norm or load_norm(), s2 or load_s2()
    window = chosen.window.native()
    for number, game in enumerate(games, start=1):
        state, moves, _ = native_moves(game)
        if not moves:
            continue
        measured = _native.style_measure(state, moves, window)
        score = chosen.score({name: getattr(measured, name) for name in chosen.spreads})
        both = sides.sides(np.array(_native.style_measure_sides(state, moves, window)))
        for ply, move in enumerate(moves):
            yield {
                "game": number,
                "ply": ply,
                "fen": state.to_text(),
                "move": state.move_text(move),
                "s": round(float(score), 6),
                "s2": round(float(both[state.to_move]), 6),
                "tag": tag_of(float(score)),
            }
            state = state.replayed([move])
