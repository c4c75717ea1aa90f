"""Does every plausible move get its visits, at what cost, and does the recommendation stay the same?

    python benchmarks/human_model.py GAMES.pgn --network maia-1900.pb.gz --human maia-1100.pb.gz
        [--positions 200] [--visits 200] [--min-visits 30]

Takes positions from the games of a PGN file (also zipped), one of each game, and searches each three times
with one thread: alone, with visits for every move that the human model gives 5%, and alone with as many
visits in all, which tells how often more visits change the move anyway. Exits with 1 where a plausible
move got too few visits, or the search was not the same as alone: another visit of its own to any move, or
another best move without a proof.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator

from kibitz.engine import Engine
from kibitz.games.base import Position
from kibitz.games.chess.pgn import read_pgn
from kibitz.human import Plausible
from kibitz.report import Report


def positions(path: str, count: int, seed: int) -> Iterator[Position]:
    """Positions from the middle of games, one of each."""
    rng = random.Random(seed)
    for game in read_pgn(path):
        last = game.position()
        if len(last.moves) < 8 or count <= 0:
            continue
        position = last.start.play(*last.moves[: rng.randrange(6, len(last.moves))])
        if not position.is_over:
            count -= 1
            yield position


def own_visits(report: Report) -> dict[str, int]:
    """Visits that the search chose to make."""
    return {
        info.move: info.visits - info.guaranteed for info in report.moves if info.visits > info.guaranteed
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games")
    parser.add_argument("--network", required=True)
    parser.add_argument("--human", required=True)
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--visits", type=int, default=200)
    parser.add_argument("--min-visits", type=int, default=30)
    parser.add_argument("--above", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    wish = Plausible(given.above, most=1000, min_visits=given.min_visits)
    searched = plausible = short = changed = unproven = differ = better = extra = anyway = 0
    alone_seconds = seconds = 0.0
    with Engine("chess", network=given.network, human=given.human, threads=1, batch=1, reuse=False) as engine:
        for position in positions(given.games, given.positions, given.seed):
            begun = time.perf_counter()
            alone = engine.analyze(position, visits=given.visits)
            between = time.perf_counter()
            report = engine.analyze(position, visits=given.visits, plausible=wish)
            alone_seconds += between - begun
            seconds += time.perf_counter() - between
            assert report.human is not None
            visits = {info.move: info.visits for info in report.moves}
            wanted = [move for move, share in report.human.policy.items() if share >= given.above]
            searched += 1
            plausible += len(wanted)
            short += sum(visits.get(move, 0) < given.min_visits for move in wanted)
            longer = engine.analyze(position, visits=report.root.visits)
            anyway += longer.best != alone.best
            changed += report.best != alone.best
            unproven += report.best != alone.best and not any(info.proven for info in report.moves)
            differ += own_visits(report) != own_visits(alone)
            better += any(info.looks_better for info in report.moves)
            extra += report.root.visits - alone.root.visits
    print(f"{searched} positions, {given.visits} visits, {plausible / searched:.1f} plausible moves each")
    print(f"plausible moves with fewer than {given.min_visits} visits: {short} of {plausible}")
    print(f"best move changed: {changed} of {searched}, without a proof: {unproven}")
    print(f"the search's own visits differ: {differ} of {searched}")
    print(f"a plausible move looks better than the best one: {better} of {searched}")
    print(f"a search alone with as many visits changes it: {anyway} of {searched}")
    print(f"cost: {extra / searched:.0f} visits more, {seconds / alone_seconds:.2f} times the time")
    sys.exit(1 if short or unproven or differ else 0)


if __name__ == "__main__":
    main()
