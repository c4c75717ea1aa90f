"""Positions in which only a hit saves a flag, and how often an engine makes it.

    python -m tools.junqi_flag_set make set.jsonl --positions 60 --seed 1
    python -m tools.junqi_flag_set make set.jsonl --records games/*.jgs
    python -m tools.junqi_flag_set try set.jsonl --engine default --engine former --simulations 6000

A position of the set: the mover's flag has been shown, an enemy near it can be hit, and on the true board
the flag falls by force within six plies after every move but some of the hits. Only the mover's view is kept,
so that no engine sees more than a player would. The positions come from games of the engine against itself,
with some moves at random, or from records.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path

from kibitz import _native
from kibitz.engine import Engine
from kibitz.games.junqi import Position, View, layouts
from kibitz.games.junqi.pieces import SEATS
from tools.junqi_agreement import engine_of, positions_of

PLIES = 6
#: Plies between two positions of one game.
GAP = 8


def shown_flag(position: Position) -> str | None:
    """Where the mover's flag stands, if everybody knows."""
    for node, seat, kind, _ in position.state.standing():
        if kind == "F" and SEATS[seat] == position.mover:
            return node if any(f"!{node}" in event for event in position.events) else None
    return None


def saving_hits(position: Position) -> list[str]:
    """The hits that save the mover's flag where nothing else does; none where the position is no such one."""
    if shown_flag(position) is None:
        return []
    seat = position.state.seat
    if not _native.junqi_flag_falls(position.skip().state, seat, PLIES):
        return []
    standing = {node for node, _, _, _ in position.state.standing()}
    hits = []
    for move in position.legal_moves:
        after = position.play(move)
        if not after.alive(seat) or _native.junqi_flag_falls(after.state, seat, PLIES):
            continue
        if move[-3:] not in standing:
            return []  # there is another way
        hits.append(move)
    return hits


def from_self_play(seed: int) -> Iterator[Position]:
    """The positions of endless games between quick engines."""
    chance = random.Random(seed)
    with Engine("junqi", "one-ply", samples=24) as engine:
        while True:
            position = Position.deal(layouts.deal(chance.randrange(1 << 30)))
            while not position.is_over and position.ply < 400:
                yield position
                if chance.random() < 0.1:
                    move = chance.choice(position.legal_moves)
                else:
                    move = engine.analyze(position, simulations=1).best
                position = position.play(move)


def make(file: Path, count: int, seed: int, records: list[Path]) -> None:
    source = (
        (position for path in records for position, _ in positions_of(path))
        if records
        else from_self_play(seed)
    )
    written, next_ply = 0, 0
    with file.open("a") as out:
        for position in source:
            if position.ply < 2:
                next_ply = 0
            if position.ply < next_ply or position.is_over:
                continue
            hits = saving_hits(position)
            if not hits:
                continue
            next_ply = position.ply + GAP
            out.write(json.dumps({"view": position.view().notation, "hits": hits}) + "\n")
            out.flush()
            written += 1
            if written == count and not records:
                return
    print(f"{written} positions")


def attempt(file: Path, names: list[str], simulations: int) -> None:
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    for name in names:
        missed = []
        with engine_of(name) as engine:
            for number, row in enumerate(rows):
                best = engine.analyze(View(row["view"]), simulations=simulations).best
                if best not in row["hits"]:
                    missed.append(f"{number}:{best}")
        print(
            f"{name}: hits in {len(rows) - len(missed)} of {len(rows)}; missed {' '.join(missed)}", flush=True
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make")
    making.add_argument("file", type=Path)
    making.add_argument("--positions", type=int, default=60)
    making.add_argument("--seed", type=int, default=1)
    making.add_argument("--records", type=Path, nargs="*", default=[])
    trying = commands.add_parser("try")
    trying.add_argument("file", type=Path)
    trying.add_argument("--engine", action="append")
    trying.add_argument("--simulations", type=int, default=6000)
    asked = parser.parse_args()
    if asked.command == "make":
        make(asked.file, asked.positions, asked.seed, asked.records)
    else:
        attempt(asked.file, asked.engine or ["default", "former"], asked.simulations)


if __name__ == "__main__":
    main()
