"""A search with a style: the bonus, the root's priors, tree reuse, and that off is off."""

from __future__ import annotations

import math
import random
from typing import Any

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kibitz
from kibitz.errors import BadOption, BadSteering
from kibitz.report import Report
from kibitz.steering import Style, make_style
from kibitz.style import bonus
from kibitz.style.bonus import bonuses, makes_contact
from tests.style.plain_metrics import makes_contact as plain_contact
from tests.style.plain_metrics import plain_bonus
from tests.style.random_games import random_game

WEIGHTS = {
    "fianchetto": 1.0,
    "prepare": 1.0,
    "quiet": 0.5,
    "control": 0.0,
    "flank": 0.1,
    "chain": 1.0,
    "occupation": -1.0,
    "attack": 0.0,
    "trade": 0.0,
}


def after(seed: int, plies: int) -> tuple[chess.Board, kibitz.chess.Position]:
    board, moves = random_game(seed, plies)
    for move in moves:
        board.push(move)
    return board, kibitz.chess.Position(board.fen())


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 30))
def test_bonus_equals_the_plain_one(seed: int, plies: int) -> None:
    board, position = after(seed, plies)
    computed = bonuses(position)
    expected = {move.uci(): plain_bonus(board, move, WEIGHTS, 8) for move in board.legal_moves}
    if position.is_over:
        return
    assert computed == pytest.approx(expected)
    for move in board.legal_moves:
        assert makes_contact(position, move.uci()) == plain_contact(board, move)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 20), st.lists(st.floats(-10, 10), min_size=9, max_size=9))
def test_any_weights_stay_within_one(seed: int, plies: int, values: list[float]) -> None:
    board, position = after(seed, plies)
    if position.is_over:
        return
    weights = dict(zip(WEIGHTS, values, strict=True))
    computed = bonuses(position, **{f"style_{name}": value for name, value in weights.items()})
    assert all(-1 <= value <= 1 for value in computed.values())
    for move in board.legal_moves:
        assert computed[move.uci()] == pytest.approx(plain_bonus(board, move, weights, 8), abs=1e-9)


def test_known_bonuses() -> None:
    position = kibitz.chess.Position().play("g3", "e5")
    assert bonus(position, "Bg2") == 1.0  # 1 + 0.5, clipped
    gentle = {"style_fianchetto": 0.1, "style_quiet": 0.2, "style_control": 0.3}
    assert bonus(position, "Bg2", **gentle) == pytest.approx(0.6)
    # A pawn in the centre, in contact with e5; and the queen sees d4, which hypermodern does not count.
    assert bonus(position, "d4") == pytest.approx(-1.0)
    assert bonus(position, "d4", style_control=0.3) == pytest.approx(-1.0 + 0.3)
    assert bonus(position, "a3") == pytest.approx(0.6)
    late = kibitz.chess.Position("rnbqkbnr/pppp1ppp/8/4p3/8/6P1/PPPPPP1P/RNBQKBNR w KQkq - 0 12")
    assert bonus(late, "a3") == pytest.approx(0.1)  # past ply 8 quiet moves are nothing special


def visits(report: Report) -> list[tuple[str, int, float]]:
    return [(info.move, info.visits, info.value) for info in report.moves]


def searched(position: kibitz.chess.Position, simulations: int = 400, **options: Any) -> Report:
    with kibitz.Engine("chess", "default", seed=3, **options) as engine:
        return engine.analyze(position, simulations=simulations, unvisited=True)


@pytest.mark.parametrize("plies", [0, 3, 9, 16])
def test_off_is_the_same_search(plies: int) -> None:
    _, position = after(plies, plies)
    plain = searched(position)
    assert visits(searched(position, style_beta=0)) == visits(plain)
    assert visits(searched(position, style="off")) == visits(plain)
    # The weights alone do nothing.
    assert visits(searched(position, style_fianchetto=7, style_control=-3)) == visits(plain)


def test_the_priors_follow_the_formula() -> None:
    position = kibitz.chess.Position().play("g3", "e5")
    plain = {info.move: info.prior for info in searched(position).moves}
    for beta in (0.3, 1.0, 2.5):
        styled = searched(position, style_beta=beta)
        raw = {move: prior * math.exp(beta * bonus(position, move)) for move, prior in plain.items()}
        scale = sum(plain.values()) / sum(raw.values())
        assert len(styled.moves) == len(plain)
        for info in styled.moves:
            assert info.prior == pytest.approx(scale * raw[info.move], rel=1e-4)
    assert visits(searched(position, style_beta=2.5)) != visits(searched(position))


