"""How often a verdict of `compare` is wrong, and how many visits it takes beside equal shares.

    python -m benchmarks.compare --positions 170 --games othello,uttt,chess

Positions come from games whose moves are random one time in four. Of each, the six moves that a short search
likes best are compared. The truth is exact (Othello with at most 16 empty squares, ultimate tic-tac-toe where
its solver reaches; the search itself solves nothing), elsewhere a search of each move with twice the visits.
A verdict "better" is wrong where the truth is the other way round, "equal" where the truth differs by more
than twice `within`. Of moves with the same exact result no verdict is right or wrong; they are counted apart.

What is decided is searched once more with equal shares, until they decide it too or have had four times the
visits of the budget; where they have not decided it then, what they need is more than is counted.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from kibitz import Engine
from kibitz.games import go, registry
from kibitz.games.base import Position
from kibitz.plan import Prepared
from kibitz.report import Report
from kibitz.request import Request

#: Plies before the position, visits of the comparison, and whether a solver knows the truth.
GAMES: dict[str, tuple[tuple[int, int], int, bool]] = {
    "othello": ((44, 50), 200_000, True),
    "uttt": ((30, 44), 100_000, True),
    "chess": ((6, 60), 20_000, False),
    "go": ((10, 60), 400, False),
}
#: Visits of the long search of one move beside those of a whole comparison.
_LONGER = 2
#: Visits of equal shares at most, beside those of a comparison.
_MORE = 4
#: Search options under which nothing is solved behind the comparison's back.
_UNSOLVED = {"solve_root": 0, "solve_leaves": 0}


class EqualShares(Engine):
    """An engine that compares by equal shares."""

    def plan(self, request: Request) -> Prepared:
        prepared, wish = super().plan(request), request.steering.compare
        if wish is not None:
            moves = [request.position.parse_move(move) for move in wish.moves]
            prepared.plan.compare(moves, wish.within, wish.errors, equal_shares=True)
        return prepared


@dataclass
class Tally:
    """What became of the comparisons of a game."""

    comparisons: int = 0
    decided: int = 0
    verdicts: int = 0
    wrong: int = 0
    undecided: int = 0
    #: Verdicts on moves with the same exact result.
    same: int = 0
    #: Of comparisons that were decided.
    visits: list[int] = field(default_factory=list)
    equal_visits: list[int] = field(default_factory=list)
    #: Of those, the ones that equal shares left undecided.
    not_by_equal: int = 0

    def row(self, game: str) -> dict[str, Any]:
        low, high = _interval(self.wrong, self.verdicts)
        return {
            "game": game,
            "comparisons": self.comparisons,
            "decided": self.decided,
            "verdicts": self.verdicts,
            "wrong": self.wrong,
            "wrongShare": self.wrong / max(1, self.verdicts),
            "interval": [low, high],
            "undecidedPairs": self.undecided,
            "sameResult": self.same,
            "visitsBesideEqualShares": sum(self.visits) / max(1, sum(self.equal_visits)),
            "visits": sum(self.visits),
            "equalVisits": sum(self.equal_visits),
            "medianShare": median(a / b for a, b in zip(self.visits, self.equal_visits, strict=True))
            if self.visits
            else None,
            "undecidedByEqualShares": self.not_by_equal,
        }


def _interval(wrong: int, all_of: int) -> tuple[float, float]:
    """95%, Wilson's."""
    if not all_of:
        return 0.0, 1.0
    z, share = 1.96, wrong / all_of
    middle = (share + z * z / (2 * all_of)) / (1 + z * z / all_of)
    half = z / (1 + z * z / all_of) * math.sqrt(share * (1 - share) / all_of + z * z / (4 * all_of * all_of))
    return max(0.0, middle - half), min(1.0, middle + half)


def positions(game: str, count: int, plies: tuple[int, int], seed: int) -> Iterator[Position]:
    info, rng = registry.get(game), random.Random(seed)
    start = go.Position(9) if game == "go" else info.position()
    with Engine(game) as engine:
        while count:
            position = start
            for _ in range(rng.randint(*plies)):
                if position.is_over:
                    break
                wild = rng.random() < 0.25
                position = position.play(
                    rng.choice(position.legal_moves) if wild else engine.best_move(position, visits=16)
                )
            if not position.is_over and len(position.legal_moves) > 3:
                count -= 1
                yield position


def exact_truth(game: str, position: Position, moves: list[str]) -> dict[str, float] | None:
    solve = registry.get(game).solve
    assert solve is not None
    solved = solve(position, 5.0, lambda: False, True)
    if solved is None:
        return None
    known = {item.move: item.half_points / 2 for item in solved.moves}
    return {move: known[move] for move in moves} if all(move in known for move in moves) else None


def long_truth(game: str, position: Position, moves: list[str], visits: int) -> dict[str, float]:
    values = {}
    for move in moves:
        with Engine(game) as engine:
            values[move] = engine.analyze(position, include=[move], min_visits=visits, visits=1).moves
    return {move: next(info.value for info in found if info.move == move) for move, found in values.items()}


def judge(tally: Tally, report: Report, truth: dict[str, float], exact: bool) -> None:
    comparison = report.comparison
    assert comparison is not None
    tally.comparisons += 1
    tally.decided += comparison.decided
    for verdict in comparison.verdicts:
        if verdict.relation == "undecided":
            tally.undecided += 1
            continue
        ahead = truth[comparison.best] - truth[verdict.move]
        if exact and ahead == 0:
            tally.same += 1
            continue
        tally.verdicts += 1
        tally.wrong += ahead < 0 if verdict.relation == "better" else abs(ahead) > 2 * comparison.within


def measure(game: str, count: int, seed: int) -> Tally:
    plies, visits, exact = GAMES[game]
    options = _UNSOLVED if exact else {}
    tally = Tally()
    for position in positions(game, count, plies, seed):
        with Engine(game, **options) as engine:
            moves = [info.move for info in engine.analyze(position, visits=200).moves[:6]]
        if len(moves) < 3 or any(position.play(move).is_over for move in moves):
            continue
        truth = exact_truth(game, position, moves) if exact else None
        if truth is None:
            if exact:
                continue
            truth = long_truth(game, position, moves, visits * _LONGER)
        with Engine(game, **options) as engine:
            report = engine.analyze(position, compare=moves, visits=visits)
        judge(tally, report, truth, exact)
        if report.comparison is None or not report.comparison.decided:
            continue
        with EqualShares(game, **options) as engine:
            equal = engine.analyze(position, compare=moves, visits=_MORE * visits).comparison
        assert equal is not None
        tally.visits.append(report.comparison.visits)
        tally.equal_visits.append(equal.visits)
        tally.not_by_equal += not equal.decided
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--positions", type=int, default=125)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    for game in asked.games.split(","):
        print(json.dumps(measure(game, asked.positions, asked.seed).row(game)))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
