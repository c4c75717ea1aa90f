"""The tree of a search as data."""

from __future__ import annotations

import pytest

import kibitz
from kibitz.errors import BadRequest
from kibitz.games import registry
from kibitz.report import Report
from kibitz.search_tree import read_tree


@pytest.mark.parametrize("game", registry.names())
def test_every_game_has_a_tree(game: str) -> None:
    position = registry.get(game).position().seen()
    report = kibitz.analyze(position, simulations=300, seconds=2, tree_depth=3)
    assert report.tree
    assert {node.move for node in report.tree} <= set(position.legal_moves)
    assert Report.from_json(report.to_json()).tree == report.tree
    assert kibitz.analyze(position, simulations=10).tree == ()


def test_tree_is_the_searchs() -> None:
    report = kibitz.analyze(kibitz.othello.Position(), simulations=500, tree_depth=3)
    visits = {info.move: info.visits for info in report.moves}
    assert {node.move: node.visits for node in report.tree} == visits
    for node in report.tree:
        assert sum(child.visits for child in node.children) <= node.visits
    flat = kibitz.analyze(kibitz.othello.Position(), preset="flat", simulations=200, tree_depth=3)
    assert all(node.children == () for node in flat.tree)


def test_what_is_no_tree_is_empty() -> None:
    assert read_tree("") == ()
    assert read_tree("no such row\n  d3 x visits") == ()


def test_depth_is_limited() -> None:
    for depth in (-1, 9, 1.5, True):
        with pytest.raises(BadRequest, match="tree_depth"):
            kibitz.analyze(kibitz.othello.Position(), simulations=1, tree_depth=depth)  # type: ignore[arg-type]
