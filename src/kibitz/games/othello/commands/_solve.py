"""Othello in `kibitz solve`."""

from __future__ import annotations

from typing import Any

from kibitz.cli.output import status
from kibitz.cli.solve import Limits, Problem, Solver
from kibitz.games.othello import Position, records, solve


def _problems(source: str) -> list[Problem]:
    problems = []
    for number, record in enumerate(records.read(source), 1):
        scores = [score for _, score in record.candidates if score is not None]
        expected = round(max(scores)) if scores else None
        problems.append(Problem(number, record.position(), expected, record.extras.get("comment", "")))
    return problems


def _solve(position: Position, limits: Limits) -> tuple[dict[str, Any], str]:
    with status(f"solving {position.empties} empty squares") as shown:
        solution = solve(
            position,
            seconds=limits.seconds,
            nodes=limits.nodes,
            wld=limits.wld,
            should_stop=shown.tick,
        )
    work = f"{solution.nodes:,} nodes in {solution.seconds:.2f} s"
    if not solution.solved:
        return solution.to_dict(), f"unknown after {work}: a limit ended the search"
    line = f"{position.mover} {solution.score:+d} with {solution.best}: {' '.join(solution.line)}"
    return solution.to_dict(), f"{line}\n{work}"


SOLVER = Solver(_solve, _problems, wld=True)
