"""What pieces did and left undone changes what is believed of them; two players have weights of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from kibitz import _native
from kibitz.engine import Engine
from kibitz.games.junqi import Position, View, Weights
from kibitz.games.junqi.beliefs import believe
from kibitz.games.junqi.weights import names
from tests.games.junqi.tables import sparse

OTHERS = "N4>N11 W4>W11"


def beside_a_division(rounds: int) -> View:
    """E11 could attack S's division for so many rounds, and walks E53 to and fro instead."""
    view = sparse(f"S7>E21 S4>S11 E@11 E@53 {OTHERS}", "4 dark turn=E").view("S")
    steps = [("E53-E54", "E54-E53"), ("N11-N12", "N12-N11"), ("W11-W12", "W12-W11"), ("S11-S12", "S12-S11")]
    for number in range(rounds):
        view = view.observe(*(pair[number % 2] for pair in steps))
    return view


def rows(view: View, node: str) -> list[int]:
    return _native.junqi_conduct_rows(view.state, view.state.piece_at(node))


def test_pieces_that_do_not_attack_are_believed_to_be_weak() -> None:
    def strong(rounds: int, weights: Weights) -> float:
        chances = believe(beside_a_division(rounds), weights=weights, samples=2000).chances("E11")
        return sum(chances.get(kind, 0) for kind in "987")

    learned, ignored = Weights(), Weights(behaviour__conduct=0)
    assert strong(8, learned) < 0.9 * strong(8, ignored)
    assert strong(0, learned) > 0.95 * strong(0, ignored)


def test_rows_follow_conduct() -> None:
    calm, tempted = beside_a_division(0), beside_a_division(8)
    assert set(rows(calm, "E11")) != set(rows(tempted, "E11"))
    table = _native.junqi_learned_conduct()
    assert all(len(row) == 12 for row in table)
    assert all(0 <= row < len(table) for row in rows(tempted, "E11"))
    # Moving is a sign, too: more rows hold for a piece that has moved.
    moved = tempted.observe("E11-C33", "N11-N12", "W11-W12")
    assert len(rows(moved, "C33")) > len(rows(tempted, "E11"))


def test_a_table_of_zeros_is_no_table() -> None:
    view = beside_a_division(8)
    size = len(_native.junqi_learned_conduct())
    without = Weights(behaviour__conduct=0).native
    zeros = _native.junqi_believe(view.state, Weights().native, 200, 3, [[0.0] * 12] * size)
    piece = view.state.piece_at("E11")
    assert zeros.chances(piece) == _native.junqi_believe(view.state, without, 200, 3).chances(piece)
    with pytest.raises(ValueError, match="rows"):
        _native.junqi_believe(view.state, Weights().native, 200, 3, [[0.0] * 12])


def test_two_players_have_their_own_weights(tmp_path: Path) -> None:
    two, four = Weights.of(2), Weights.of(4)
    assert [two.get(name) for name in names()] != [four.get(name) for name in names()]
    assert [four.get(name) for name in names()] == [Weights().get(name) for name in names()]
    file = tmp_path / "four.ini"
    file.write_text(
        "".join(f"[{name.split('.')[0]}]\n{name.split('.')[1]} = {four.get(name)}\n" for name in names()),
        encoding="utf-8",
    )
    position = Position.deal(["spear-left", "gate"])
    for _ in range(24):
        position = position.play(position.legal_moves[0])

    def values(**options: object) -> list[float | None]:
        with Engine("junqi", seed=4, **options) as engine:
            return [move.score for move in engine.analyze(position, simulations=3000).moves]

    assert values() != values(weights=str(file))
    part = tmp_path / "part.ini"
    part_of_two = f"[pieces]\ncommander = {two.get('pieces.commander')}\n"
    part.write_text(part_of_two, encoding="utf-8")
    assert values() == values(weights=str(part))  # what a file leaves out keeps the default of two players
