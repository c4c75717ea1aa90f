"""The tree of a search as data, for pictures of what a search does (`Request.tree_depth`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar

from kibitz._native import TreeRow
from kibitz.json_form import JsonForm

#: Plies of a tree that a report can be asked for.
MOST_DEPTH = 8
#: Nodes of a tree below the root's moves.
MOST_NODES = 300

#: A result for the side that plays the move, from both bounds of it.
PROOFS = {(2, 2): "win", (1, 1): "draw", (0, 0): "loss"}


@dataclass(frozen=True)
class TreeNode(JsonForm):
    """A move in the tree. The value is that of the side that plays the move; None where the search keeps no
    values below the root."""

    json_strict: ClassVar[bool] = False
    json_optional: ClassVar[frozenset[str]] = frozenset({"proven", "children"})

    move: str
    visits: int
    value: float | None
    proven: str | None = None
    children: tuple[TreeNode, ...] = ()


def tree_of_rows(rows: Sequence[TreeRow], most: int = MOST_NODES) -> tuple[TreeNode, ...]:
    """The tree of a native search, whose rows come parents first; most visits first. Of the nodes below the
    root's moves, the `most` visited ones: a node is never visited more than its parent."""
    below = sorted((row.visits for row in rows if row.depth), reverse=True)
    least = below[most] + 1 if len(below) > most else 0
    return _level([row for row in rows if not row.depth or row.visits >= least], 0)


def _level(rows: Sequence[TreeRow], depth: int) -> tuple[TreeNode, ...]:
    starts = [number for number, row in enumerate(rows) if row.depth == depth]
    nodes = []
    for start, end in pairwise([*starts, len(rows)]):
        row = rows[start]
        below = _level(rows[start + 1 : end], depth + 1)
        nodes.append(TreeNode(row.move, row.visits, row.value, PROOFS.get(row.proven), below))
    return tuple(nodes)


def with_lines(tree: tuple[TreeNode, ...], moves: Iterable[Any], depth: int) -> tuple[TreeNode, ...]:
    """The tree; where all its replies have too few visits to show (361 moves that share them evenly), each
    move has its line."""
    if any(node.children for node in tree):
        return tree
    lines = tree_of_lines(moves, depth)
    below = {node.move: node.children for node in lines}
    return tuple(replace(node, children=below.get(node.move, ())) for node in tree) or lines


def tree_of_lines(moves: Iterable[Any], depth: int) -> tuple[TreeNode, ...]:
    """The tree of a search that keeps none (alpha-beta, Junqi): each root move with its line."""
    nodes = []
    for info in moves:
        below: tuple[TreeNode, ...] = ()
        for place in range(min(depth, len(info.line)) - 1, 0, -1):
            known = info.line_visits[place] if place < len(info.line_visits) else 0
            below = (TreeNode(info.line[place], known, None, None, below),)
        nodes.append(TreeNode(info.move, info.visits, info.value, info.proven, below))
    return tuple(nodes)
