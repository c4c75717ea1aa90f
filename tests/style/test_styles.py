"""The styles aggressive and solid, and the budget of a style in each search family."""

from __future__ import annotations

import pytest

import kibitz
from kibitz import _native
from kibitz.engine import Engine
from kibitz.games.chess.styles import OPENING_PARTS
from kibitz.request import make_request
from kibitz.style import bonus
from kibitz.style.metrics import CHARACTER, MEASURE_OF_STYLE, measure_character

pytestmark = pytest.mark.skipif(not _native.HAS_STYLE, reason="a core without style")

NOTHING = dict.fromkeys(OPENING_PARTS, 0.0)


def test_what_attacks_the_king_and_what_trades() -> None:
    game = kibitz.chess.Position().play("e4", "e5", "Nf3", "Nc6", "Bc4", "Nf6")
    # The knight sees e6 and f7, which are next to the king; the bishop saw f7 before.
    assert bonus(game, "Ng5", **NOTHING, style_attack=1.0) == 1.0
    assert bonus(game, "a3", **NOTHING, style_attack=1.0) == 0.0
    assert bonus(game, "Bd3", **NOTHING, style_attack=1.0) == -1.0
    assert bonus(game.play("Ng5", "d5"), "exd5", **NOTHING, style_trade=1.0) == 0.0  # a pawn is no piece
    spanish = kibitz.chess.Position().play("e4", "e5", "Nf3", "Nc6", "Bb5", "a6")
    assert bonus(spanish, "Bxc6", **NOTHING, style_trade=1.0) == 1.0
    # Queens that look at each other.
    queens = kibitz.chess.Position("3qk3/8/8/8/8/8/8/4K2Q w - - 0 1")
    assert bonus(queens, "Qh4", **NOTHING, style_trade=0.7) == pytest.approx(0.7)
    assert bonus(queens, "Qh5", **NOTHING, style_trade=0.7) == 0.0


def test_known_measures() -> None:
    start = kibitz.chess.Position()
    assert measure_character(start.play("e4")) == (0.0, 0.0)
    # After 1.e4 d5 2.Bb5+ the bishop attacks d7 and e8, in the third of three plies.
    attack, exchanged = measure_character(start.play("e4", "d5", "Bb5"))
    assert (attack, exchanged) == (pytest.approx(2 / 3), 0.0)
    # Queens are gone after the fourth ply of four from here: 18 of 18 points.
    queens = kibitz.chess.Position("3qk3/8/8/8/8/8/8/3QK3 w - - 0 1").play("Qxd8", "Kxd8")
    assert measure_character(queens)[1] == pytest.approx((9 / 18 + 18 / 18) / 2)
    assert {MEASURE_OF_STYLE[name] for name in ("aggressive", "solid")} == set(CHARACTER)


@pytest.mark.parametrize("search", ["tree", "alphabeta"])
def test_solid_trades_where_it_costs_little(search: str) -> None:
    """The exchange of queens is one of several good moves."""
    position = kibitz.chess.Position("r1bqk2r/ppp2ppp/2n2n2/3p4/3P4/2N2N2/PPP1QPPP/R1B1K2R b KQkq - 0 8")
    wanted = {move for move in position.legal_moves if bonus(position, move, **NOTHING, style_trade=1.0) > 0}
    assert wanted
    with Engine("chess", search=search, threads=1, seed=1, style_budget=0.5) as engine:
        plain = engine.analyze(position, visits=2000).best
        solid = engine.analyze(position, visits=2000, style="solid:strong").best
        aggressive = engine.analyze(position, visits=2000, style="aggressive:strong").best
    assert solid in wanted

    def likes(move: str) -> float:
        return bonus(position, move, **NOTHING, style_attack=1.0, style_trade=-1.0)

    assert likes(aggressive) >= likes(plain)


def test_the_budget_of_each_search_family() -> None:
    """Alpha-beta gets one and a half times the budget, and half of it where only locked pawns count."""
    early = kibitz.chess.Position()
    late = early.play("e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "d3", "d6", "O-O", "Be7")
    budgets = {}
    for search in ("tree", "alphabeta"):
        with Engine("chess", search=search, style_scale=1.0) as engine:
            for name, position in (("early", early), ("late", late)):
                prepared = engine.plan(make_request(position, visits=10, style="strong"))
                budgets[search, name] = prepared.audit.honoured[0].said[0].values["budget"]
    assert budgets == {
        ("tree", "early"): pytest.approx(0.05),
        ("tree", "late"): pytest.approx(0.05),
        ("alphabeta", "early"): pytest.approx(0.075),
        ("alphabeta", "late"): pytest.approx(0.025),
    }
