"""How often the engine's first choice is what people played in recorded games of Junqi.

    python -m tools.junqi_agreement games/*.jgs --simulations 3000 --engine default --engine one-ply
    python -m tools.junqi_agreement games/*.jgs --engine default:worlds=4,race_plies=0 --every 3

An engine is a preset with options after a colon. For each it prints how often its first move is the person's,
how often the person's move is among its first five, and how often a move that took a flag within the person's
next three turns was among the moves that it searched.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kibitz.engine import Engine
from kibitz.games.junqi import Position, View
from kibitz.games.junqi.records import read_jgs

#: Turns of a seat before it takes a flag whose moves count as the approach.
APPROACH = 3


@dataclass(frozen=True)
class Choice:
    """What a person did in a position that had something to choose."""

    view: View
    move: str
    approach: bool  # by the piece that took a flag within the next turns


@dataclass
class Agreement:
    """Of one engine with all choices."""

    positions: int = 0
    first: int = 0
    among_five: int = 0
    approaches: int = 0
    approaches_searched: int = 0

    def __str__(self) -> str:
        share = 100 / max(1, self.positions)
        return (
            f"first {self.first}/{self.positions} ({share * self.first:.1f}%), "
            f"among five {share * self.among_five:.1f}%, "
            f"winning approaches searched {self.approaches_searched}/{self.approaches}"
        )


def positions_of(path: Path) -> list[tuple[Position, str]]:
    """Every position of a record with the move that was played."""
    record = read_jgs(path)
    position, pairs = record.start(), []
    for move in record.position().moves:
        pairs.append((position, move))
        position = position.play(move)
    return pairs


def winning_approaches(moves: Sequence[str], events: Sequence[str]) -> set[int]:
    """The plies of the last moves of each piece that took a flag, by their numbers."""
    plies: set[int] = set()
    for number, event in enumerate(events):
        if "~" not in event or "x" not in event:
            continue
        at, left = moves[number][:3], APPROACH
        plies.add(number)
        for earlier in range(number - 1, -1, -1):
            if left > 0 and moves[earlier][-3:] == at and "-" in moves[earlier]:
                at, left = moves[earlier][:3], left - 1
                plies.add(earlier)
    return plies


def choices(path: Path) -> Iterator[Choice]:
    played = positions_of(path)
    events = played[-1][0].play(played[-1][1]).events
    moves = [move for _, move in played]
    approach = winning_approaches(moves, events)
    for number, (position, move) in enumerate(played):
        if ":" not in move and len(position.legal_moves) > 1:
            yield Choice(position.view(), move, number in approach)


def engine_of(text: str) -> Engine:
    """`preset:option=value,...`."""
    preset, _, rest = text.partition(":")
    options: dict[str, Any] = dict(item.split("=", 1) for item in rest.split(",") if item)
    return Engine("junqi", preset, **options)


def agreement(engine: Engine, asked: Sequence[Choice], simulations: int) -> Agreement:
    tally = Agreement()
    for choice in asked:
        report = engine.analyze(choice.view, simulations=simulations)
        ranked = [move.move for move in report.moves]
        tally.positions += 1
        tally.first += ranked[0] == choice.move
        tally.among_five += choice.move in ranked[:5]
        tally.approaches += choice.approach
        tally.approaches_searched += choice.approach and choice.move in ranked
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("records", nargs="+", type=Path)
    parser.add_argument("--engine", action="append", help="preset:option=value,...; may be repeated")
    parser.add_argument("--simulations", type=int, default=3000)
    parser.add_argument("--every", type=int, default=1, help="look at every n-th choice only")
    asked = parser.parse_args()
    all_choices = [choice for path in asked.records for choice in choices(path)]
    some = [choice for n, choice in enumerate(all_choices) if n % asked.every == 0 or choice.approach]
    for name in asked.engine or ["default", "one-ply"]:
        with engine_of(name) as engine:
            print(f"{name}: {agreement(engine, some, asked.simulations)}", flush=True)


if __name__ == "__main__":
    main()
