"""The clock: enough for every move, never more than there is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.clock import LEAST, Clocks, allot
from kibitz.protocols.uci.limits import parse_go

SECONDS = st.floats(0.0, 7200.0)


@given(SECONDS, st.floats(0.0, 60.0), st.none() | st.integers(1, 80), st.floats(0.0, 2.0))
def test_never_more_than_there_is(left: float, increment: float, moves: int | None, overhead: float) -> None:
    seconds = allot(Clocks(left, increment, moves), overhead)
    assert seconds >= LEAST
    assert seconds <= max(LEAST, left - overhead)


@given(st.floats(1.0, 600.0), st.floats(0.0, 10.0), st.none() | st.integers(1, 60))
def test_a_whole_game_fits(left: float, increment: float, moves_to_go: int | None) -> None:
    """Two hundred moves, each taking its time and the overhead."""
    overhead, period, period_moves = 0.1, left, moves_to_go
    to_go = moves_to_go
    for _ in range(200):
        seconds = allot(Clocks(left, increment, to_go), overhead)
        # What the network or the GUI takes beyond our count is less than the overhead kept for it.
        left -= seconds + 0.5 * overhead if left > 2 * overhead else seconds
        assert left > 0
        left += increment
        if to_go is not None and period_moves is not None:
            to_go -= 1
            if to_go == 0:
                to_go, left = period_moves, left + period
        if left < 2 * overhead:
            return  # nothing sensible can be asked of it any more


def test_more_time_more_thought() -> None:
    assert allot(Clocks(60.0), 0.1) > allot(Clocks(10.0), 0.1)
    assert allot(Clocks(60.0, 2.0), 0.1) > allot(Clocks(60.0), 0.1)
    assert allot(Clocks(60.0, 0.0, 5), 0.1) > allot(Clocks(60.0, 0.0, 40), 0.1)
    assert allot(Clocks(10.0, 0.0, 1), 0.1) == pytest.approx(8.91)


def test_go_is_read() -> None:
    limits = parse_go(
        [
            "wtime",
            "1000",
            "btime",
            "-20",
            "winc",
            "10",
            "movestogo",
            "3",
            "searchmoves",
            "e2e4",
            "d2d4",
            "nodes",
            "5",
        ]
    )
    assert limits.remaining == (1.0, -0.02)
    assert limits.search_moves == ("e2e4", "d2d4")
    assert limits.nodes == 5
    assert not limits.endless
    assert parse_go([]).endless
    assert parse_go(["ponder", "wtime", "100"]).endless
    assert parse_go(["depth", "0"]).depth == 1
