"""`kibitz train loop`: self-play, train, gate, promote."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from kibitz.cli.output import progress_bar

_HELP = """Make networks from nothing: self-play, training, a gate by SPRT, promotion, again.

The configuration is a TOML file (docs/training.md; examples/othello-loop.toml). Everything is written to one
folder, from which the same command goes on after any interruption; index.html there has the plots.

Example: kibitz train loop --config examples/othello-loop.toml --folder runs/othello
"""

_INTERRUPTED = 130


def register_loop(train: typer.Typer) -> None:
    train.command("loop", help=_HELP)(loop)


def loop(
    config: Annotated[Path, typer.Option(help="The configuration, a TOML file.", metavar="FILE")],
    folder: Annotated[Path, typer.Option(help="Folder of the run.", metavar="DIR")],
    json_lines: Annotated[
        bool, typer.Option("--json", help="Print a JSON object per finished generation.")
    ] = False,
) -> None:
    from kibitz.fleet.termination import on_termination
    from kibitz.training.loop import TrainingLoop
    from kibitz.training.loop_config import read_loop_config
    from kibitz.training.loop_trainer import LoopTrainer

    chosen = read_loop_config(config)
    made = TrainingLoop(chosen, folder, LoopTrainer(chosen))
    with on_termination() as signals:
        try:
            with progress_bar("loop", None) as bar:
                lines: dict[str, Any] = {}  # of the stages that go on at the same time
                for step in made.run():
                    name = f"generation {step.generation}: {step.stage}"
                    line = step.stage if chosen.fleet.gate else ""
                    if line not in lines:
                        lines[line] = bar.add_task(name) if lines else bar.tasks[0].id
                    bar.update(lines[line], description=name, completed=step.done, total=step.of)
                    if step.stage == "finished":
                        report = made.reports()[step.generation]
                        text = (
                            json.dumps(report) if json_lines else f"generation {step.generation}: {step.text}"
                        )
                        typer.echo(text)
        except KeyboardInterrupt:
            print("kibitz: interrupted; the same command goes on", file=sys.stderr)
            raise typer.Exit(128 + signals[0] if signals else _INTERRUPTED) from None
    best = made.best()
    typer.echo(f"{made.network(best['generation'])}: generation {best['generation']}, the best network")