def test_early_contact_is_scaled_down() -> None:
    position = kibitz.chess.Position().play("g3", "e5")
    plain = {info.move: info.prior for info in searched(position).moves}
    styled = {info.move: info.prior for info in searched(position, style_contact_prior=0.25).moves}
    rest = styled["g1f3"] / plain["g1f3"]
    assert styled["d2d4"] / plain["d2d4"] == pytest.approx(0.25 * rest, rel=1e-4)
    assert sum(styled.values()) == pytest.approx(1.0, abs=1e-5)


def test_a_reused_tree_acts_at_the_new_root_only() -> None:
    start = kibitz.chess.Position()
    # A style that has no network of its own: it shares the tree of the plain search.
    with kibitz.Engine("chess", "default", seed=3, style="open:strong") as engine:
        first = engine.analyze(start, simulations=2000)
        here = start.play(*first.moves[0].line[:2])
        reused = engine.analyze(here, simulations=500, unvisited=True)
        assert reused.root.reused > 0
        styled = {info.move: info.prior for info in reused.moves}
        # Two plies on, without the style: what is left in the tree is what the evaluator said.
        plain = engine.analyze(here, simulations=100, unvisited=True, style="off")
        assert plain.root.reused > 500
    fresh = {info.move: info.prior for info in searched(here, style="open:strong").moves}
    unstyled = {info.move: info.prior for info in searched(here).moves}
    assert styled == pytest.approx(fresh, rel=1e-4)
    assert {info.move: info.prior for info in plain.moves} == pytest.approx(unstyled, rel=1e-4)
    assert styled != pytest.approx(unstyled, rel=1e-2)


def test_past_the_opening_there_is_no_style() -> None:
    position = kibitz.chess.Position("r1bq1rk1/pp2ppbp/2np1np1/8/3NP3/2N1BP2/PPPQ2PP/R3KB1R w KQ - 3 13")
    assert visits(searched(position, style="strong")) == visits(searched(position))
    assert visits(searched(position, style="strong", style_plies=0)) != visits(searched(position))


def test_steering_says_what_became_of_a_style() -> None:
    start = kibitz.chess.Position()
    with kibitz.Engine("chess") as engine:
        report = engine.analyze(start, simulations=50, style="hypermodern:strong")
        assert [(item.kind, item.move) for item in report.steering.honoured] == [
            ("style", "hypermodern:strong")
        ]
        report = engine.analyze(start, simulations=50, style="romantic")
        assert "hypermodern" in report.steering.refused[0].reason
    with kibitz.Engine("chess", "uct", style_mode="priors") as engine:
        report = engine.analyze(start, simulations=50, style="light")
        assert "priors" in report.steering.refused[0].reason
    report = kibitz.analyze(kibitz.othello.Position(), simulations=50, style="medium")
    assert report.steering.refused[0].reason == "othello has no styles"
    assert report.simulations == 50


def test_styles_as_people_write_them() -> None:
    assert make_style("Medium") == Style("", 0.6)
    assert make_style(0.25) == Style("", 0.25)
    assert make_style("hypermodern") == Style("hypermodern", 0.6)
    assert make_style("hypermodern:1.5") == Style("hypermodern", 1.5)
    assert make_style(None) is None
    assert str(Style("hypermodern", 1.0)) == "hypermodern:strong"
    for wrong in ("hypermodern:loud", -1, "11", float("nan"), True):
        with pytest.raises(BadSteering, match="strength"):
            make_style(wrong)
    with pytest.raises(BadOption, match="othello has no style"):
        kibitz.Engine("othello", style="medium")
    with pytest.raises(BadOption, match="style_beta"):
        kibitz.Engine("chess", style_beta=-1)


def test_style_composes_with_the_rest() -> None:
    position = kibitz.chess.Position()
    chance = random.Random(5)
    moves = chance.sample(position.legal_moves, 4)
    with kibitz.Engine("chess", seed=1) as engine:
        report = engine.analyze(
            position,
            simulations=300,
            style="strong",
            include=moves[:2],
            min_visits=30,
            avoid=moves[2:],
            weights={"a2a3": 2},
        )
    got = {info.move: info.visits for info in report.moves}
    assert got[moves[0]] >= 30
    assert got[moves[1]] >= 30
    assert moves[2] not in got
    assert moves[3] not in got
