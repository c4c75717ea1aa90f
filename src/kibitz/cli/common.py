"""What the commands share: options in text, positions in text, reports on a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

from kibitz.cli.output import progress_bar
from kibitz.errors import BadOption, BadPosition, BadSteering, KibitzError
from kibitz.games import registry
from kibitz.games.base import Position
from kibitz.human import human_lines
from kibitz.report import Report

__all__ = [
    "Allow",
    "AsJson",
    "Avoid",
    "Fleet",
    "Game",
    "Include",
    "Komi",
    "MinVisits",
    "Network",
    "OldModel",
    "OldWeights",
    "Option",
    "Precision",
    "Preset",
    "Prune",
    "Rules",
    "Seconds",
    "Simulations",
    "Size",
    "Style",
    "Threads",
    "Visits",
    "Weight",
    "is_file",
    "progress_bar",
    "read_games",
    "read_options",
    "read_weights",
    "show_report",
]

Game = Annotated[str, typer.Argument(help="The game, such as othello.", metavar="GAME")]
Preset = Annotated[str, typer.Option(help="A named set of options; see docs/options.md.")]
Option = Annotated[
    list[str] | None,
    typer.Option(
        "--option", "-o", help="A search option, such as -o c=0.7. Repeatable.", metavar="NAME=VALUE"
    ),
]
Fleet = Annotated[
    str,
    typer.Option(
        help="Where the jobs run: local, ray (a Ray cluster on this machine) or ray:ADDRESS.",
        metavar="FLEET",
    ),
]
Size = Annotated[str | None, typer.Option(help="Go: size of the board, such as 9 or 13x9.", metavar="SIZE")]
Rules = Annotated[str | None, typer.Option(help="Rules, in games that have several.")]
Komi = Annotated[float | None, typer.Option(help="Go: komi. [default: as the rules have it]")]
Simulations = Annotated[int | None, typer.Option(help="Simulation limit.")]
Visits = Annotated[int | None, typer.Option(help="Root visit limit.")]
Seconds = Annotated[float | None, typer.Option(help="Time limit in seconds.")]
Threads = Annotated[int | None, typer.Option(help="Search threads.")]
Include = Annotated[
    list[str] | None, typer.Option(help="A move with guaranteed visits. Repeatable.", metavar="MOVE")
]
MinVisits = Annotated[int | None, typer.Option(help="Visits guaranteed to each included move. [default: 1]")]
Allow = Annotated[list[str] | None, typer.Option(help="Only these moves. Repeatable.", metavar="MOVE")]
Avoid = Annotated[list[str] | None, typer.Option(help="Never this move. Repeatable.", metavar="MOVE")]
Weight = Annotated[
    list[str] | None,
    typer.Option(help="Weight of a move, such as a1=2. Repeatable.", metavar="MOVE=FACTOR"),
]
Prune = Annotated[str | None, typer.Option(help="Root pruning: none, progressive or statistical.")]
Style = Annotated[
    str | None,
    typer.Option(help="Playing style: medium, open:strong, or a profile, tal.json:strong.", metavar="STYLE"),
]
Network = Annotated[
    str | None, typer.Option(help="Network file, a name from `kibitz nets list`, or none.", metavar="FILE")
]
#: Older spellings of --network.
OldModel = Annotated[str | None, typer.Option("--model", hidden=True)]
OldWeights = Annotated[str | None, typer.Option("--weights", hidden=True)]
Precision = Annotated[
    str | None,
    typer.Option(help="Network precision: fp32, or int8 (faster). [default: fp32]", metavar="PRECISION"),
]
Human = Annotated[
    str | None,
    typer.Option(
        help="Human model: a network that says what a person would play, such as maia-1500.", metavar="FILE"
    ),
]
HumanProfile = Annotated[
    str | None,
    typer.Option(
        help="Whom one of KataGo's human networks imitates, such as rank_5k or proyear_1985.", metavar="NAME"
    ),
]
PlausibleShare = Annotated[
    float | None,
    typer.Option(
        "--plausible",
        help="With --human: moves with at least this share get guaranteed visits. [default: 0.05]",
        metavar="SHARE",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


def _pairs(name: str, items: Sequence[str] | None) -> Iterator[tuple[str, str]]:
    for item in items or ():
        key, equals, value = item.partition("=")
        if not equals or not key or not value:
            raise BadOption(f"{name} takes NAME=VALUE, got {item!r}")
        yield key, value


def read_options(items: Sequence[str] | None, **named: Any) -> dict[str, Any]:
    """Options from `-o name=value` and from flags of their own (those that are not None)."""
    options: dict[str, Any] = dict(_pairs("--option", items))
    options.update({name: value for name, value in named.items() if value is not None})
    return options


def read_weights(items: Sequence[str] | None) -> dict[str, float]:
    weights = {}
    for move, text in _pairs("--weight", items):
        try:
            weights[move] = float(text)
        except ValueError:
            raise BadSteering(f"--weight {move} takes a number, got {text!r}") from None
    return weights


#: How a record file's name ends; a chess move such as 1.e4 has a dot too.
_FILE_NAME = re.compile(
    r".*\.(pgn|sgf|ggf|obf|wtb|txt|jgs|jql|epd|fen)(\.(gz|zst|zip))?", re.IGNORECASE | re.DOTALL
)


#: Records that only one game has.
_RECORDS_OF = {"pgn": "chess", "sgf": "go", "jgs": "junqi", **dict.fromkeys(("ggf", "wtb", "obf"), "othello")}


def read_games(game: str, text: str) -> list[Position]:
    """Positions from a notation, moves, or a record file; each knows the moves that led to it."""
    info = registry.get(game)
    if is_file(text):
        named = _FILE_NAME.fullmatch(text)
        if named and (owner := _RECORDS_OF.get(named[1].lower(), game)) != game:
            raise BadOption(f"{text}: a .{named[1]} file has games of {owner}, not of {game}")
        return _read_record(game, text)
    text = text.strip()  # a board that begins with `-` comes with a space before it
    if text in ("start", "startpos"):
        return [info.position()]
    if _FILE_NAME.fullmatch(text):
        raise BadOption(f"{text}: no such file")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadPosition(f"not a position of {game}: {text[:40]!a} is not UTF-8 text") from None
    try:
        return [info.position(text)]
    except KibitzError as error:
        first = error
    if info.load is None:
        raise first
    try:
        return _read_record(game, text)
    except KibitzError as error:
        # Text with a board's length, or with ranks divided as in FEN, was meant as a position; its own error
        # says more.
        word = text.split(" ")[0]
        board = len(word) >= 60 or (word.count("/") > 1 and "." not in word)
        raise (first if board else error) from None


def is_file(text: str) -> bool:
    """Whether an argument names a file that exists."""
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # a zero byte, or longer than a path can be
        return False


def _read_record(game: str, text: str) -> list[Position]:
    load = registry.get(game).load
    if load is None:
        raise BadOption(f"{game} has no record files")
    games = list(load(text))
    if not games:
        raise BadOption(f"{text}: no game in it")
    return games


#: Columns that may be long, and cells that must be free for one to be worth showing beside numbers.
_WIDE = ("target", "line")
_WORTHWHILE = 24


def _width(columns: Sequence[tuple[str, ...]]) -> int:
    return sum(max(map(cell_len, column)) + 2 for column in columns)


def _cropped(columns: Sequence[tuple[str, ...]], room: int) -> list[tuple[str, ...]]:
    """Long columns cut to the room there is; what an earlier one leaves goes to the next."""
    out = []
    for left, column in zip(range(len(columns), 0, -1), columns, strict=True):
        most = min(_width([column]) - 2, room // left - 2)
        out.append(tuple(cell if cell_len(cell) <= most else cell[: most - 1] + "…" for cell in column))
        room -= most + 2
    return out


def _table(columns: Sequence[tuple[str, ...]]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name, *_ in columns:
        words = name in ("move", "line", "proven", "target")
        table.add_column(name, justify="left" if words else "right", no_wrap=True)
    for number, row in enumerate(zip(*(cells for _, *cells in columns), strict=True)):
        table.add_row(*row, style="bold green" if number == 0 else None)
    return table


def show_report(console: Console, report: Report, most: int = 12) -> None:
    """The table of moves with its summary line and whatever was refused."""
    headings, rows = report.rows(most)
    columns: list[tuple[str, ...]] = list(zip(headings, *rows, strict=True))
    console.print(report.summary(), highlight=False, soft_wrap=True)
    wide = [column for column in columns if column[0] in _WIDE]
    narrow = [column for column in columns if column[0] not in _WIDE]
    if console.width - _width(narrow) >= _WORTHWHILE * len(wide):
        console.print(_table([*narrow, *_cropped(wide, console.width - _width(narrow))]))
    else:  # numbers above, words below, so that neither is cut away
        console.print(_table(narrow))
        console.print()
        console.print(_table([columns[0], *_cropped(wide, console.width - _width(columns[:1]))]))
    for answer in report.answers:
        console.print(f"  {answer.text}", highlight=False, soft_wrap=True)
    for line in human_lines(report):
        console.print(f"  {line}", highlight=False, soft_wrap=True)
    for item in report.steering.honoured:
        if item.detail:
            what = f"{item.kind} {item.move}".rstrip()  # pruning is of no single move
            console.print(f"  honoured {what}: {item.detail}", style="dim", highlight=False)
    for refused in report.steering.refused:
        console.print(
            f"  refused {refused.kind} {refused.move}: {refused.reason}", style="yellow", highlight=False
        )
