"""`kibitz book`: opening books from records and from the engine's own analysis."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from kibitz.book import Book
from kibitz.cli import common
from kibitz.cli.output import progress_bar
from kibitz.engine import Engine
from kibitz.errors import BadOption
from kibitz.games import registry
from kibitz.games.base import Position

_HELP = """Opening books: positions from records, values from the engine.

Symmetric positions and transpositions are one position. `kibitz play --book FILE` plays from a book, `kibitz
analyze --book FILE` shows it.

Examples:

    kibitz book build othello games.wtb --out opening.book --plies 16 --games 5 --analyze 200

    kibitz book probe opening.book f5d6c3

    kibitz book learn opening.book mygames.ggf --analyze 50
"""

_BOOK = Annotated[Path, typer.Argument(help="A book file.", metavar="BOOK")]
_FILES = Annotated[list[Path], typer.Argument(help="Records of games.", metavar="FILE...")]
_ANALYZE = Annotated[
    int, typer.Option("--analyze", help="Positions at the book's edge to let the engine judge.")
]
#: An older spelling of --analyze.
_OLD_ANALYZE = Annotated[int, typer.Option("--analyse", hidden=True)]
_SECONDS = Annotated[float, typer.Option("--seconds", help="Seconds per analyzed position.")]
_PLIES = Annotated[int, typer.Option("--plies", help="Moves of each game to take.")]


def register(app: typer.Typer) -> None:
    group = typer.Typer(
        help=_HELP, no_args_is_help=True, context_settings={"help_option_names": ["-h", "--help"]}
    )
    group.command(
        "build",
        help="Make a book from records.\n\nExample: kibitz book build othello games.wtb --out opening.book",
    )(build)
    group.command("probe", help="Show a book's moves.\n\nExample: kibitz book probe opening.book f5d6c3")(
        probe
    )
    group.command(
        "learn", help="Add games to a book.\n\nExample: kibitz book learn opening.book mygames.ggf"
    )(learn)
    app.add_typer(group, name="book")


def build(
    game: common.Game,
    files: _FILES,
    out: Annotated[Path, typer.Option(help="The book to write.", metavar="BOOK")],
    plies: _PLIES = 20,
    games: Annotated[int, typer.Option(help="Keep positions of at least so many games.")] = 2,
    analyze: _ANALYZE = 0,
    analyse: _OLD_ANALYZE = 0,
    seconds: _SECONDS = 1.0,
) -> None:
    analyze = analyze or analyse
    _check(plies, analyze, seconds)
    with Book.create(out, game) as book:
        count = _read(book, files, plies)
        forgotten = book.prune(games)
        judged = _analyze(book, analyze, seconds)
        typer.echo(
            f"{out}: {len(book):,} positions of {count:,} games, {forgotten:,} rarer ones left out, "
            f"{judged:,} analyzed"
        )


def learn(
    book_file: _BOOK,
    files: _FILES,
    plies: _PLIES = 20,
    analyze: _ANALYZE = 0,
    analyse: _OLD_ANALYZE = 0,
    seconds: _SECONDS = 1.0,
) -> None:
    analyze = analyze or analyse
    _check(plies, analyze, seconds)
    with Book.open(book_file) as book:
        before = len(book)
        count = _read(book, files, plies)
        judged = _analyze(book, analyze, seconds)
        typer.echo(f"{book_file}: {count:,} games, {len(book) - before:,} new positions, {judged:,} analyzed")


def probe(
    book_file: _BOOK,
    source: Annotated[str, typer.Argument(help="A position or moves.", metavar="POSITION")] = "start",
    as_json: common.AsJson = False,
) -> None:
    with Book.open(book_file) as book:
        position = common.read_games(book.game, source)[0]
        if as_json:
            typer.echo(json.dumps([asdict(entry) for entry in book.entries(position)]))
        elif not book.entries(position):
            typer.echo("not in the book")
        else:
            Console().print(book_table(book, position))


def book_table(book: Book, position: Position) -> Table:
    """The book's moves for a terminal."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("book", "games", "result", "value", "score"):
        table.add_column(name, justify="left" if name == "book" else "right")
    for entry in book.entries(position):
        table.add_row(
            entry.move,
            f"{entry.games:,}",
            "" if entry.result is None else f"{100 * entry.result:.0f}%",
            "" if entry.value is None else f"{100 * entry.value:.1f}%",
            "" if entry.score is None else f"{entry.score:+.1f}",
        )
    return table


def _check(plies: int, analyze: int, seconds: float) -> None:
    if not 1 <= plies <= 1000:
        raise BadOption(f"--plies must be from 1 to 1000, got {plies}")
    if analyze < 0:
        raise BadOption(f"--analyze must not be negative, got {analyze}")
    if not 0 < seconds < 1e6:
        raise BadOption(f"--seconds must be above 0, got {seconds:g}")


def _read(book: Book, files: list[Path], plies: int) -> int:
    load = registry.get(book.game).records.load
    count = 0
    with progress_bar("files", len(files)) as progress:
        for file in files:
            for final in load(str(file)):
                book.add_game(final, most_plies=plies)
                count += 1
            progress.advance(progress.tasks[0].id)
    return count


def _analyze(book: Book, most: int, seconds: float) -> int:
    if not most:
        return 0
    with Engine(book.game) as engine:

        def judge(position: Position) -> tuple[float | None, float]:
            root = engine.analyze(position, seconds=seconds).root
            return root.lead, root.value

        return book.analyze(judge, most)
