"""`kibitz solve`: exact values of positions near the end of the game, one or a file of them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from kibitz import _native
from kibitz.cli import common
from kibitz.cli.output import status
from kibitz.errors import BadOption, BadRequest
from kibitz.games import othello, uttt
from kibitz.games.base import Position
from kibitz.games.othello import records

_HELP = """Solve a position exactly: score, best move and PV.

A file is solved problem by problem. Where it gives scores, as OBF files do, each answer is compared with the
best of them; the exit code is 1 if one differs.

Examples:

    kibitz solve othello "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X"

    kibitz solve othello problems.obf --number 2 --seconds 60
"""

_WORDS = {1: "win", 0: "draw", -1: "loss"}


@dataclass(frozen=True)
class _Limits:
    seconds: float | None
    nodes: int | None
    wld: bool
    table_mb: int


@dataclass(frozen=True)
class _Problem:
    """A position to solve, and the score a file says it has."""

    number: int
    position: Position
    expected: int | None = None
    comment: str = ""


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
    table_mb: Annotated[int, typer.Option(help="Transposition table in MB.")] = 256,
    as_json: common.AsJson = False,
) -> None:
    if not 1 <= table_mb <= 65536:
        raise BadOption(f"--table-mb must be from 1 to 65536, got {table_mb}")
    if game not in ("othello", "uttt"):
        common.read_games(game, "start")  # an unknown game has the usual error
        raise BadRequest(f"there is no exact solver for {game}")
    if wld and game != "othello":
        raise BadOption(f"--wld is for othello; in {game} a solution says who wins already")
    limits = _Limits(seconds, nodes, wld, table_mb)
    problems = _problems(game, source)
    if number is not None:
        if not 1 <= number <= len(problems):
            raise BadOption(f"--number must be from 1 to {len(problems)}, got {number}")
        problems = problems[number - 1 : number]
    if not common.is_file(source):
        data, text = _solve_one(problems[0].position, limits)
        typer.echo(json.dumps(data) if as_json else text)
        return
    _solve_file(problems, limits, as_json)


def _problems(game: str, source: str) -> list[_Problem]:
    if game != "othello" or not common.is_file(source):
        return [_Problem(n, position) for n, position in enumerate(common.read_games(game, source), 1)]
    problems = []
    for number, record in enumerate(records.read(source), 1):
        scores = [score for _, score in record.candidates if score is not None]
        expected = round(max(scores)) if scores else None
        problems.append(_Problem(number, record.position(), expected, record.extras.get("comment", "")))
    return problems


def _solve_file(problems: list[_Problem], limits: _Limits, as_json: bool) -> None:
    """Every problem with its answer, compared with the file's, and a summary."""
    rows = []
    for problem in problems:
        data, text = _solve_one(problem.position, limits)
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


def _solve_one(position: Position, limits: _Limits) -> tuple[dict[str, Any], str]:
    """The solution as data and as text."""
    if isinstance(position, uttt.Position):
        return _solve_uttt(position, limits)
    assert isinstance(position, othello.Position)
    with status(f"solving {position.empties} empty squares") as shown:
        solution = othello.solve(
            position,
            seconds=limits.seconds,
            nodes=limits.nodes,
            wld=limits.wld,
            table_mb=limits.table_mb,
            should_stop=shown.tick,
        )
    work = f"{solution.nodes:,} nodes in {solution.seconds:.2f} s"
    if not solution.solved:
        return solution.to_dict(), f"unknown after {work}: a limit ended the search"
    line = f"{position.mover} {solution.score:+d} with {solution.best}: {' '.join(solution.line)}"
    return solution.to_dict(), f"{line}\n{work}"


def _solve_uttt(position: uttt.Position, limits: _Limits) -> tuple[dict[str, Any], str]:
    solver = _native.UtttSolver(limits.table_mb)
    with status(f"solving {position.empties} empty cells") as shown:
        solution = uttt.solve(
            position,
            seconds=limits.seconds,
            nodes=limits.nodes,
            solver=solver,
            should_stop=shown.tick,
        )
        rated = None
        if solution.solved:
            rated = uttt.rate_moves(
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
