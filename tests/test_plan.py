"""The planner: which search, what is honoured. It runs no search, so it is asked thousands of questions."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kibitz
from kibitz.errors import BadOption, BadRequest
from kibitz.games import registry
from kibitz.network import NetworkTraits
from kibitz.plan import Configuration, configure, plan, uses_alpha_beta
from kibitz.request import make_request

CHESS = kibitz.chess.Position()
OTHELLO = kibitz.othello.Position()
CORE = NetworkTraits(in_core=True, has_ownership=False)
SLOW = NetworkTraits(has_ownership=False)


def family(position: Any, configuration: Configuration, **asked: Any) -> str:
    return plan(make_request(position, **asked), configuration).family


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"seconds": 1.0}, "alphabeta"),
        ({"seconds": 1.0, "include": ["d3"]}, "alphabeta"),
        ({"seconds": 1.0, "avoid": ["d3"]}, "alphabeta"),
        ({"seconds": 1.0, "options": {"early_stop": 0, "threads": 2}}, "alphabeta"),
        ({"visits": 2**50}, "alphabeta"),
        ({"visits": 100}, "tree"),
        ({"simulations": 100}, "tree"),
        ({"seconds": 1.0, "include": ["d3"], "min_visits": 2}, "tree"),
        ({"seconds": 1.0, "weights": {"d3": 2.0}}, "tree"),
        ({"seconds": 1.0, "prune": "progressive"}, "tree"),
        ({"seconds": 1.0, "options": {"c": 0.7}}, "tree"),
        ({"seconds": 1.0, "options": {"search": "tree"}}, "tree"),
        ({"visits": 100, "options": {"search": "alphabeta"}}, "alphabeta"),
    ],
)
def test_family_follows_what_is_asked(asked: dict[str, Any], expected: str) -> None:
    assert family(OTHELLO, configure("othello"), **asked) == expected


def test_family_follows_the_network() -> None:
    assert configure("chess", network=CORE).preset == "own"
    assert configure("chess", network=SLOW).preset == "lc0"
    assert configure("chess").preset == "default"
    assert family(CHESS, configure("chess", network=CORE), seconds=1.0) == "alphabeta"
    assert family(CHESS, configure("chess", network=SLOW), seconds=1.0) == "tree"
    assert uses_alpha_beta(configure("chess", network=CORE))
    assert not uses_alpha_beta(configure("chess", network=SLOW))
    assert not uses_alpha_beta(configure("go"))


def test_defaults_of_a_protocol_ask_for_no_tree() -> None:
    asked = {"cpuct": 2.0}
    assert family(CHESS, configure("chess", options=asked), seconds=1.0) == "tree"
    assert family(CHESS, configure("chess", options=asked, named=()), seconds=1.0) == "alphabeta"


def test_a_network_without_ownership_is_not_asked_for_it() -> None:
    position, asked = kibitz.go.Position(9), {"visits": 10, "options": {"ownership": True}}
    with_head = plan(make_request(position, **asked), configure("go", network=NetworkTraits()))
    assert with_head.options.ownership
    without = plan(make_request(position, **asked), configure("go", network=SLOW))
    assert not without.options.ownership


def test_exploring_needs_a_human_model() -> None:
    asked = {"human_root_weightless": 0.5}
    with pytest.raises(BadOption, match="needs a human model"):
        configure("go", options=asked)
    assert configure("go", options=asked, has_human=True).has_human
    with pytest.raises(BadOption, match="needs a human model"):
        plan(make_request(kibitz.go.Position(9), visits=1, options=asked), configure("go"))


def test_wrong_configurations_are_named() -> None:
    with pytest.raises(BadOption, match="unknown preset 'nope' of othello, expected"):
        configure("othello", "nope")
    with pytest.raises(BadOption, match="othello has no style"):
        configure("othello", style="medium")
    with pytest.raises(BadOption, match="unknown option"):
        configure("othello", options={"nope": 1})
    with pytest.raises(BadRequest, match="plays chess, not othello"):
        plan(make_request(OTHELLO, visits=1), configure("chess"))


def test_a_style_without_priors_is_refused_with_the_reason() -> None:
    asked: dict[str, Any] = {"visits": 10, "style": "medium"}
    configuration = configure("chess", "uct", options={"style_mode": "priors"})
    audit = plan(make_request(CHESS, **asked), configuration).audit
    assert [item.kind for item in audit.refused] == ["style"]
    assert "does not use" in audit.refused[0].reason


MOVES = st.sampled_from(["d3", "c4", "f5", "e6", "a1", "pass", "zz", "", "D3", "d3 "])


@settings(max_examples=2000, deadline=None)
@given(
    include=st.dictionaries(MOVES, st.integers(1, 60), max_size=5),
    allow=st.lists(MOVES, max_size=4),
    avoid=st.lists(MOVES, max_size=4),
    weights=st.dictionaries(MOVES, st.floats(0, 10), max_size=3),
    prune=st.sampled_from([None, "none", "progressive", "statistical"]),
    search=st.sampled_from(["auto", "tree", "alphabeta"]),
    budget=st.sampled_from([{"seconds": 1.0}, {"visits": 50}, {"unlimited": True}]),
)
def test_every_part_is_honoured_or_refused(
    include: dict[str, int],
    allow: list[str],
    avoid: list[str],
    weights: dict[str, float],
    prune: str | None,
    search: str,
    budget: dict[str, Any],
) -> None:
    steering = {"include": include, "allow": allow, "avoid": avoid, "weights": weights, "prune": prune}
    prepared = plan(
        make_request(OTHELLO, **steering, **budget), configure("othello", options={"search": search})
    )
    asked = len(include) + len(allow) + len(avoid) + len(weights) + bool(prune)
    assert len(prepared.audit.honoured) + len(prepared.audit.refused) == asked
    assert all(item.reason for item in prepared.audit.refused)
    legal = set(OTHELLO.legal_moves)
    for item in prepared.audit.honoured:
        assert item.kind == "prune" or item.move.strip().lower() in legal
    again = plan(
        make_request(OTHELLO, **steering, **budget), configure("othello", options={"search": search})
    )
    assert (again.family, again.audit, again.limits) == (prepared.family, prepared.audit, prepared.limits)


@pytest.mark.parametrize("game", registry.names())
def test_every_game_is_planned_without_an_engine(game: str) -> None:
    info = registry.get(game)
    position = info.position().play(*info.demo)
    prepared = plan(make_request(position, visits=10, include=position.legal_moves[:1]), configure(game))
    assert [item.kind for item in prepared.audit.honoured] == ["include"]
    assert prepared.request.position == position.mover_view()
