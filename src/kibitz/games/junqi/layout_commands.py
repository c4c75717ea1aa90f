"""`kibitz junqi layouts`: how set-ups fare in games of the engine against itself."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from kibitz.arena import GameRecord, Opening, read_results, run_match
from kibitz.cli import common
from kibitz.cli.match import follow
from kibitz.errors import BadOption
from kibitz.fleet.termination import on_termination
from kibitz.games.junqi import Position, layouts, records
from kibitz.request import Budget

HELP = """Measure layouts: games of the engine against itself with set-ups drawn at random.

Every seat of every game draws one of the candidates: the named layouts, --random ones, as many varied
ones (named layouts of which a few pieces changed places) and the files named with --add. Each deal is played
twice, and the games are kept in FILE.jsonl; the same command goes on where it was interrupted.

Examples:

    kibitz junqi layouts fared.jsonl --games 400 --simulations 800

    kibitz junqi layouts fared.jsonl -o players=2 -o random=12 --add mine.jql
"""


@dataclass(frozen=True)
class Fared:
    """A layout's games: seats that had it, their mean score and half of its 95% interval."""

    layout: str
    seats: int
    score: float
    margin: float


def openings(candidates: Sequence[str], count: int, players: int, seed: int) -> list[Opening]:
    """Deals in which every seat has a candidate or its mirror image, at random."""
    chance = random.Random(f"layouts {seed}")
    deals = []
    for _ in range(count):
        drawn = [chance.choice(candidates) for _ in range(players)]
        set_up = [layouts.mirrored(layout) if chance.random() < 0.5 else layout for layout in drawn]
        deals.append(Opening(notation=Position.deal(set_up).notation))
    return deals


def tally(games: Iterable[GameRecord], names: Mapping[str, str]) -> list[Fared]:
    """How each layout fared, best first. `names` are by layout; a mirror image counts as the layout."""
    known = {layouts.mirrored(layout): name for layout, name in names.items()} | dict(names)
    scores: dict[str, list[float]] = {}
    for game in games:
        position = Position(game.opening["position"])
        for number, seat in enumerate(position.seat_names):
            score = game.result if number % 2 == 0 else 1 - game.result
            scores.setdefault(known[position.layout(seat)], []).append(score)
    rows = [_fared(name, all_scores) for name, all_scores in scores.items()]
    return sorted(rows, key=lambda row: (-row.score, row.layout))


def _fared(name: str, scores: Sequence[float]) -> Fared:
    mean = sum(scores) / len(scores)
    variance = sum((score - mean) ** 2 for score in scores) / max(1, len(scores) - 1)
    return Fared(name, len(scores), round(mean, 4), round(1.96 * math.sqrt(variance / len(scores)), 4))


def candidates(random_ones: int, varied: int, files: Sequence[Path], seed: int) -> dict[str, str]:
    """Names by layout. Random and varied ones are called so, one name for all of a kind."""
    out = {layout: name for name, layout in layouts.NAMED.items()}
    for number in range(random_ones):
        out.setdefault(layouts.random_layout(1000 * seed + number), "random")
    chance = random.Random(f"varied {seed}")
    for _ in range(varied):
        layout = layouts.NAMED[chance.choice(list(layouts.NAMED))]
        out.setdefault(layouts.varied(layout, chance), "varied")
    for file in files:
        out[layouts.check(records.read_jql(file))] = file.stem
    return out


#: Settings of `-o`: players, random layouts and as many varied named ones, the random seed.
_SETTINGS = {"players": 4, "random": 4, "seed": 0}


def layouts_command(
    file: Annotated[Path, typer.Argument(help="Where the games are kept.", metavar="FILE.jsonl")],
    games: Annotated[int, typer.Option(help="Number of games, an even number.")] = 400,
    simulations: Annotated[int, typer.Option(help="Nodes per move.")] = 800,
    add: Annotated[list[Path] | None, typer.Option(help="Layout file; may be repeated.")] = None,
    processes: common.Workers = "1",
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option", "-o", help=f"A setting ({', '.join(_SETTINGS)}). Repeatable.", metavar="NAME=VALUE"
        ),
    ] = None,
    as_json: common.AsJson = False,
) -> None:
    settings = common.only_settings(option, _SETTINGS)
    players, more, seed = settings["players"], settings["random"], settings["seed"]
    if players not in (2, 4):
        raise BadOption(f"Junqi has 2 or 4 players, not {players}")
    if games < 2 or games % 2 or more < 0:
        raise BadOption("--games must be an even number, -o random not negative")
    workers, fleet = common.read_workers(processes)
    names = candidates(more, more, add or (), seed)
    match = run_match(
        "junqi",
        "default",
        "default",
        games=games,
        budget=Budget(simulations=simulations),
        openings=openings(list(names), games // 2, players, seed),
        processes=workers,
        fleet=fleet,
        seed=seed,
        output=file,
        resume=True,
    )
    with on_termination():
        finished = follow(match, games)
    if finished.summary.stopped == "interrupted":
        raise KeyboardInterrupt
    _, played = read_results(file)
    rows = tally(played, names)
    if as_json:
        typer.echo(json.dumps([asdict(row) for row in rows]))
        return
    for row in rows:
        typer.echo(f"{row.layout:12} {row.seats:5} {100 * row.score:5.1f}% +- {100 * row.margin:.1f}")
