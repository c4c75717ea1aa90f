"""Exact Othello endgames.

>>> from kibitz.games.othello import Position, solve
>>> board = "-XXXXXX-" + "XXXXXXXX" * 6 + "XXXXXXO-"
>>> solve(Position(board + " X")).score
64
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kibitz import _native
from kibitz.games.base import Exact, ExactMove
from kibitz.games.exact import make_solver, never, run
from kibitz.games.othello import evaluation
from kibitz.games.othello.position import Position


@dataclass(frozen=True)
class Solution:
    """What the solver found: scores are for the side to move, empty squares to the winner.

    >>> solution = solve(kibitz.othello.Position(), nodes=1000)
    >>> solution.solved, solution.score
    (False, None)
    """

    solved: bool
    score: int | None
    best: str | None
    line: tuple[str, ...]
    nodes: int
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        return {**vars(self), "line": list(self.line)}


def solve(
    position: Position,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    wld: bool = False,
    table_mb: int = 256,
    patterns: bool = True,
    should_stop: Callable[[], bool] = never,
) -> Solution:
    """The exact score of a position, its best move and line; `solved` is False when a limit ended it first.

    With `wld` only the sign of the score is proven: 1, 0 or -1. `patterns` orders moves by the evaluation,
    which is faster and changes no answer.

    >>> start = kibitz.othello.Position()
    >>> solve(start, nodes=1000).solved
    False
    """
    if patterns:
        evaluation.use_bundled()
    job = make_solver(_native.OthelloSolver, table_mb, patterns)
    task = "wld" if wld else "score"
    run(job, position, task, seconds=seconds, nodes=nodes, should_stop=should_stop)
    result = job.result()
    if not result.solved:
        return Solution(False, None, None, (), result.nodes, result.seconds)
    line = tuple(position.state.move_text(move) for move in result.line)
    best = position.state.move_text(result.best)
    return Solution(True, result.score, best, line, result.nodes, result.seconds)


def solve_for_engine(
    position: Position, seconds: float, should_stop: Callable[[], bool], every_move: bool
) -> Exact | None:
    """The engine's hook: the best move exactly, and with `every_move` the others too, or None in time."""
    job = _engine_solver()
    run(job, position, "score", seconds=seconds, should_stop=should_stop)
    result = job.result()
    if not result.solved:
        return None
    text = position.state.move_text
    best = ExactMove(
        text(result.best), _half_points(result.score), result.score, tuple(map(text, result.line))
    )
    moves: tuple[ExactMove, ...] = (best,)
    nodes, spent = result.nodes, result.seconds
    if every_move:
        run(job, position, "moves", seconds=max(0.01, seconds - spent), should_stop=should_stop)
        scored = job.moves()
        nodes, spent = nodes + scored.nodes, spent + scored.seconds
        if scored.solved:
            others = [ExactMove(text(m.move), _half_points(m.lower), m.lower) for m in scored.moves]
            moves = (best, *(move for move in others if move.move != best.move))
    return Exact(moves, nodes, spent)


_kept = threading.local()


def _engine_solver() -> _native.OthelloSolver:
    """This thread's solver. Its table is expensive to allocate, and its entries stay valid."""
    if not hasattr(_kept, "solver"):
        evaluation.use_bundled()
        _kept.solver = _native.OthelloSolver(64)
    solver: _native.OthelloSolver = _kept.solver
    return solver


def _half_points(score: int) -> int:
    return 1 + (score > 0) - (score < 0)
