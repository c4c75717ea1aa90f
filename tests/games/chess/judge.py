"""Stockfish as the judge of what a position is worth, where it is installed."""

from __future__ import annotations

import math
import os
import shutil
from functools import cache

import chess
import chess.engine

#: Nodes of one judgement.
NODES = 300_000


@cache
def stockfish() -> str | None:
    places = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/games"])
    return shutil.which("stockfish", path=places)


def worth(board: chess.Board, side: chess.Color) -> float:
    """The side's expected result, 0 to 1: Lichess's formula for centipawns."""
    program = stockfish()
    assert program is not None
    with chess.engine.SimpleEngine.popen_uci(program) as engine:
        # The position alone: UCI has no words for a null move.
        score = engine.analyse(chess.Board(board.fen()), chess.engine.Limit(nodes=NODES))["score"].pov(side)
    return 1 / (1 + math.exp(-0.00368208 * score.score(mate_score=10_000)))
