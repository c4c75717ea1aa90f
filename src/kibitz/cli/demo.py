"""`kibitz demo`: a steered analysis of every game, with a drawn board and a table of moves."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from kibitz.cli.common import show_report
from kibitz.cli.output import write_text
from kibitz.engine import Engine
from kibitz.games import registry

_HELP = """Show a steered analysis of every game.

Example: kibitz demo --pictures out
"""

#: Enough to be seen in the table, few enough for the slowest search of them.
_VISITS = 50


def register(app: typer.Typer) -> None:
    app.command("demo", help=_HELP)(demo)


def demo(
    games: Annotated[
        list[str] | None, typer.Argument(help="Games to show. [default: all]", metavar="[GAME]...")
    ] = None,
    seconds: Annotated[float, typer.Option(help="Seconds per game.")] = 1.0,
    pictures: Annotated[
        Path | None, typer.Option(help="Also draw each board into this folder as SVG.", metavar="DIR")
    ] = None,
) -> None:
    console = Console()
    for name in games or registry.names():
        info = registry.get(name)
        position = info.position().play(*info.demo).mover_view()
        legal = position.legal_moves
        asked, avoided = legal[len(legal) // 2], legal[0]
        console.rule(f"[bold]{info.title}")
        console.print(str(position), highlight=False, markup=False, soft_wrap=True)
        console.print(
            f"\nSteering: guarantee {_VISITS} visits to {asked}, keep away from {avoided}.", highlight=False
        )
        with Engine(name) as engine:
            report = engine.analyze(
                position, seconds=seconds, include=[asked], min_visits=_VISITS, avoid=[avoided]
            )
            if engine.network_name:
                console.print(f"network: {engine.network_name}", highlight=False)
        show_report(console, report)
        if pictures:
            pictures.mkdir(parents=True, exist_ok=True)
            write_text(pictures / f"{name}.svg", report.svg())
            console.print(f"Picture: {pictures / name}.svg", highlight=False)
