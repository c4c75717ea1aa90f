"""Exact ultimate tic-tac-toe: result, distance, best move and line, and every move's worth.

>>> from kibitz.games.uttt import Position, solve
>>> end = "OOXXXOXXX/XO.X..XXX/OOXOOXXX./..X..X..X/O.OOXXXX./...OOXOOO/OO.OOXOXX/OOO...O../XOOOXX.XO o -"
>>> solution = solve(Position(end))
>>> solution.result, solution.distance, solution.best
(1, 3, '28')
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kibitz import _native
from kibitz.games.base import Exact, ExactMove
from kibitz.games.exact import make_solver, never, run
from kibitz.games.uttt.position import Position
from kibitz.games.uttt.tables import engine_tables


@dataclass(frozen=True)
class Solution:
    """What the solver found for the side to move: 1 win, 0 draw, -1 loss; plies to the end, 0 in a draw.

    >>> end = "OOXXXOXXX/XO.X..XXX/OOXOOXXX./..X..X..X/O.OOXXXX./...OOXOOO/OO.OOXOXX/"
    >>> end += "OOO...O../XOOOXX.XO o -"
    >>> solution = solve(kibitz.uttt.Position(end))
    >>> solution.solved, solution.result, solution.distance
    (True, 1, 3)
    """

    solved: bool
    result: int | None
    distance: int | None
    best: str | None
    line: tuple[str, ...]
    nodes: int
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        return {**vars(self), "line": list(self.line)}


@dataclass(frozen=True)
class MoveWorths:
    """Move, result and distance of every solved move, best first; `unknown` are the moves that a limit left
    unsolved, and `solved` says that there are none.

    >>> end = "OOXXXOXXX/XO.X..XXX/OOXOOXXX./..X..X..X/O.OOXXXX./...OOXOOO/OO.OOXOXX/"
    >>> end += "OOO...O../XOOOXX.XO o -"
    >>> worths = rate_moves(kibitz.uttt.Position(end))
    >>> worths.solved, len(worths.moves)
    (True, 4)
    """

    solved: bool
    moves: tuple[tuple[str, int, int], ...]
    nodes: int
    seconds: float
    unknown: tuple[str, ...] = ()


#: Nodes of a call that names no limit: several seconds. An open position has no end in sight.
DEFAULT_NODES = 20_000_000


def _limits(seconds: float | None, nodes: int | None) -> dict[str, Any]:
    if seconds is None and nodes is None:
        return {"nodes": DEFAULT_NODES}
    return {"seconds": seconds, "nodes": nodes}


def solve(
    position: Position,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    table_mb: int = 64,
    should_stop: Callable[[], bool] = never,
    solver: _native.UtttSolver | None = None,
) -> Solution:
    """Result, distance, best move and line; `solved` is False when a limit ended it first.

    Without `seconds` and `nodes` it gives up after DEFAULT_NODES; `seconds=math.inf` never gives up.
    The distance counts plies to the end of the game, wins as fast and losses as slow as possible; a draw has
    the distance 0, since no side gains by ending it sooner or later. A `solver` kept between calls remembers
    what it has seen.

    >>> end = "OOXXXOXXX/XO.X..XXX/OOXOOXXX./..X..X..X/O.OOXXXX./...OOXOOO/OO.OOXOXX/"
    >>> end += "OOO...O../XOOOXX.XO o -"
    >>> solve(kibitz.uttt.Position(end)).result
    1
    """
    job = solver or make_solver(_native.UtttSolver, table_mb)
    run(job, position, False, should_stop=should_stop, **_limits(seconds, nodes))
    solution = job.solution()
    if not solution.solved:
        return Solution(False, None, None, None, (), solution.nodes, solution.seconds)
    text = position.state.move_text
    line = tuple(map(text, solution.line))
    return Solution(
        True, solution.result, solution.distance, text(solution.best), line, solution.nodes, solution.seconds
    )


def rate_moves(
    position: Position,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    table_mb: int = 64,
    should_stop: Callable[[], bool] = never,
    solver: _native.UtttSolver | None = None,
) -> MoveWorths:
    """Every move with its own result and distance for the side that plays it, best first. Limits are those of
    `solve`; the moves they leave unsolved are `unknown`.

    >>> end = "OOXXXOXXX/XO.X..XXX/OOXOOXXX./..X..X..X/O.OOXXXX./...OOXOOO/OO.OOXOXX/"
    >>> end += "OOO...O../XOOOXX.XO o -"
    >>> rate_moves(kibitz.uttt.Position(end)).moves[0]
    ('28', 1, 3)
    """
    job = solver or make_solver(_native.UtttSolver, table_mb)
    run(job, position, True, should_stop=should_stop, **_limits(seconds, nodes))
    worths = job.worths()
    text = position.state.move_text
    moves = tuple((text(move), result, distance) for move, result, distance in worths.moves)
    known = {move for move, _, _ in moves}
    unknown = tuple(move for move in position.legal_moves if move not in known)
    return MoveWorths(not unknown, moves, worths.nodes, worths.seconds, unknown)


def solve_for_engine(
    position: Position, seconds: float, should_stop: Callable[[], bool], every_move: bool
) -> Exact | None:
    """The engine's hook: the best move exactly, and with `every_move` the others too, or None in time."""
    limit = None if seconds == float("inf") else seconds
    job = _native.UtttSolver(64, engine_tables())
    solution = solve(
        position, seconds=limit, nodes=None if limit else _NODES, should_stop=should_stop, solver=job
    )
    if not solution.solved:
        return None
    assert solution.best is not None
    assert solution.result is not None
    moves = [ExactMove(solution.best, 1 + solution.result, None, solution.line)]
    nodes, spent = solution.nodes, solution.seconds
    if every_move:
        rest = None if limit is None else max(0.01, limit - spent)
        rated = rate_moves(position, seconds=rest, should_stop=should_stop, solver=job)
        nodes, spent = nodes + rated.nodes, spent + rated.seconds
        moves += [ExactMove(move, 1 + result) for move, result, _ in rated.moves if move != solution.best]
    return Exact(tuple(moves), nodes, spent)


#: How far the engine goes into solving a root without a time limit: about a second's work.
_NODES = 2_000_000
