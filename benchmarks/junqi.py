"""Junqi's search: nodes a second on one core, and how well it keeps its time limit, in games of four players
and of two in turns.

    python benchmarks/junqi.py --moves 10000

The clock's worst case is the machine's as much as ours; the worst case in processor time is ours alone.
"""

from __future__ import annotations

import argparse
import random
import time

from kibitz.engine import Engine
from kibitz.games.junqi import Position, layouts

#: Seconds past its limit from which a move counts as late.
LATE = 0.05


def midgame(chance: random.Random, players: int = 4) -> Position:
    """A game after some random moves, not over."""
    while True:
        position = Position.deal([layouts.random_layout(chance.randrange(1 << 30)) for _ in range(players)])
        for _ in range(chance.randrange(10, 120)):
            if position.is_over:
                break
            position = position.play(chance.choice(position.legal_moves))
        if not position.is_over:
            return position


def speed(seconds: float) -> float:
    """Nodes a second of processor time, over ten positions."""
    chance = random.Random(1)
    nodes, used = 0, 0.0
    with Engine("junqi", threads=1) as engine:
        for _ in range(10):
            position = midgame(chance)
            before = time.process_time()
            report = engine.analyze(position, seconds=seconds / 10)
            used += time.process_time() - before
            nodes += report.simulations
    return nodes / used


def overruns(moves: int, limit: float) -> tuple[list[float], list[float]]:
    """What each move took beyond its limit: by the clock, and in processor time of the process. Every move is
    played, so an illegal one would be noticed."""
    chance = random.Random(2)
    clock, processor = [], []
    position = midgame(chance)
    with Engine("junqi", threads=1) as engine:
        for number in range(moves):
            if number % 20 == 0 or position.is_over:
                position = midgame(chance, 2 if number % 40 < 20 else 4)
            began, before = time.perf_counter(), time.process_time()
            best = engine.analyze(position, seconds=limit).best
            clock.append(time.perf_counter() - began - limit)
            processor.append(time.process_time() - before - limit)
            position = position.play(best)
    return clock, processor


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=500, help="moves under the limit")
    parser.add_argument("--limit", type=float, default=0.02, help="seconds a move")
    parser.add_argument("--seconds", type=float, default=3.0, help="for the speed")
    asked = parser.parse_args()
    print(f"junqi: {speed(asked.seconds):,.0f} nodes a second of processor time, one thread")
    clock, processor = overruns(asked.moves, asked.limit)
    print(f"junqi: {asked.moves} moves of {1000 * asked.limit:g} ms")
    for name, taken in (("the clock", clock), ("processor time", processor)):
        late = sum(over > LATE for over in taken)
        latest = f"the latest {1000 * max(taken):.1f} ms"
        print(f"  by {name}: {late} later than {1000 * LATE:g} ms past the limit, {latest}")


if __name__ == "__main__":
    main()
