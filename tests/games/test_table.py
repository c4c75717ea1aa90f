"""The table of games that hide nothing: turns, offers, clocks, endings."""

from __future__ import annotations

import random

import pytest

from kibitz.errors import IllegalMove
from kibitz.games import registry
from kibitz.games.game_line import GameLine
from kibitz.games.table import Table, TimeControl

OPEN = [name for name in registry.names() if not registry.get(name).position.hides]
NOTHING = "cannot do that now"


class Time:
    """A clock that a test moves."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def seated(game: str, **more: object) -> Table:
    table = Table(registry.get(game).position(), **more)  # type: ignore[arg-type]
    for seat in table.seats:
        assert table.phase == "set-up"
        assert table.shown().moves == ()
        table.ready(seat)
    return table


@pytest.mark.parametrize("game", OPEN)
def test_game_is_played_in_turns_until_somebody_resigns(game: str) -> None:
    table = seated(game)
    first, second = table.seats
    with pytest.raises(IllegalMove, match=f"{second} {NOTHING}"):
        table.play(second, table.thinking().legal_moves[0])
    for _ in range(6):
        assert table.mover is not None
        table.play(table.mover, table.thinking().legal_moves[0])
    with pytest.raises(IllegalMove, match=NOTHING):
        table.play(first, "nonsense")
    table.resign(first)
    assert (table.phase, table.result, table.ending, table.mover) == ("over", 0.0, "resign", None)
    with pytest.raises(IllegalMove, match=NOTHING):
        table.resign(second)


def test_draw_and_undo_by_agreement() -> None:
    table = seated("chess")
    table.play("white", "e2e4")
    table.play("black", "e7e5")
    table.ask_undo("white")
    table.answer("black", True)
    assert table.thinking().moves == ()
    with pytest.raises(IllegalMove, match=NOTHING):
        table.ask_undo("black")
    table.offer_draw("black")
    table.answer("white", False)
    assert table.phase == "playing"
    table.offer_draw("black")
    table.play("white", "d2d4")
    assert table.offer is None, "a move ends an offer"
    table.offer_draw("black")
    table.answer("white", True)
    assert (table.phase, table.result, table.ending) == ("over", 0.5, "agreed")


def test_time_is_lost_but_not_while_nobody_could_play() -> None:
    clock = Time()
    table = seated("othello", clock=TimeControl(60, increment=1), now=clock)
    clock.now = 20
    assert table.tick() is None
    assert table.clocks() == {"black": 40, "white": 60}
    clock.now = 500
    table.forgive(30)  # the server was away since then
    assert table.clocks()["black"] == 30
    table.play("black", "d3")
    assert table.clocks() == {"black": 31, "white": 60}
    table.forgive(0)
    clock.now = 561
    assert table.tick() == "white"
    assert (table.phase, table.result, table.ending) == ("over", 1.0, "time")


def test_who_leaves_before_the_game_is_not_ready() -> None:
    table = Table(registry.get("go").position())
    table.ready("black")
    table.unready("black")
    table.ready("white")
    assert table.phase == "set-up"
    assert table.is_ready == {"white"}


@pytest.mark.parametrize("game", registry.names())
def test_earlier_positions_are_played_again(game: str) -> None:
    """A long game keeps a few positions only, and undoing finds the others all the same."""
    chance = random.Random(game)
    start = registry.get(game).position()
    positions, line = [start], GameLine(start)
    while len(line) < 60 and not line.last.is_over:
        line = line.plus(line.last.play(chance.choice(line.last.legal_moves)))
        positions.append(line.last)
    assert len(positions) > 9
    assert len(line._tail) == 8
    assert [*line.backwards()] == positions[::-1]
    for length in range(len(line), 0, -1):
        assert [*line.first(length).backwards()] == positions[length - 1 :: -1]
        line = line.first(length)
        assert line.last.moves == positions[length - 1].moves


def test_undo_by_undo_to_the_start() -> None:
    table = seated("go")
    for number in range(30):
        assert table.mover is not None
        table.play(table.mover, table.thinking().legal_moves[4 * number])
    for left in range(28, -1, -2):
        table.ask_undo("black")
        table.answer("white", True)
        assert len(table.thinking().moves) == left
    with pytest.raises(IllegalMove, match=NOTHING):
        table.ask_undo("black")
