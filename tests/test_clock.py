"""The clock: enough for every move, never more than there is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.clock import LEAST, Clocks, TimeManager, allot
from kibitz.engine import Engine
from kibitz.games.chess import Position
from kibitz.protocols.uci.limits import parse_go
from kibitz.protocols.uci.loop import UciEngine

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


def test_a_machine_that_was_late_keeps_time_back() -> None:
    clocks, manager = Clocks(1.0, 0.01), TimeManager()
    punctual = manager.allot(clocks, 0.2)
    manager.took(punctual + 0.3)
    assert manager.allot(clocks, 0.2) < punctual
    # The next game is on the same machine.
    assert manager.next_game().allot(clocks, 0.2) < punctual


def test_long_game_with_moves_dearer_than_the_increment() -> None:
    """A busy machine: a search costs 18 ms however short it is, the increment is 10 ms, a move without a
    search costs 4 ms. Two hundred moves are played in time."""
    left, manager, searched = 1.0, TimeManager(), 0
    for _ in range(200):
        clocks = Clocks(left, 0.01)
        if manager.too_short(clocks, 0.2):
            cost = 0.004
        else:
            cost = manager.allot(clocks, 0.2) + 0.016
            searched += 1
        manager.took(cost)
        left -= cost
        assert left > 0
        left += 0.01
    assert searched > 60


def test_the_scramble_begins_earlier_on_a_late_machine() -> None:
    manager = TimeManager()
    clocks = Clocks(0.2, 0.01)
    assert not manager.too_short(clocks, 0.2)
    manager.took(manager.allot(clocks, 0.2) + 0.1)
    assert manager.too_short(clocks, 0.2)
    for _ in range(60):  # long ago
        manager.took(manager.allot(clocks, 0.2))
    assert not manager.too_short(clocks, 0.2)


def test_no_search_is_started_in_time_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[str] = []
    engine = UciEngine(lines.append)
    engine.handle("isready")

    def run(*_: object, **__: object) -> None:
        raise AssertionError("a search was started")

    monkeypatch.setattr(Engine, "run", run)
    # A mate in one is seen without a search.
    engine.handle("position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")
    engine.handle("go wtime 20 btime 20")
    assert lines[-1] == "bestmove a1a8"
    # Where the opponent plays what the last PV expected, the PV goes on.
    engine.plan = (Position(), ("d2d4", "g8f6", "c2c4"))
    engine.handle("position startpos moves d2d4 g8f6")
    engine.handle("go wtime 20 btime 5000")
    assert lines[-1] == "bestmove c2c4"
    # The position that was pondered on.
    engine.handle("position startpos")
    engine.handle("go wtime 20 btime 5000")
    assert lines[-1] == "bestmove d2d4"
    engine.handle("position startpos moves d2d4 d7d5")
    engine.handle("go wtime 20 btime 5000")
    assert lines[-1].split()[1] in Position().play("d2d4", "d7d5").legal_moves
    # The opponent's short clock is not ours.
    engine.handle("go wtime 5000 btime 20 nodes 1")
    engine.handle("stop")
    assert any("a search was started" in line for line in lines)
