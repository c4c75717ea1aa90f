"""`kibitz solve`: exact values of positions near the end of the game, one or a file of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from kibitz.cli import common
from kibitz.errors import BadOption, BadRequest
from kibitz.games import registry
from kibitz.games.base import Position

_HELP = """Solve a position exactly: score, best move and PV.

A file is solved problem by problem. Where it gives scores, as OBF files do, each answer is compared with the
best of them; the exit code is 1 if one differs.

Examples:

    kibitz solve othello "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X"

    kibitz solve othello problems.obf --number 2 --seconds 60
"""


@dataclass(frozen=True)
class Limits:
    seconds: float | None
    nodes: int | None
    wld: bool


@dataclass(frozen=True)
class Problem:
    """A position to solve, and the score a file says it has."""

    number: int
    position: Position
    expected: int | None = None
    comment: str = ""


@dataclass(frozen=True)
class Solver:
    """How a game with an exact solver answers, `SOLVER` of its `commands/_solve.py`."""

    #: The solution as data and as text.
    solve: Callable[[Any, Limits], tuple[dict[str, Any], str]]
    #: Reads a file of problems that says what their scores are.
    problems: Callable[[str], list[Problem]] | None = None
    #: Whether it can find who wins without the score.
    wld: bool = False


def register(app: typer.Typer) -> None:
    app.command("solve", help=_HELP)(solve)


def solve(
    game: common.Game,
    source: Annotated[str, typer.Argument(help="A position, or a file of them.", metavar="POSITION")],
    number: Annotated[
        int | None, typer.Option(help="Only this problem of a file. [default: all of them]")
    ] = None,
    seconds: Annotated[float | None, typer.Option(help="Time limit per position.")] = None,
    nodes: Annotated[int | None, typer.Option(help="Node limit per position.")] = None,
    wld: Annotated[bool, typer.Option("--wld", help="Othello: only who wins, 1, 0 or -1.")] = False,
    as_json: common.AsJson = False,
) -> None:
    if registry.get(game).solve is None:
        raise BadRequest(f"there is no exact solver for {game}")
    solver: Solver = registry.part_of(game, "commands._solve").SOLVER
    if wld and not solver.wld:
        raise BadOption(f"--wld is for games with scores; in {game} a solution says who wins already")
    limits = Limits(seconds, nodes, wld)
    problems = _problems(game, source, solver)
    if number is not None:
        if not 1 <= number <= len(problems):
            raise BadOption(f"--number must be from 1 to {len(problems)}, got {number}")
        problems = problems[number - 1 : number]
    if not common.is_file(source):
        data, text = solver.solve(problems[0].position, limits)
        typer.echo(json.dumps(data) if as_json else text)
        return
    _solve_file(problems, limits, as_json, solver)


def _problems(game: str, source: str, solver: Solver) -> list[Problem]:
    if solver.problems is not None and common.is_file(source):
        return solver.problems(source)
    return [Problem(number, position) for number, position in enumerate(common.read_games(game, source), 1)]


def _solve_file(problems: list[Problem], limits: Limits, as_json: bool, solver: Solver) -> None:
    """Every problem with its answer, compared with the file's, and a summary."""
    rows = []
    for problem in problems:
        data, text = solver.solve(problem.position, limits)
        expected = problem.expected
        if expected is not None and limits.wld:
            expected = (expected > 0) - (expected < 0)
        as_expected = None if expected is None or not data["solved"] else data["score"] == expected
        rows.append({"number": problem.number, **data, "expected": expected, "asExpected": as_expected})
        if as_json:
            typer.echo(json.dumps({"position": problem.position.notation, **rows[-1]}))
        else:
            match = {True: ", as expected", False: f", expected {expected or 0:+d}", None: ""}[as_expected]
            comment = f" {problem.comment}:" if problem.comment else ""
            first, *rest = text.splitlines()
            typer.echo("\n".join([f"{problem.number}.{comment} {first}{match}", *(f"   {x}" for x in rest)]))
    solved = [row for row in rows if row["solved"]]
    summary = {
        "problems": len(rows),
        "solved": len(solved),
        "asExpected": sum(row["asExpected"] is True for row in rows),
        "differ": sum(row["asExpected"] is False for row in rows),
        "nodes": sum(row["nodes"] for row in rows),
        "seconds": round(sum(row["seconds"] for row in rows), 6),
    }
    if as_json:
        typer.echo(json.dumps({"summary": summary}))
    else:
        compared = summary["asExpected"] + summary["differ"]
        expected_scores = f", {summary['asExpected']} of {compared} scores as expected" if compared else ""
        typer.echo(
            f"{len(rows)} problem{'s' * (len(rows) != 1)}: {len(solved)} solved{expected_scores}; "
            f"{summary['nodes']:,} nodes in {summary['seconds']:.2f} s"
        )
    if summary["differ"]:
        raise typer.Exit(1)
