"""What the commands share: options in text, positions in text, reports on a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.errors import BadOption, BadPosition, BadSteering, KibitzError

if TYPE_CHECKING:  # protocols share the options here, and print no tables
    from rich.console import Console
    from rich.table import Table

    from kibitz.games.base import Position
    from kibitz.report import Report

Game = Annotated[str, typer.Argument(help="The game, such as othello.", metavar="GAME")]
Preset = Annotated[str, typer.Option(help="A named set of options; see docs/options.md.")]
Option = Annotated[
    list[str] | None,
    typer.Option(
        "--option", "-o", help="A search option, such as -o c=0.7. Repeatable.", metavar="NAME=VALUE"
    ),
]
Workers = Annotated[
    str,
    typer.Option(
        help="Worker processes on this machine, or ray, ray:ADDRESS, N@ray: on a Ray cluster.",
        metavar="N|ray[:ADDRESS]",
    ),
]
Fleet = Annotated[str, typer.Option(help="Where the jobs run: local, ray or ray:ADDRESS.", metavar="FLEET")]
Start = Annotated[
    str | None,
    typer.Option(
        help="Start position, or settings of the start: size=9, rules=chinese, komi=7.5, players=2.",
        metavar="NOTATION",
    ),
]
Simulations = Annotated[int | None, typer.Option(help="Simulation limit.")]
Visits = Annotated[int | None, typer.Option(help="Root visit limit.")]
Seconds = Annotated[float | None, typer.Option(help="Time limit in seconds.")]
Include = Annotated[
    list[str] | None, typer.Option(help="A move with guaranteed visits. Repeatable.", metavar="MOVE")
]
MinVisits = Annotated[int | None, typer.Option(help="Visits guaranteed to each included move. [default: 1]")]
Compare = Annotated[
    list[str] | None,
    typer.Option(help="Search this move and the others given so until it is decided.", metavar="MOVE"),
]
Ask = Annotated[
    list[str] | None,
    typer.Option(
        help="A question: why MOVE, why not MOVE, refute MOVE, line MOVES, threat, what changed. Repeatable.",
        metavar="QUESTION",
    ),
]
Allow = Annotated[list[str] | None, typer.Option(help="Only these moves. Repeatable.", metavar="MOVE")]
Avoid = Annotated[list[str] | None, typer.Option(help="Never this move. Repeatable.", metavar="MOVE")]
Weight = Annotated[
    list[str] | None,
    typer.Option(help="Weight of a move, such as a1=2. Repeatable.", metavar="MOVE=FACTOR"),
]
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
Human = Annotated[
    str | None,
    typer.Option(
        help="Human model: a network that says what a person would play, such as maia-1500.", metavar="FILE"
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


_FLAGS = {"true": True, "yes": True, "on": True, "1": True} | dict.fromkeys(
    ("false", "no", "off", "0"), False
)
#: What --position may say of a start instead of naming it.
_START = ("size", "rules", "komi", "players", "seed")


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


def read_settings(
    items: Sequence[str] | None, defaults: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, str]]:
    """The settings of a command among `-o name=value`, with the types of their defaults; and the others."""
    settings, others = dict(defaults), {}
    for name, text in _pairs("--option", items):
        if name not in defaults:
            others[name] = text
            continue
        like = defaults[name]
        try:
            settings[name] = _FLAGS[text.lower()] if isinstance(like, bool) else type(like)(text)
        except (KeyError, ValueError):
            expected = {bool: "true or false", int: "a whole number"}.get(type(like), "a number")
            raise BadOption(f"-o {name} takes {expected}, got {text!r}") from None
    return settings, others


def only_settings(items: Sequence[str] | None, defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The same for a command that has no other options."""
    settings, others = read_settings(items, defaults)
    if others:
        raise BadOption(f"unknown option {next(iter(others))!r}, expected one of {', '.join(defaults)}")
    return settings


def read_start(game: str, text: str | None) -> tuple[str | None, dict[str, int]]:
    """A start position, and what is said of the deal, from --position: a notation, or words NAME=VALUE."""
    from kibitz.arena.openings import start_position

    words = [word.partition("=") for word in (text or "").split()]
    if not words or not all(equals and name in _START for name, equals, _ in words):
        return text, {}
    given = {name: value for name, _, value in words}
    dealt = {name: given.pop(name) for name in ("players", "seed") if name in given}
    for name, value in dealt.items():
        if not value.isdecimal():
            raise BadOption(f"--position {name}={value}: expected a whole number")
    komi = given.get("komi")
    try:
        points = None if komi is None else float(komi)
    except ValueError:
        raise BadOption(f"--position komi={komi}: expected a number") from None
    start = None
    if given:
        from kibitz.games import registry

        kind = registry.get(game).position
        start = start_position(kind, given.get("size"), given.get("rules"), points).notation
    return start, {name: int(value) for name, value in dealt.items()}


