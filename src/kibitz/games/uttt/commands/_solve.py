"""Ultimate tic-tac-toe in `kibitz solve`."""

from __future__ import annotations

from typing import Any

from kibitz import _native
from kibitz.cli.output import status
from kibitz.cli.solve import Limits, Solver
from kibitz.games.uttt import Position, rate_moves, solve

_TABLE_MB = 256
_WORDS = {1: "win", 0: "draw", -1: "loss"}


def _solve(position: Position, limits: Limits) -> tuple[dict[str, Any], str]:
    solver = _native.UtttSolver(_TABLE_MB)
    with status(f"solving {position.empties} empty cells") as shown:
        solution = solve(
            position,
            seconds=limits.seconds,
            nodes=limits.nodes,
            solver=solver,
            should_stop=shown.tick,
        )
        rated = None
        if solution.solved:
            rated = rate_moves(
                position,
                seconds=limits.seconds,
                nodes=limits.nodes,
                solver=solver,
                should_stop=shown.tick,
            )
    moves, unknown = (rated.moves, rated.unknown) if rated else ((), ())
    rows = [{"move": move, "result": result, "distance": distance} for move, result, distance in moves]
    data = {**solution.to_dict(), "moves": rows, "unknown": list(unknown)}
    work = f"{solution.nodes:,} nodes in {solution.seconds:.2f} s"
    if not solution.solved:
        return data, f"unknown after {work}: a limit ended the search (--seconds, --nodes)"

    def worded(result: int, distance: int) -> str:
        return _WORDS[result] + (f" in {distance}" if distance else "")

    outcome = worded(solution.result or 0, solution.distance or 0)
    lines = [f"{position.mover}: {outcome} with {solution.best}: {' '.join(solution.line)}"]
    lines += [f"  {move}  {worded(result, distance)}" for move, result, distance in moves]
    lines += [f"  {move}  unknown" for move in unknown]
    return data, "\n".join([*lines, work])


SOLVER = Solver(_solve)
