"""Labels, accuracy, phases and summaries of a review."""

from __future__ import annotations

import pytest

import kibitz
from kibitz.games import registry
from kibitz.games.chess.chances import peoples_chance
from kibitz.review.labels import LABELS, accuracy_of, label_of, phases_of, summaries, worst_first
from kibitz.review.records import Turn


def turn(number: int, side: str, loss: float, **more: object) -> Turn:
    label = label_of(loss, is_best=loss == 0.0)
    fields = {"points": None, "label": label, **more}
    return Turn(number, side, "a1", "b2", ("b2",), 0.5, None, loss, **fields)  # type: ignore[arg-type]


def test_a_hard_best_move_is_brilliant_and_a_bad_one_is_not() -> None:
    assert label_of(0.0, is_best=True, is_hard=True) == "brilliant"
    assert label_of(0.15, is_hard=True) == "mistake"


def test_accuracy_is_that_of_lichess() -> None:
    """https://lichess.org/page/accuracy: 103.1668 exp(-0.04354 loss) - 3.1669, the loss in per cent."""
    assert accuracy_of([0.0]) == pytest.approx(100.0, abs=0.01)
    assert accuracy_of([0.1]) == pytest.approx(63.58, abs=0.01)
    assert accuracy_of([0.9]) == 0.0
    assert accuracy_of([]) == 100.0


def test_summaries_count_labels_by_side_and_phase() -> None:
    turns = [
        turn(1, "white", 0.0, phase="opening"),
        turn(2, "black", 0.3, phase="opening", points=4.0),
        turn(3, "white", 0.07, phase="endgame"),
        turn(4, "black", 0.12, phase="endgame", points=1.0),
    ]
    white, black = summaries(turns)
    assert (white.side, white.moves, black.side) == ("white", 2, "black")
    assert {name: count for name, count in white.labels.items() if count} == {"best": 1, "inaccuracy": 1}
    assert tuple(white.labels) == LABELS
    assert (black.loss, black.points) == (pytest.approx(0.21), 2.5)
    assert white.phases["opening"] > white.phases["endgame"]
    assert [one.number for one in worst_first(turns)] == [2, 4, 3]
    assert [one.number for one in worst_first(turns, "white")] == [3]


def test_phases_never_go_back() -> None:
    """A promotion brings a piece back, and an endgame stays one."""
    start = kibitz.chess.Position()
    rooks = kibitz.chess.Position("4k3/P7/8/8/8/8/8/R3K2R w - - 0 1")
    assert phases_of([start, rooks, start]) == ["opening", "endgame", "endgame"]
    assert phases_of([kibitz.junqi.Position()]) == [""]
    othello = kibitz.othello.Position()
    assert phases_of([othello]) == ["opening"]


@pytest.mark.parametrize("game", registry.names())
def test_every_game_has_phases_in_order_or_none(game: str) -> None:
    info = registry.get(game)
    phases = phases_of([info.position(), info.position().play(*info.demo)])
    assert phases in (["opening", "opening"], ["opening", "middlegame"], ["", ""])


def test_peoples_chances_grow_and_are_symmetric() -> None:
    values = [number / 1000 for number in range(1001)]
    chances = [peoples_chance(value) for value in values]
    assert chances == sorted(chances)
    assert (chances[0], chances[500], chances[-1]) == (0.0, 0.5, 1.0)
    for value, chance in zip(values, chances, strict=True):
        assert peoples_chance(1 - value) == pytest.approx(1 - chance, abs=1e-9)