def read_workers(text: str, flag: str = "--processes") -> tuple[int, str]:
    """Processes and fleet from --processes; on a cluster 0 processes are one for each of its CPUs."""
    number, at, fleet = text.rpartition("@")
    if not at and (text == "ray" or text.startswith("ray:")):
        return 0, text
    if not at:
        number, fleet = text, "local"
    if not number.isdecimal() or (at and fleet != "ray" and not fleet.startswith("ray:")):
        raise BadOption(f"{flag} takes a number, ray, ray:ADDRESS or N@ray, got {text!r}")
    return int(number), fleet


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


@cache
def record_files(whole_games: bool = False) -> dict[str, str]:
    """The game of a record file, by how its name ends; with `whole_games` of those that a review reads."""
    from kibitz.games import registry

    found: dict[str, str] = {}
    for game in registry.BUILT_IN:
        records = registry.get(game).records
        others = () if whole_games else records.other_suffixes
        found |= dict.fromkeys((*records.suffixes, *others), game)
    return found


def read_games(game: str, text: str) -> list[Position]:
    """Positions from a notation, moves, or a record file; each knows the moves that led to it."""
    from kibitz.games import registry

    info = registry.get(game)
    if is_file(text):
        named = _FILE_NAME.fullmatch(text)
        if named and (owner := record_files().get(named[1].lower(), game)) != game:
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
    from kibitz.games import registry

    games = list(registry.get(game).records.load(text))
    if not games:
        raise BadOption(f"{text}: no game in it")
    return games


#: Columns that may be long, and cells that must be free for one to be worth showing beside numbers.
_WIDE = ("target", "line")
_WORTHWHILE = 24


def _width(columns: Sequence[tuple[str, ...]]) -> int:
    from rich.cells import cell_len

    return sum(max(map(cell_len, column)) + 2 for column in columns)


def _whole_words(cell: str, most: int) -> str:
    """A cell cut to so many letters, but never inside a move."""
    from rich.cells import cell_len

    if cell_len(cell) <= most:
        return cell
    kept, _, rest = cell[: most - 1].rpartition(" ")
    return f"{kept} …" if kept else f"{rest}…"


def _cropped(columns: Sequence[tuple[str, ...]], room: int) -> list[tuple[str, ...]]:
    """Long columns cut to the room there is; what an earlier one leaves goes to the next."""
    out = []
    for left, column in zip(range(len(columns), 0, -1), columns, strict=True):
        most = min(_width([column]) - 2, room // left - 2)
        out.append(tuple(_whole_words(cell, most) for cell in column))
        room -= most + 2
    return out


def _table(columns: Sequence[tuple[str, ...]]) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for name, *_ in columns:
        words = name in ("move", "line", "proven", "target")
        table.add_column(name, justify="left" if words else "right", no_wrap=True)
    for number, row in enumerate(zip(*(cells for _, *cells in columns), strict=True)):
        table.add_row(*row, style="bold green" if number == 0 else None)
    return table


def _as_written(position: Position, column: tuple[str, ...]) -> tuple[str, ...]:
    """A column of moves or lines as people of the game write them."""
    name, *cells = column
    if name not in ("move", "line"):
        return column
    return name, *(" ".join(position.line_text(cell.split(" "))) if cell else "" for cell in cells)


def board_text(console: Console, position: Position) -> str:
    """The board for a terminal, with the game's figures where it can show them."""
    figures = console.is_terminal and (console.encoding or "").lower().startswith("utf")
    return position.figures() if figures else str(position)


def show_report(console: Console, report: Report, most: int = 12) -> None:
    """The table of moves with its summary line and whatever was refused."""
    from kibitz.human import human_lines

    headings, rows = report.rows(most)
    columns = [_as_written(report.position, column) for column in zip(headings, *rows, strict=True)]
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
    for reply in report.replies:
        console.print(f"  {reply}", highlight=False, soft_wrap=True)
        for step in reply.steps:
            value, best, cost = (f"{share:.1%}" for share in (step.value, step.best_value, step.cost))
            said = f"{step.name} ({step.side}) {value}, best {step.best_name} {best}, costs {cost}"
            console.print(f"    {said}; {step.visits} visits", style="dim", highlight=False)
    if report.comparison is not None:
        for sentence in report.comparison.said:
            console.print(f"  {sentence}", highlight=False, soft_wrap=True)
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
