"""`kibitz othello`: training of its evaluation."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from kibitz.errors import BadOption

__all__ = ["register"]

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


_CALIBRATE_HELP = """Fit what follows from the weights of an evaluation anew.

Odd and even depths agree on the average afterwards; the ProbCut parameters and the chance of winning are
fitted to the records.

Example: kibitz othello calibrate games/*.wtb --start othello.eval --out new.eval
"""


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
    rounds: Annotated[int, typer.Option(help="Rounds; each labels with the weights of the last.")] = 2,
    depth: Annotated[int, typer.Option(help="Plies of the labelling search in the first round.")] = 4,
    exact: Annotated[
        int, typer.Option(min=1, max=20, help="Empty squares up to which the first round's labels are exact.")
    ] = 12,
    own_games: Annotated[int, typer.Option(help="Self-play games added by each round.")] = 20_000,
    start: Annotated[
        Path | None, typer.Option(help="Label the first round with this evaluation.", metavar="FILE")
    ] = None,
    stages: Annotated[
        str, typer.Option(help="Stages to fit; the others keep the weights of --start.", metavar="A-B")
    ] = "0-14",
    wandered: Annotated[float, typer.Option(help="Share of positions after random moves.")] = 0.5,
    close: Annotated[
        float,
        typer.Option(help="Margin in discs that halves a position's chance to be taken (0: none does)."),
    ] = 0.0,
    selectivity: Annotated[int, typer.Option(help="Cuts of the labelling search: 0 cuts most, 5 never.")] = 1,
    own_random_plies: Annotated[int, typer.Option(help="Random plies that begin self-play games.")] = 10,
    neighbours: Annotated[
        bool, typer.Option("--neighbours", help="Fit each stage to the positions of those beside it too.")
    ] = False,
    ridge: Annotated[float, typer.Option(help="How strongly weights keep to those before.")] = 4.0,
    seed: Annotated[int, typer.Option(help="Random seed.")] = 1,
    threads: Annotated[int, typer.Option(help="Threads.")] = 1,
) -> None:
    from kibitz.games.othello import evaluation
    from kibitz.training.othello_patterns import Recipe, make_evaluation  # NumPy is slow to import

    if positions < 100 or not 1 <= rounds <= 8 or not 1 <= threads <= 256:
        raise BadOption("--positions from 100, --rounds from 1 to 8, --threads from 1 to 256")
    if not 2 <= depth <= 16 or not 0 <= own_games <= 10_000_000:
        raise BadOption("--depth from 2 to 16, --own-games from 0 to 10,000,000")
    if not 0 <= wandered <= 1 or not 0 <= close <= 64 or not 0 <= selectivity <= 5:
        raise BadOption("--wandered from 0 to 1, --close from 0 to 64, --selectivity from 0 to 5")
    if not 0 <= own_random_plies <= 50 or not 0 < ridge <= 1e6:
        raise BadOption("--own-random-plies from 0 to 50, --ridge above 0")
    recipe = replace(
        Recipe(),
        positions=positions,
        depths=tuple(depth + 2 * n for n in range(rounds)),
        exact=tuple(max(exact, min(exact + 2 * n, 16)) for n in range(rounds)),
        own_games=own_games,
        own_random_plies=own_random_plies,
        wandered=wandered,
        close=close,
        stages=_stages(stages, start is not None),
        selectivity=selectivity,
        neighbours=neighbours,
        ridge=ridge,
        seed=seed,
    )
    first = evaluation.load(start) if start else None
    make_evaluation(files, work, out, recipe, threads, lambda text: typer.echo(text, err=True), first)
    typer.echo(f"{out}: {out.stat().st_size:,} bytes")


def _stages(text: str, started: bool) -> tuple[int, int]:
    first, _, last = text.partition("-")
    if not (first.isdigit() and last.isdigit() and int(first) <= int(last) <= 14):
        raise BadOption(f"--stages {text}: expected two stages from 0 to 14, as in 2-9")
    if not started and (int(first), int(last)) != (0, 14):
        raise BadOption(f"--stages {text} needs --start, for the weights of the other stages")
    return int(first), int(last)


def calibrate(
    files: Annotated[list[Path], typer.Argument(help="WTHOR records.", metavar="FILE.wtb...")],
    out: Annotated[Path, typer.Option(help="The file to write.")],
    start: Annotated[
        Path | None, typer.Option(help="The evaluation. [default: the bundled one]", metavar="FILE")
    ] = None,
    positions: Annotated[int, typer.Option(help="Positions per group.")] = 100,
    depth: Annotated[int, typer.Option(help="Plies of the deepest search that is measured.")] = 8,
    threads: Annotated[int, typer.Option(help="Threads.")] = 1,
) -> None:
    from kibitz.games.othello import evaluation
    from kibitz.training.othello_patterns import Recipe
    from kibitz.training.othello_patterns import calibrate as run  # NumPy is slow to import

    if not 10 <= positions <= 100_000 or not 4 <= depth <= 16 or not 1 <= threads <= 256:
        raise BadOption("--positions from 10 to 100,000, --depth from 4 to 16, --threads from 1 to 256")
    old = evaluation.load(start) if start else evaluation.bundled()
    run(files, old, out, replace(Recipe(), cut_positions=positions, cut_depth=depth), threads)
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
