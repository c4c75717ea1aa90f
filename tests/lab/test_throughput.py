"""Processor time and memory of two searches, from pairs of runs."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest

from kibitz.errors import BadOption
from kibitz.lab.throughput import Run, paired_cost, timed_search

#: Student's t at 97.5%, 9 degrees of freedom, from a printed table.
T9 = 2.262


def test_the_interval_is_students() -> None:
    ratios = [1.00, 1.02, 1.04, 0.98, 1.06, 1.01, 0.99, 1.03, 1.05, 1.02]

    def runs(factors: list[float], memory: int) -> Iterator[Run]:
        for factor in factors:
            yield factor * 10.0, 1000, memory

    plain, other = runs([1.0] * 10, 400), runs(ratios, 500)
    cost = paired_cost(lambda: next(plain), lambda: next(other), 10)
    logs = [math.log(ratio) for ratio in ratios]
    mean = sum(logs) / 10
    error = math.sqrt(sum((value - mean) ** 2 for value in logs) / 9 / 10)
    assert cost.time.value == pytest.approx(math.expm1(mean))
    assert cost.time.low == pytest.approx(math.expm1(mean - T9 * error))
    assert cost.time.high == pytest.approx(math.expm1(mean + T9 * error))
    assert (cost.memory, cost.pairs) == (0.25, 10)


def test_which_run_is_first_changes() -> None:
    order: list[str] = []

    def run(name: str) -> Run:
        order.append(name)
        return 1.0 + 0.01 * len(order), 10, 1

    cost = paired_cost(lambda: run("a"), lambda: run("b"), 10)
    assert order[:6] == ["a", "b", "b", "a", "a", "b"]
    # A steady slowdown is no difference of the two.
    assert cost.time.low < 0 < cost.time.high
    assert cost.time.value == pytest.approx(0.0, abs=0.002)


def test_fewer_than_ten_pairs_are_refused() -> None:
    with pytest.raises(BadOption, match="10 pairs"):
        paired_cost(lambda: (1.0, 1, 1), lambda: (1.0, 1, 1), 9)


def test_a_search_is_timed() -> None:
    from kibitz.lab.run import opening_positions

    seconds, visits, memory = timed_search(opening_positions(2), 30, network="none")()
    assert seconds > 0
    assert visits >= 30
    assert memory > 0
