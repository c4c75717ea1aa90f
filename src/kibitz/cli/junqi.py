"""`kibitz junqi`: records, layouts and weights of Junqi."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from kibitz.cli import common
from kibitz.errors import BadOption
from kibitz.games.junqi import layouts, records, weights
from kibitz.games.junqi.pieces import Names

__all__ = ["register"]

_HELP = """Records, layouts and weights of Junqi.

Examples:

    kibitz junqi replay game.jgs --check

    kibitz junqi layout lance
"""


def register(app: typer.Typer) -> None:
    group = typer.Typer(no_args_is_help=True, help=_HELP, rich_markup_mode=None)
    group.command("replay", help="Replay a .jgs record.\n\nExample: kibitz junqi replay game.jgs --check")(
        replay
    )
    group.command("layout", help="Check a layout: a name, text, or a .jql file; `random` makes one.")(layout)
    group.command("weights", help="Print the weights file of the scoring, to be copied and changed.")(
        show_weights
    )
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
        }
        typer.echo(json.dumps(data))
        return
    console = Console()
    if not check:
        shown: Names = "chinese" if pieces == "chinese" else "english"
        console.print(record.start().text(shown), highlight=False, markup=False)
        for number, event in enumerate(done.position.events, 1):
            console.print(f"{number:4} {event}", highlight=False, markup=False)
        console.print(done.position.text(shown), highlight=False, markup=False)
    out = f", out: {' '.join(done.eliminated)}" if done.eliminated else ""
    console.print(
        f"{file}: {done.moves} moves and {done.battles} battles agree with the rules{out}; end: {done.end}",
        highlight=False,
    )


def layout(
    source: Annotated[
        str, typer.Argument(help="A name, a layout as text, a .jql file, or random.", metavar="LAYOUT")
    ],
    seed: Annotated[int, typer.Option(help="Of a random layout.")] = 0,
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
        raise BadOption(f"not a legal layout: {'; '.join(wrong)} (names: {', '.join(layouts.NAMED)})")
    text = layouts.check(text)
    typer.echo(text.replace("/", "\n"))
    if output:
        records.write_jql(output, text)


def show_weights() -> None:
    typer.echo(weights.document(), nl=False)
