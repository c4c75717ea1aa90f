"""A style in alpha-beta: the same search and network, a choice among moves that the budget pays for."""

from __future__ import annotations

from typing import Any

import pytest

import kibitz
from kibitz import _native
from kibitz.games import registry
from kibitz.plan import configure, plan
from kibitz.request import make_request

pytestmark = pytest.mark.skipif(not _native.HAS_STYLE, reason="a core without style")

POSITIONS = [
    kibitz.chess.Position(),
    kibitz.chess.Position().play("e4", "c5"),
    kibitz.chess.Position().play("d4", "d5", "c4", "e6"),
    kibitz.chess.Position().play("Nf3", "d5", "g3", "Nf6"),
]
#: Nodes are counted, so the same search is made on any machine.
OPTIONS: dict[str, Any] = {"threads": 1, "search": "alphabeta", "style_scale": 1.0}


def searched(position: kibitz.chess.Position, nodes: int = 60_000, **asked: Any) -> kibitz.Report:
    with kibitz.Engine("chess", **{**OPTIONS, **asked.pop("options", {})}) as engine:
        return engine.analyze(position, visits=nodes, **asked)


@pytest.mark.parametrize("position", POSITIONS)
def test_a_style_keeps_the_search(position: kibitz.chess.Position) -> None:
    configuration = configure("chess")
    for style in (None, "light", "medium", "strong"):
        prepared = plan(make_request(position, seconds=1.0, style=style), configuration)
        assert prepared.family == "alphabeta"
        assert prepared.audit.refused == ()
    by_priors = make_request(position, seconds=1.0, style="medium", options={"style_mode": "priors"})
    assert plan(by_priors, configuration).family == "tree"


@pytest.mark.parametrize("strength", [0.3, 0.6, 1.0])
@pytest.mark.parametrize("position", POSITIONS)
def test_the_choice_has_the_best_value_with_its_bonus(
    position: kibitz.chess.Position, strength: float
) -> None:
    """Checked against a search of the same depth that has the exact score of every move."""
    report = searched(position, style=strength)
    [honoured] = report.steering.honoured
    assert "spent" in honoured.detail
    effect = registry.get("chess").styles["hypermodern"](position, strength, {"search": "alphabeta"})
    bonus = {position.state.move_text(move): value for move, value in effect.bonuses.items()}
    chosen, best = report.moves[0], max(report.moves, key=lambda item: (not item.pruned, item.value))
    gain = bonus[chosen.move] - bonus[best.move]
    assert gain >= 0.0
    assert best.value - chosen.value <= effect.budget * gain + 1e-6
    every = searched(position, 2**40, options={"multi_pv": 64, "depth": 11})
    styled = searched(position, 2**40, style=strength, options={"depth": 11})
    values = {item.move: item.value for item in every.moves}
    # Of what this search knows exactly there is nothing better.
    exact = [item for item in report.moves if not item.pruned and bonus[item.move] >= bonus[best.move]]
    own = {item.move: item.value + effect.budget * bonus[item.move] for item in exact}
    assert own[chosen.move] == pytest.approx(max(own.values()), abs=1e-6)
    # Null windows and exact scores of one depth differ a little by what the table knew.
    slack = 0.03
    worth = {move: value + effect.budget * bonus[move] for move, value in values.items()}
    assert worth[styled.best] >= max(worth.values()) - slack


def test_off_is_identical() -> None:
    for position in POSITIONS:
        plain, off = searched(position), searched(position, style="off")
        rows = [[(item.move, item.visits, item.value) for item in report.moves] for report in (plain, off)]
        assert rows[0] == rows[1]


def test_a_forced_win_is_never_given_up_for_a_style() -> None:
    mate = kibitz.chess.Position("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 5")
    assert searched(mate, style="strong").best == "a1a8"


def test_a_price_makes_the_style_give_way() -> None:
    # To a depth: of a step that is under way, only some scores are known.
    options = {"style_price": 0.0001, "depth": 8}
    report = searched(kibitz.chess.Position(), 2**40, style="strong", options=options)
    [honoured] = report.steering.honoured
    assert "gave way" in honoured.detail
    values = [item.value for item in report.moves if not item.pruned]
    assert report.moves[0].value == max(values)


def test_a_style_head_is_refused_with_the_reason() -> None:
    asked = make_request(
        kibitz.chess.Position(), seconds=1.0, style="medium", options={"style_source": "both"}
    )
    refused = plan(asked, configure("chess")).audit.refused
    assert [(item.kind, item.move) for item in refused] == [("style", "head")]
