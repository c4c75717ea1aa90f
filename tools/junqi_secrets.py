"""Whether anything that a seat of Junqi is sent, or when it is sent, depends on pieces that it cannot see.

    python -m tools.junqi_secrets --games 1000 --json

Every game is played twice, with the hidden pieces exchanged so that the seat could notice no difference.
Compared byte by byte: all traffic of a room to the seat and to a spectator, errors included; hints, reports
of reviews, explanations, beliefs, the board. Compared as distributions (Mann-Whitney, sign test of pairs):
the processor time of the room's traffic and of the advice. Which world comes first is drawn at random.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any, TypeVar

from kibitz.engine import Engine
from kibitz.server.store.database import Database
from tests.server.secret_games import SecretGame, advice, secret_games, sent_in_room

T = TypeVar("T")
#: A difference of times is reported below this chance; with two tests of two kinds one in 250 is by luck.
_ALARM = 0.001


def _normal(z: float) -> float:
    """The chance of a normal value at least so far from 0."""
    return math.erfc(abs(z) / math.sqrt(2))


def mann_whitney(first: Sequence[float], second: Sequence[float]) -> float:
    """The chance of samples that differ as much if their distributions are the same (no ties to speak of)."""
    ranked = sorted([(value, 0) for value in first] + [(value, 1) for value in second])
    ranks = sum(rank for rank, (_, which) in enumerate(ranked, 1) if which == 0)
    n, m = len(first), len(second)
    if not n or not m:
        return 1.0
    above = ranks - n * (n + 1) / 2
    return _normal((above - n * m / 2) / math.sqrt(n * m * (n + m + 1) / 12))


def sign_test(first: Sequence[float], second: Sequence[float]) -> float:
    """The chance of so uneven a number of pairs in which the first is larger."""
    signs = [one > other for one, other in zip(first, second, strict=True) if one != other]
    if not signs:
        return 1.0
    return _normal((sum(signs) - len(signs) / 2) / math.sqrt(len(signs) / 4))


class Pairs:
    """Answers and times of one kind, in pairs."""

    def __init__(self) -> None:
        self.different: list[int] = []
        self.bytes = 0
        self._times: tuple[list[float], list[float]] = ([], [])

    def add(
        self, number: int, calls: tuple[Callable[[], T], Callable[[], T]], size: Callable[[T], int]
    ) -> None:
        """Calls for both worlds, in an order of chance. The first world is the one whose hidden pieces were
        drawn; the second one's follow from what the seat believes."""
        answers: dict[int, T] = {}
        for which in random.Random(number).sample((0, 1), 2):
            begun = time.process_time()
            answers[which] = calls[which]()
            self._times[which].append(time.process_time() - begun)
        if answers[0] != answers[1]:
            self.different.append(number)
        self.bytes += size(answers[0])

    def to_dict(self) -> dict[str, Any]:
        first, second = self._times
        return {
            "pairs": len(first),
            "bytes": self.bytes,
            "different": self.different,
            "medianMs": [round(1000 * statistics.median(one), 3) if one else None for one in self._times],
            "mannWhitney": round(mann_whitney(first, second), 4),
            "signTest": round(sign_test(first, second), 4),
        }


def compare(games: int, advised: int, tell: Callable[[str], None]) -> dict[str, Any]:
    database = Database("sqlite://")
    database.migrate()
    rooms, advices, battles, count = Pairs(), Pairs(), 0, 0
    with Engine("junqi") as engine, suppress(KeyboardInterrupt):
        for count, game in enumerate(islice(secret_games(), games), 1):
            _add_room(rooms, database, game)
            pair = game.to_move() if count <= advised else None
            if pair is not None:
                advices.add(
                    game.number, (partial(advice, engine, pair[0]), partial(advice, engine, pair[1])), len
                )
            battles += game.battles
            if count % 50 == 0:
                tell(f"{count} games")
    database.close()
    return {"games": count, "battles": battles, "rooms": rooms.to_dict(), "advice": advices.to_dict()}


def _add_room(rooms: Pairs, database: Database, game: SecretGame) -> None:
    def played(which: int) -> tuple[list[str], list[str]]:
        return asyncio.run(sent_in_room(database, game.worlds[which], game.script, game.seat))

    rooms.add(
        game.number,
        (lambda: played(0), lambda: played(1)),
        lambda sent: sum(len(text) for texts in sent for text in texts),
    )


def main() -> None:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="tools.junqi_secrets", description=__doc__, formatter_class=raw)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--advised", type=int, default=10**9, help="games whose advice is compared, too")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    counts = compare(given.games, given.advised, lambda text: print(text, file=sys.stderr, flush=True))
    if given.json:
        print(json.dumps(counts))
    else:
        for name, value in counts.items():
            print(f"{name:8} {value}")
    kinds = (counts["rooms"], counts["advice"])
    if any(kind["different"] or min(kind["mannWhitney"], kind["signTest"]) < _ALARM for kind in kinds):
        sys.exit(1)


if __name__ == "__main__":
    main()
