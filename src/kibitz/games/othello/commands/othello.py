"""`kibitz othello`: training of its evaluation."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from kibitz.cli import common
from kibitz.errors import BadOption

_HELP = """The evaluation of Othello.

Examples:

    kibitz othello train games/*.wtb --work run --out othello.eval

    kibitz othello evaluation othello.eval
"""

_TRAIN_HELP = """Train the pattern evaluation on records, with labels from search.

A run that was stopped goes on where it was when it is started again. The recipe of the bundled file is in
docs/othello-evaluation.md.

Example: kibitz othello train games/*.wtb --work run --out othello.eval --positions 100000
"""


_CALIBRATE_HELP = """Fit again what follows from the weights of an evaluation.

Odd and even depths agree on the average afterwards; the ProbCut parameters and the chance of winning are
fitted to the records.

Example: kibitz othello calibrate games/*.wtb --start othello.eval --out new.eval
"""


#: Settings of the recipe that few change: default, least, most (training/othello_patterns.py explains them).
_RECIPE: dict[str, tuple[Any, ...]] = {
    "rounds": (2, 1, 8),
    "depth": (4, 2, 16),
    "exact": (12, 1, 20),
    "own_games": (20_000, 0, 10_000_000),
    "stages": ("0-14",),
    "random_share": (0.5, 0, 1),
    "close": (0.0, 0, 64),
    "selectivity": (1, 0, 5),
    "own_random_plies": (10, 0, 50),
    "neighbours": (False,),
    "ridge": (4.0, 1e-9, 1e6),
    "seed": (1, 0, 2**62),
}


def register(app: typer.Typer) -> None:
    group = typer.Typer(no_args_is_help=True, help=_HELP, rich_markup_mode=None)
    group.command("train", help=_TRAIN_HELP)(train)
    group.command("calibrate", help=_CALIBRATE_HELP)(calibrate)
    group.command(
        "evaluation",
        help="Describe a file of evaluation.\n\nExample: kibitz othello evaluation othello.eval",
    )(describe)
    app.add_typer(group, name="othello")


def train(
    files: Annotated[list[Path], typer.Argument(help="WTHOR records.", metavar="FILE.wtb...")],
    work: Annotated[Path, typer.Option(help="Folder of the run.")],
    out: Annotated[Path, typer.Option(help="The file to write.")],
    positions: Annotated[int, typer.Option(help="Positions per stage.")] = 300_000,
    start: Annotated[
        Path | None, typer.Option(help="Label the first round with this evaluation.", metavar="FILE")
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            "-o",
            help=f"A setting of the recipe ({', '.join(_RECIPE)}). Repeatable.",
            metavar="NAME=VALUE",
        ),
    ] = None,
    threads: Annotated[int, typer.Option(help="Threads.")] = 1,
) -> None:
    from kibitz.games.othello import evaluation
    from kibitz.games.othello.fit_patterns import Recipe, make_evaluation  # NumPy is slow to import

    if positions < 100 or not 1 <= threads <= 256:
        raise BadOption("--positions from 100, --threads from 1 to 256")
    chosen = common.only_settings(option, {name: default for name, (default, *_) in _RECIPE.items()})
    for name, (_, *limits) in _RECIPE.items():
        if limits and not limits[0] <= chosen[name] <= limits[1]:
            raise BadOption(f"-o {name} takes a number from {limits[0]:g} to {limits[1]:g}")
    rounds, depth, exact, stages = (chosen.pop(name) for name in ("rounds", "depth", "exact", "stages"))
    recipe = replace(
        Recipe(),
        positions=positions,
        depths=tuple(depth + 2 * n for n in range(rounds)),
        exact=tuple(max(exact, min(exact + 2 * n, 16)) for n in range(rounds)),
        stages=_stages(stages, start is not None),
        **chosen,
    )
    first = evaluation.load(start) if start else None
    make_evaluation(files, work, out, recipe, threads, lambda text: typer.echo(text, err=True), first)
    typer.echo(f"{out}: {out.stat().st_size:,} bytes")


def _stages(text: str, started: bool) -> tuple[int, int]:
    first, _, last = text.partition("-")
    if not (first.isdigit() and last.isdigit() and int(first) <= int(last) <= 14):
        raise BadOption(f"-o stages={text}: expected two stages from 0 to 14, as in 2-9")
    if not started and (int(first), int(last)) != (0, 14):
        raise BadOption(f"-o stages={text} needs --start, for the weights of the other stages")
    return int(first), int(last)


def calibrate(
    files: Annotated[list[Path], typer.Argument(help="WTHOR records.", metavar="FILE.wtb...")],
    out: Annotated[Path, typer.Option(help="The file to write.")],
    start: Annotated[
        Path | None, typer.Option(help="The evaluation. [default: the bundled one]", metavar="FILE")
    ] = None,
    threads: Annotated[int, typer.Option(help="Threads.")] = 1,
) -> None:
    from kibitz.games.othello import evaluation
    from kibitz.games.othello.fit_patterns import Recipe
    from kibitz.games.othello.fit_patterns import calibrate as run  # NumPy is slow to import

    if not 1 <= threads <= 256:
        raise BadOption("--threads from 1 to 256")
    old = evaluation.load(start) if start else evaluation.bundled()
    run(files, old, out, Recipe(), threads)
    typer.echo(f"{out}: {out.stat().st_size:,} bytes")


def describe(
    file: Annotated[
        Path | None, typer.Argument(help="The file. [default: the bundled one]", metavar="FILE")
    ] = None,
) -> None:
    from kibitz.games.othello import evaluation

    header = (evaluation.bundled() if file is None else evaluation.load(file)).header
    typer.echo(f"{header['stages']} stages of {header['slots']:,} weights")
    typer.echo(f"{len(header['cuts'])} cuts, {len(header['endCuts'])} cuts at the end")
    widths = " ".join(f"{width:g}" for width in header["widths"])
    typer.echo(f"width of the chance of winning by stage, in discs: {widths}")
    for name, value in header.get("recipe", {}).items():
        typer.echo(f"{name}: {value}")
