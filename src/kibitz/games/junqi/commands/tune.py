"""`kibitz tune`: weights tuned by games of the engine against itself."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from kibitz.arena import MatchFinished, Sprt, Summary, run_match
from kibitz.arena.spec import PlayerSpec
from kibitz.arena.spsa import Parameter, SpsaState, Values, tune
from kibitz.cli import common
from kibitz.cli.output import write_text
from kibitz.errors import BadOption
from kibitz.fleet.termination import on_termination
from kibitz.games.junqi import Weights
from kibitz.games.junqi.weights import document, names
from kibitz.request import Budget

_HELP = """Tune Junqi's weights by self-play (SPSA), then test them against the ones it began with (SPRT).

Everything is kept in FOLDER: the state after every step, the games of the test, and `tuned.ini` when the test
accepts the new weights. The same command goes on where it was interrupted.

Examples:

    kibitz tune junqi runs/weights --steps 500 -o pairs=2 --simulations 2000 --processes 2

    kibitz tune junqi runs/leaf --only leaf --only risk.exposed -o players=2 -o start=mine.ini
"""

#: Weights that are tuned when nothing is said: what decides in most positions.
_SECTIONS = ("pieces", "attack", "invader", "quiet", "back", "risk", "position", "defense", "leaf", "worlds")

#: Settings of `-o`: pairs of games a step, players, the random seed, a file of weights to begin with.
_SETTINGS = {"pairs": 2, "players": 4, "seed": 0, "start": ""}

#: Weights that scale all others or that no match can tell.
_FIXED = frozenset({"pieces.commander", "leaf.victory", "invader.window"})


def register(app: typer.Typer) -> None:
    app.command("tune", help=_HELP)(tune_game)


def chosen(only: Sequence[str]) -> list[str]:
    """The weights that sections and names ask for."""
    asked = only or _SECTIONS
    known = names()
    for text in asked:
        if text not in known and not any(name.startswith(f"{text}.") for name in known):
            raise BadOption(f"no weight or section {text!r}; `kibitz junqi weights` lists them")
    return [
        name for name in known if name not in _FIXED and (name in asked or name.partition(".")[0] in asked)
    ]


def parameters(weights: Weights, of: Sequence[str]) -> dict[str, Parameter]:
    """A fifth of a weight up and down, at least a point for those that are nothing; never below zero."""
    changes = {name: 0.2 * abs(weights.get(name)) or 1.0 for name in of}
    return {name: Parameter(change, 0.0, math.inf) for name, change in changes.items()}


def _file(folder: Path, name: str, start: Weights, values: Values) -> PlayerSpec:
    """A player with these weights, which are written to a file of the folder."""
    path = folder / f"{name}.ini"
    write_text(path, document({row: values.get(row, start.get(row)) for row in names()}))
    return PlayerSpec(name, "engine", "default", {"weights": str(path)})


def _finished(**settings: Any) -> Summary:
    """The summary of a match that was played to its end."""
    with on_termination():
        last = list(run_match(**settings))[-1]
    assert isinstance(last, MatchFinished)
    if last.summary.stopped == "interrupted":
        raise KeyboardInterrupt
    return last.summary


def _gate(text: str) -> tuple[float, float, float]:
    try:
        games, low, high = map(float, text.split(","))
    except ValueError:
        games = math.nan
    if not (games >= 0 and games % 2 == 0):
        raise BadOption(f"--gate takes an even number of games and two Elo bounds, 400,0,20, got {text!r}")
    return games, low, high


def tune_game(
    game: Annotated[str, typer.Argument(help="The game: junqi.", metavar="GAME")],
    folder: Annotated[Path, typer.Argument(help="Where the run is kept.", metavar="FOLDER")],
    only: Annotated[
        list[str] | None, typer.Option(help="A section or a weight to tune; may be repeated.")
    ] = None,
    steps: Annotated[int, typer.Option(help="Number of SPSA steps.")] = 200,
    gate: Annotated[
        str,
        typer.Option(
            help="The test: most games (even, 0 for none) and the Elo bounds of its SPRT.",
            metavar="GAMES,ELO0,ELO1",
        ),
    ] = "400,0,20",
    simulations: Annotated[int, typer.Option(help="Nodes per move.")] = 2000,
    processes: common.Workers = "1",
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option", "-o", help=f"A setting ({', '.join(_SETTINGS)}). Repeatable.", metavar="NAME=VALUE"
        ),
    ] = None,
) -> None:
    if game != "junqi":
        raise BadOption(f"only junqi has weights to tune, not {game}")
    settings = common.only_settings(option, _SETTINGS)
    pairs, players, seed, start = (settings[name] for name in _SETTINGS)
    gate_games, low, high = _gate(gate)
    workers, fleet = common.read_workers(processes)
    if steps < 1 or pairs < 1:
        raise BadOption("--steps and -o pairs must be at least 1")
    folder.mkdir(parents=True, exist_ok=True)
    weights = Weights.read(start) if start else Weights.of(players)
    tuned = parameters(weights, chosen(only or ()))
    state = SpsaState({name: weights.get(name) for name in tuned}, tuned, steps, seed)
    common_settings: dict[str, Any] = {
        "game": "junqi",
        "budget": Budget(simulations=simulations),
        "players": players,
        "processes": workers,
        "fleet": fleet,
    }

    def play(step: int, up: Values, down: Values) -> float:
        a, b = _file(folder, "up", weights, up), _file(folder, "down", weights, down)
        return _finished(**common_settings, a=a, b=b, games=2 * pairs, seed=1000 * seed + step).score.value

    def report(now: SpsaState) -> None:
        typer.echo(f"step {now.done} of {now.steps}")

    values = tune(state, play, file=folder / "state.json", on_step=report)
    best, first = _file(folder, "candidate", weights, values), _file(folder, "start", weights, {})
    if gate_games == 0:
        typer.echo(f"{folder / 'candidate.ini'}: not tested")
        return
    summary = _finished(
        **common_settings,
        a=best,
        b=first,
        games=int(gate_games),
        seed=seed + 77_777,
        sprt=Sprt(low, high),
        output=folder / "gate.jsonl",
        resume=True,
    )
    typer.echo(str(summary))
    if summary.sprt is not None and summary.sprt.decision == "H1":
        write_text(folder / "tuned.ini", (folder / "candidate.ini").read_text())
        typer.echo(f"{folder / 'tuned.ini'}: accepted")
    else:
        typer.echo("the weights it began with stay")
