"""What several searches of one position are worth (`kibitz analyze --processes N`), beside one search.

    python -m benchmarks.root_parallel --games go,chess,othello --positions 100

Each position is searched by one search of a share of the visits, by one of all of them, and by as many
searches of a share as make all of them. A search of sixteen times all visits judges the moves that they
chose: how often it is the same move, and what the choice loses by its values.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics

import kibitz
from kibitz import Engine
from kibitz.games.base import Position
from kibitz.report import Report
from kibitz.report.merge import merged
from kibitz.request import make_request
from kibitz.review.root_parallel import shares

#: Start, options of the engine, visits of one share, random plies of an opening.
GAMES = {
    "go": (lambda: kibitz.go.Position(9), {"precision": "int8"}, 100, (2, 16)),
    "chess": (kibitz.chess.Position, {"search": "tree"}, 400, (6, 24)),
    "othello": (kibitz.othello.Position, {"search": "tree"}, 2000, (8, 30)),
}
JUDGE = 16


def opening(start: Position, plies: int, rng: random.Random) -> Position | None:
    for _ in range(plies):
        if start.is_over:
            return None
        start = start.play(rng.choice(start.legal_moves))
    return None if start.is_over or len(start.legal_moves) < 2 else start


def search(engine: Engine, position: Position, visits: int, searches: int) -> Report:
    request = make_request(position, visits=visits)
    return merged([[*engine.run(part)][-1] for part in shares(request, searches)])


def interval(values: list[float]) -> tuple[float, float]:
    """A mean and half of its 95% interval."""
    return statistics.fmean(values), 1.96 * statistics.stdev(values) / len(values) ** 0.5


def measure(game: str, positions: int, searches: int, seed: int) -> dict[str, object]:
    start, options, share, plies = GAMES[game]
    rng = random.Random(seed)
    kinds = {
        "one share": (share, 1),
        "all by one": (share * searches, 1),
        "all by several": (share * searches, searches),
    }
    same: dict[str, list[float]] = {kind: [] for kind in kinds}
    lost: dict[str, list[float]] = {kind: [] for kind in kinds}
    with Engine(game, threads=1, reuse=False, **options) as engine:
        while len(same["one share"]) < positions:
            position = opening(start(), rng.randint(*plies), rng)
            if position is None:
                continue
            chosen = {kind: search(engine, position, *how).best for kind, how in kinds.items()}
            named = dict.fromkeys(chosen.values(), share * searches)
            judge = engine.analyze(position, visits=JUDGE * share * searches, include=named)
            values = {info.move: info.value for info in judge.moves}
            for kind, move in chosen.items():
                same[kind].append(move == judge.best)
                lost[kind].append(max(values.values()) - values[move])
    return {
        "game": game,
        "positions": positions,
        "searches": searches,
        "visits": share * searches,
        "results": {
            kind: {
                "same": interval([100 * one for one in same[kind]]),
                "lost": interval([100 * one for one in lost[kind]]),
            }
            for kind in kinds
        },
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--searches", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    wishes = parser.parse_args()
    for game in wishes.games.split(","):
        found = measure(game, wishes.positions, wishes.searches, wishes.seed)
        if wishes.json:
            print(json.dumps(found), flush=True)
            continue
        print(f"{game}: {wishes.positions} positions, {wishes.searches} searches, {found['visits']} visits")
        for kind, row in found["results"].items():  # type: ignore[attr-defined]
            (same, same_by), (lost, lost_by) = row["same"], row["lost"]
            shown = f"judge's move {same:5.1f}% (+-{same_by:.1f}), lost {lost:.2f}% (+-{lost_by:.2f})"
            print(f"  {kind:15} {shown}", flush=True)


if __name__ == "__main__":
    main()
