"""The tree of a search as data."""

from __future__ import annotations

import pytest

import kibitz
from kibitz.engine import Engine
from kibitz.errors import BadRequest
from kibitz.games import registry
from kibitz.report import Report
from kibitz.running.search_tree import MOST_NODES


@pytest.mark.parametrize("game", registry.names())
def test_every_game_has_a_tree(game: str) -> None:
    position = registry.get(game).position().mover_view()
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


def test_text_shows_the_same_tree() -> None:
    with Engine("othello", preset="uct", seed=3) as engine:
        report = engine.analyze(kibitz.othello.Position(), simulations=300, tree_depth=2)
        assert engine._search is not None
        rows = engine._search.tree(2, 1)
        lines = engine._search.dump(2, 1).splitlines()
    assert [line.split()[:2] for line in lines] == [[row.move, str(row.visits)] for row in rows]
    assert [len(line) - len(line.lstrip()) for line in lines] == [2 * row.depth for row in rows]
    assert [node.move for node in report.tree] == [row.move for row in rows if row.depth == 0]


def test_many_moves_leave_room_for_replies() -> None:
    """81 moves share the visits of the start; the tree has replies all the same, and an end."""
    report = kibitz.analyze(kibitz.uttt.Position(), simulations=20_000, tree_depth=3)
    replies = [child for node in report.tree for child in node.children]
    below = len(replies) + sum(len(child.children) for child in replies)
    assert len(report.tree) == 81
    assert 50 < below <= MOST_NODES


def test_depth_is_limited() -> None:
    for depth in (-1, 9, 1.5, True):
        with pytest.raises(BadRequest, match="tree_depth"):
            kibitz.analyze(kibitz.othello.Position(), simulations=1, tree_depth=depth)  # type: ignore[arg-type]


def test_replies_with_few_visits_are_those_of_lines() -> None:
    """361 moves share the visits evenly, and their replies have one or two each."""
    with kibitz.Engine("go", preset="uct") as engine:
        report = engine.analyze(kibitz.go.Position(19), simulations=3000, tree_depth=3, top=20)
    assert len(report.tree) == 362
    for info in report.moves:
        node = next(node for node in report.tree if node.move == info.move)
        assert [child.move for child in node.children] == list(info.line[1:2])
    assert any(node.children for node in report.tree)
