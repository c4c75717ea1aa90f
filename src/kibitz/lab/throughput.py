"""What one search costs over another: processor time and memory, from pairs of runs.

The two searches of a pair run one after the other, and which is first changes from pair to pair, so that a
machine that slows down or has other work is no part of the ratio.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from kibitz.engine import Engine
from kibitz.errors import BadOption
from kibitz.games.chess.position import Position
from kibitz.style.report import Interval

#: Fewer pairs give no interval to speak of.
LEAST_PAIRS = 10
#: Student's t at 97.5% with 9 degrees of freedom; careful where there are more pairs.
_T = 2.262

#: Seconds of processor time, visits, and bytes of memory of one run.
Run = tuple[float, int, int]


@dataclass(frozen=True)
class Cost:
    """Processor time for each visit, and memory, of one search over another's, less 1."""

    time: Interval
    memory: float
    pairs: int

    @property
    def text(self) -> str:
        return f"{self.time.value:+.1%} ({self.time.low:+.1%} to {self.time.high:+.1%}), {self.pairs} pairs"

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def paired_cost(plain: Callable[[], Run], other: Callable[[], Run], pairs: int) -> Cost:
    """The cost of `other` over `plain`: the mean of the ratios' logarithms, with its 95% interval."""
    if pairs < LEAST_PAIRS:
        raise BadOption(f"an interval of the throughput needs {LEAST_PAIRS} pairs of runs, got {pairs}")
    ratios, memory = [], [0, 0]
    for pair in range(pairs):
        order = (0, 1) if pair % 2 == 0 else (1, 0)
        found = {at: (plain, other)[at]() for at in order}
        ratios.append(math.log(found[1][0] / found[1][1]) - math.log(found[0][0] / found[0][1]))
        memory = [max(memory[at], found[at][2]) for at in (0, 1)]
    mean = sum(ratios) / pairs
    error = math.sqrt(sum((ratio - mean) ** 2 for ratio in ratios) / (pairs - 1) / pairs)
    ends = (mean, mean - _T * error, mean + _T * error)
    more = memory[1] / memory[0] - 1.0 if memory[0] else 0.0  # alpha-beta has no tree
    return Cost(Interval(*(math.expm1(value) for value in ends)), more, pairs)


def timed_search(positions: Sequence[Position], visits: int, **options: Any) -> Callable[[], Run]:
    """A run: a new engine with these options searches the positions."""

    def run() -> Run:
        with Engine("chess", threads=1, seed=1, reuse=False, **options) as engine:
            engine.analyze(positions[0], visits=50)  # what is loaded once is not the search
            began, done, memory = time.process_time(), 0, 0
            for position in positions:
                report = engine.analyze(position, visits=visits)
                done += report.simulations
                memory = max(memory, report.root.memory_bytes)
            return time.process_time() - began, done, memory

    return run
