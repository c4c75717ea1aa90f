"""Races for flags: the solver, and that the search never leaves out a move that decides one."""

from __future__ import annotations

import pytest

from kibitz import _native
from kibitz.engine import Engine
from kibitz.games.junqi import Position
from tests.games.junqi.tables import midgame, sparse

FAR = "N4>N11 W4>W11 E4>E11"


def falls(position: Position, seat: int = 0, plies: int = 6) -> int:
    return int(_native.junqi_flag_falls(position.state, seat, plies))


def test_a_piece_two_steps_from_a_flag_takes_it_in_five_plies() -> None:
    """S's flag is at S62; E walks from S51 over S61, and four seats have a turn each between."""
    assert falls(sparse(f"S5>S11 E3>S51 {FAR}", "4 open turn=E")) == 5
    assert falls(sparse(f"S5>S11 E3>S51 {FAR}", "4 open turn=E"), plies=4) == 0
    # Beside the flag it needs one.
    assert falls(sparse(f"S5>S11 E3>S61 {FAR}", "4 open turn=E")) == 1


def test_a_hit_a_mine_or_an_ally_holds_it() -> None:
    assert falls(sparse(f"S5>S41 E3>S51 {FAR}", "4 open turn=S")) == 0  # takes it at once
    assert falls(sparse(f"S2>S41 E3>S51 {FAR}", "4 open turn=S")) > 0  # too weak
    guarded = sparse(f"S5>S11 S@51 S@61 S@63 E3>S42 {FAR}", "4 open turn=E")
    assert falls(guarded) > 0  # by S52
    # A mine is on S61, and N's piece takes what goes to S52 before it is E's turn again.
    assert falls(sparse("S4>S15 S@61 N5>S53 E3>S51 E4>E11 W4>W11", "4 open turn=E")) == 0


def test_a_guarded_flag_needs_an_engineer() -> None:
    closed = "S@51 S@61 S@63 S3>S52 S4>S15"
    assert falls(sparse(f"{closed} E2>S42 {FAR}", "4 open turn=E")) == 0  # cannot beat S52
    assert falls(sparse(f"S@61 S@63 S4>S15 E5>S52 {FAR}", "4 open turn=E")) == 1


def test_the_search_hits_what_stands_two_steps_from_a_shown_flag() -> None:
    position = sparse(f"SF! S5>S41 S9>S15 E3>S51 {FAR}", "4 dark turn=S")
    assert falls(position.skip()) > 0
    with Engine("junqi", samples=24) as engine:
        assert engine.analyze(position, simulations=4000).best == "S41-S51"


@pytest.mark.parametrize("style", ["aggressive", "defensive", "probing"])
def test_a_style_never_cuts_what_decides_a_race(style: str) -> None:
    """The hit is of no category that the styles prefer; only the race makes it vital."""
    position = sparse(f"SF! S5>S41 S9>S15 E3>S51 {FAR}", "4 dark turn=S")
    with Engine("junqi", style=style, samples=24) as engine:
        report = engine.analyze(position, simulations=4000)
    assert "S41-S51" in {move.move for move in report.moves}
    assert report.best == "S41-S51"


def test_every_root_move_is_searched() -> None:
    position = midgame(5, 60)
    with Engine("junqi", samples=24) as engine:
        report = engine.analyze(position, simulations=20_000)
    assert {move.move for move in report.moves} == set(position.legal_moves)
    assert all(move.visits >= 1 for move in report.moves)
    best = report.moves[0]
    assert best.visits == max(move.visits for move in report.moves) > 8
