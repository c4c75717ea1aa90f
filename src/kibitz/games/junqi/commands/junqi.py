"""`kibitz junqi`: records, layouts and weights of Junqi."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from kibitz.cli import common
from kibitz.cli.output import write_text
from kibitz.errors import BadOption
from kibitz.games.junqi import Position, View, layout_commands, layouts, records, weights
from kibitz.games.junqi.beliefs import believe
from kibitz.games.junqi.pieces import Names, piece_name

_HELP = """Records, layouts and weights of Junqi.

Examples:

    kibitz junqi replay game.jgs --check

    kibitz junqi layout lance
"""


_LAYOUT_HELP = """Check a layout: a name, text, or a .jql file; `random` makes one.

Example: kibitz junqi layout lance --output lance.jql
"""

_WEIGHTS_HELP = """Print the weights file of the evaluation.

Example: kibitz junqi weights > mine.ini
"""

_VIEW_HELP = """Show the view and the beliefs of a seat.

SOURCE is a position or a view as text, a .jgs record, or `start`. The last line is the view as text, which
`kibitz analyze junqi` takes.

Examples:

    kibitz junqi view game.jgs --ply 60 --seat E --picture east.svg

    kibitz junqi view start --about E11 --about E62
"""


def register(app: typer.Typer) -> None:
    group = typer.Typer(no_args_is_help=True, help=_HELP, rich_markup_mode=None)
    group.command("replay", help="Replay a .jgs record.\n\nExample: kibitz junqi replay game.jgs --check")(
        replay
    )
    group.command("view", help=_VIEW_HELP)(view)
    group.command("layout", help=_LAYOUT_HELP)(layout)
    group.command("layouts", help=layout_commands.HELP)(layout_commands.layouts_command)
    group.command("weights", help=_WEIGHTS_HELP)(show_weights)
    app.add_typer(group, name="junqi")


def replay(
    file: Annotated[Path, typer.Argument(help="The record.", metavar="FILE.jgs")],
    check: Annotated[
        bool, typer.Option("--check", help="Compare every outcome with the rules; print only the result.")
    ] = False,
    pieces: Annotated[str, typer.Option(help="Names on the board: english or chinese.")] = "english",
    as_json: common.AsJson = False,
) -> None:
    record = records.read_jgs(file)
    done = record.check()
    if as_json:
        data = {
            "moves": done.moves,
            "battles": done.battles,
            "eliminated": list(done.eliminated),
            "end": done.end,
            "events": list(done.position.events),
            "unknown": [{"record": number, "bytes": text} for number, text in done.unknown],
        }
        typer.echo(json.dumps(data))
        return
    console = Console()
    if not check:
        shown = _names(pieces)
        console.print(record.start().text(shown), highlight=False, markup=False, soft_wrap=True)
        for number, event in enumerate(done.position.events, 1):
            console.print(f"{number:4} {event}", highlight=False, markup=False)
        console.print(done.position.text(shown), highlight=False, markup=False, soft_wrap=True)
    for number, text in done.unknown:
        console.print(f"record {number} is not understood and was kept: {text}", highlight=False)
    out = f", out: {' '.join(done.eliminated)}" if done.eliminated else ""
    console.print(
        f"{file}: {done.moves} moves and {done.battles} battles agree with the rules{out}; end: {done.end}",
        highlight=False,
    )


def view(
    source: Annotated[str, typer.Argument(help="Position, view, record or start.", metavar="SOURCE")],
    seat: Annotated[str | None, typer.Option(help="Seat: S, E, N or W. [default: the seat to move]")] = None,
    ply: Annotated[int | None, typer.Option(help="Position after this many moves of the record.")] = None,
    about: Annotated[
        list[str] | None,
        typer.Option(help="Show beliefs about the piece on this node. Repeatable.", metavar="NODE"),
    ] = None,
    pieces: Annotated[str, typer.Option(help="Names on the board: english or chinese.")] = "english",
    picture: Annotated[
        Path | None, typer.Option(help="Draw the view to this file.", metavar="FILE.svg")
    ] = None,
) -> None:
    names = _names(pieces)
    position = common.read_games("junqi", source)[0]
    if ply is not None:
        if not 0 <= ply <= len(position.moves) or isinstance(position, View):
            raise BadOption(f"--ply must be from 0 to {len(position.moves)}, for a record; got {ply}")
        position = position.start.play(*position.moves[:ply])
    if isinstance(position, Position):
        position = position.view(seat)
    elif seat is not None and seat.upper() != position.mover:
        raise BadOption(f"{source[:20]}... is a view already; it has no other seat's")
    assert isinstance(position, View)
    console = Console()
    console.print(position.text(names), highlight=False, markup=False, soft_wrap=True)
    for node in about or ():
        chances = believe(position).chances(node.upper())
        shown = sorted(chances.items(), key=lambda item: -item[1])
        pieces = ", ".join(
            f"{piece_name(kind, names)} {100 * chance:.0f}%" for kind, chance in shown if chance
        )
        console.print(f"{node.upper()}: {pieces or 'none'}", highlight=False, soft_wrap=True)
    console.print(position.notation, highlight=False, markup=False, soft_wrap=True)
    if picture:
        write_text(picture, position.svg(names=names))


def _names(text: str) -> Names:
    if text not in ("english", "chinese"):
        raise BadOption(f"--pieces must be english or chinese, got {text!r}")
    return "chinese" if text == "chinese" else "english"


def layout(
    source: Annotated[
        str, typer.Argument(help="A name, a layout as text, a .jql file, or random.", metavar="LAYOUT")
    ],
    seed: Annotated[int, typer.Option(help="Random seed of a random layout.")] = 0,
    output: Annotated[
        Path | None, typer.Option(help="Write it as a layout file.", metavar="FILE.jql")
    ] = None,
) -> None:
    if source == "random":
        text = layouts.random_layout(seed)
    elif source.endswith(".jql"):
        text = records.read_jql(source)
    else:
        text = layouts.NAMED.get(source, source)
    wrong = layouts.faults(text)
    if wrong:
        raise BadOption(
            f"not a legal layout: {'; '.join(map(str, wrong))} (names: {', '.join(map(str, layouts.NAMED))})"
        )
    text = layouts.check(text)
    typer.echo(text.replace("/", "\n"))
    if output:
        records.write_jql(output, text)


def show_weights() -> None:
    typer.echo(weights.document(), nl=False)
