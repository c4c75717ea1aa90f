"""`kibitz tablebase`: build, probe and verify the tables of ultimate tic-tac-toe."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from kibitz.cli import common
from kibitz.cli.output import status
from kibitz.errors import BadRequest, BadTable
from kibitz.games.uttt import Position
from kibitz.tablebase import Tablebase
from kibitz.tablebase.builder import Built
from kibitz.tablebase.builder import build as build_tables
from kibitz.tablebase.enumerator import Level, levels
from kibitz.tablebase.format import Statistics
from kibitz.tablebase.solver import cached_tables
from kibitz.tablebase.verify import verify as verify_tables

_BUILD = """Build table files level by level; an interrupted build resumes.

Example: kibitz tablebase build --max-empty 10 --max-open 2 --output tables
"""
_PROBE = """Probe a position: result, plies to the end, and every move, best first.

Without DIR (or with `cache`) the small tables are probed, which are built at first use: every position with
at most four playable empty cells, or with one open sub-board. The result is for the side to move; a draw has
no distance (0 in the JSON).

Examples:

    kibitz tablebase probe tables "NOTATION"

    kibitz tablebase probe "$(cat position.txt)" --json
"""
_VERIFY = """Verify table files: checksums, child values, plain minimax, symmetry.

Example: kibitz tablebase verify tables
"""
_WORDS = {1: "win", 0: "draw", -1: "loss"}

Folder = Annotated[
    str, typer.Argument(help="Folder of tables, or `cache` for the small ones.", metavar="DIR")
]


def register(app: typer.Typer) -> None:
    group = typer.Typer(
        no_args_is_help=True, help="Exact tables of ultimate tic-tac-toe: build, probe, verify."
    )
    group.command("build", help=_BUILD)(build)
    group.command("probe", help=_PROBE)(probe)
    group.command("verify", help=_VERIFY)(verify)
    app.add_typer(group, name="tablebase")


def build(
    output: Annotated[Path, typer.Option(help="Folder to build into.", metavar="DIR")],
    max_empty: Annotated[int, typer.Option(help="Highest level: playable empty cells.")] = 10,
    max_open: Annotated[
        int | None,
        typer.Option(help="Most open sub-boards. [default: 2 above 5 empty cells]"),
    ] = None,
    threads: Annotated[
        str,
        typer.Option(
            help="Threads, or workers of a Ray cluster. [default: one per core]", metavar="N|ray[:ADDRESS]"
        ),
    ] = "0",
    rules: Annotated[
        str, typer.Option(help="standard, or codingame (without a line, most sub-boards win).")
    ] = "standard",
    max_per_level: Annotated[
        int | None, typer.Option(help="Solve only this many positions per level, for a trial.")
    ] = None,
    as_json: common.AsJson = False,
) -> None:
    workers, fleet = common.read_workers(threads, "--threads")
    total = sum(level.positions for level in levels(max_empty, max_open, rules))
    begun = time.monotonic()
    try:
        with _build_progress(total) as progress:
            built = build_tables(
                output,
                max_empty,
                max_open,
                rules=rules,
                threads=workers or None,
                fleet=fleet,
                max_per_level=max_per_level,
                progress=progress,
            )
    except KeyboardInterrupt:
        print("kibitz: stopped; the same command goes on from here", file=sys.stderr)
        raise typer.Exit(130) from None
    seconds = time.monotonic() - begun
    if as_json:
        typer.echo(json.dumps({"seconds": round(seconds, 3), "levels": [_row(item) for item in built]}))
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("empty", "open", "positions", "wins", "draws", "losses", "unknown", "longest win"):
        table.add_column(heading, justify="right", no_wrap=True)
    for item in built:
        s: Statistics = item.header.statistics
        numbers = (item.level.positions, s.wins, s.draws, s.losses, s.unknown, s.longest_win)
        cells = [f"{number:,}" for number in numbers]
        table.add_row(str(item.level.empties), str(item.level.open), *cells)
    console = Console()
    if not console.is_terminal:
        console.width = max(console.width, 100)  # a file has room for every digit
    console.print(table)
    typer.echo(f"{total:,} positions in {seconds:.1f} s")


@contextlib.contextmanager
def _build_progress(total: int) -> Iterator[Callable[[Level, int, int], None]]:
    """A bar with rate and estimate on a terminal, a line for each level elsewhere, both on stderr."""
    console = Console(stderr=True)
    begun = time.monotonic()
    if not console.is_terminal:
        last: Level | None = None

        def write_line(level: Level, solved: int, _: int) -> None:
            nonlocal last
            if solved == level.positions and level != last:
                last = level
                text = f"{level.empties} empty, {level.open} open: {level.positions:,} positions"
                print(f"{text} after {time.monotonic() - begun:.1f} s", file=sys.stderr, flush=True)

        yield write_line
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:.1f}%  {task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("building", total=total, rate="")

        def move_bar(level: Level, _: int, done: int) -> None:
            speed = bar.tasks[0].speed or 0.0
            bar.update(
                task,
                description=f"{level.empties} empty, {level.open} open",
                completed=done,
                rate=f"{speed / 1e6:.2f} M positions/s",
            )

        yield move_bar


def _row(item: Built) -> dict[str, object]:
    s = item.header.statistics
    return {
        "rules": item.level.rules,
        "empties": item.level.empties,
        "open": item.level.open,
        "positions": item.level.positions,
        "wins": s.wins,
        "draws": s.draws,
        "losses": s.losses,
        "unknown": s.unknown,
        "longestWin": s.longest_win,
        "file": item.path.name,
        "fresh": item.fresh,
    }


def probe(
    words: Annotated[
        list[str],
        typer.Argument(
            help="Folder of tables (the small tables if left out), then the position.",
            metavar="[DIR] NOTATION",
        ),
    ],
    as_json: common.AsJson = False,
) -> None:
    # A board has eight slashes and nothing of a path; so the quotes around a notation may be missing too.
    named = len(words) > 1 and not (words[0].count("/") == 8 and set(words[0].split(" ")[0]) <= set("XxOo./"))
    folder = words.pop(0) if named else "cache"
    position = Position(" ".join(words))
    if position.is_over:
        raise BadRequest("the game is over; there is nothing to look up")
    if folder == "cache":
        with status("building the small tables, once"):
            cached_tables(position.rules)
    tables = Tablebase(None if folder == "cache" else folder, position.rules)
    moves = tables.probe_moves(position)
    result, distance = tables.probe(position)
    if as_json:
        rows = [{"move": move, "result": r, "distance": d} for move, r, d in moves]
        answer = {"position": position.notation, "rules": position.rules, "result": result}
        typer.echo(json.dumps({**answer, "distance": distance, "best": moves[0][0], "moves": rows}))
        return
    console = Console()
    console.print(str(position), highlight=False, markup=False)
    console.print(
        f"{position.mover}: {_WORDS[result]}{f' in {distance}' if distance else ''}", highlight=False
    )
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("move")
    table.add_column("result")
    table.add_column("plies", justify="right")
    for move, r, d in moves:
        table.add_row(move, _WORDS[r], str(d) if d else "")
    console.print(table)


def verify(
    folder: Folder,
    sample: Annotated[int, typer.Option(help="Positions to recompute, per file and by minimax.")] = 1000,
) -> None:
    place = cached_tables() if folder == "cache" else Path(folder)
    with status("verifying") as shown:
        checked = verify_tables(place, sample, 1, shown.update)
    for problem in checked.problems:
        typer.echo(problem)
    typer.echo(
        f"{checked.blocks:,} blocks, {checked.recomputed:,} values recomputed, {checked.searched:,} "
        f"positions by plain minimax, {checked.symmetries:,} symmetries: "
        f"{'all correct' if checked.ok else 'NOT correct'}"
    )
    if not checked.ok:
        raise BadTable(f"{place}: {len(checked.problems)} problems found")
