"""The effort of a review: the strongest search of the game, budgets that are counted."""

from __future__ import annotations

import pytest

import kibitz
from kibitz.errors import BadRequest
from kibitz.games import registry
from kibitz.plan import plan
from kibitz.request import Budget, Request
from kibitz.review.effort import EFFORTS, make_effort, scaled


@pytest.mark.parametrize("game", registry.names())
def test_effort_uses_the_search_that_plays_by_time(game: str) -> None:
    """The guaranteed visits and the count of a review must not change which search is used."""
    with kibitz.Engine(game) as engine:
        position = registry.get(game).position()
        strongest = plan(Request(position, budget=Budget(seconds=1.0)), engine.configuration).family
        for name in EFFORTS:
            effort = make_effort(engine.configuration, name)
            for budget in (effort.look, effort.check):
                asked = Request(position, budget=budget, options=effort.options)
                assert plan(asked, engine.configuration).family == strongest


def test_chess_is_reviewed_by_alpha_beta_in_nodes() -> None:
    with kibitz.Engine("chess") as engine:
        effort = make_effort(engine.configuration)
        start = kibitz.chess.Position()
        report = [*engine.run(Request(start, budget=effort.look, options=effort.options))][-1]
    assert report.search == "alphabeta"
    assert effort.look.simulations
    assert 0 < report.root.nodes <= effort.look.simulations
    assert str(effort.said) == f"{effort.look.simulations:,} nodes a position"


def test_a_slow_network_is_asked_by_a_tree() -> None:
    from kibitz.network import NetworkTraits
    from kibitz.plan import configure

    effort = make_effort(configure("chess", network=NetworkTraits(in_core=False)))
    assert (effort.unit, dict(effort.options)) == ("visits", {})


def test_seconds_and_budgets_of_ones_own() -> None:
    with kibitz.Engine("chess") as engine:
        by_time = make_effort(engine.configuration, 0.5)
        counted = make_effort(engine.configuration, Budget(simulations=100))
        with pytest.raises(BadRequest, match=r"effort must be quick, normal, deep or seconds, got 'huge'"):
            make_effort(engine.configuration, "huge")
    assert (by_time.look.seconds, by_time.check.seconds, by_time.options["search"]) == (0.5, 2.0, "alphabeta")
    assert (counted.look.simulations, counted.check.simulations) == (100, 400)
    assert "search" not in counted.options  # simulations are those of a tree, as everywhere
    assert scaled(Budget(visits=1), 0.5) == Budget(visits=1)
