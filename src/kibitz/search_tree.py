"""The tree of a search as data, for pictures of what a search does (`Request.tree_depth`).

>>> read_tree("d3 60 visits, value 0.5100, prior 0.2500\\n  c5 40 visits, value 0.4800, prior 0.2000 win\\n")
(TreeNode(move='d3', visits=60, value=0.51, proven=None, children=(TreeNode(move='c5', visits=40, \
value=0.48, proven='win', children=()),)),)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from kibitz.json_form import JsonForm

__all__ = ["MOST_DEPTH", "TreeNode", "read_tree", "tree_of_lines"]

#: Plies of a tree that a report can be asked for.
MOST_DEPTH = 8

#: A row of `dump` (native/search/reporter.h).
_ROW = re.compile(r"( *)(\S+) (\d+) visits, value ([\d.]+), prior [\d.]+(?: (win|draw|loss))?")


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


def read_tree(text: str) -> tuple[TreeNode, ...]:
    """The tree that a native search described as indented text, most visits first."""
    rows = [(len(found[1]) // 2, found) for line in text.splitlines() if (found := _ROW.fullmatch(line))]
    return _level(rows, 0)


def _level(rows: Sequence[tuple[int, re.Match[str]]], depth: int) -> tuple[TreeNode, ...]:
    starts = [number for number, (indent, _) in enumerate(rows) if indent == depth]
    if not starts:
        return ()
    nodes = []
    for start, end in zip(starts, [*starts[1:], len(rows)], strict=True):
        _, move, visits, value, proven = rows[start][1].groups()
        below = _level(rows[start + 1 : end], depth + 1)
        nodes.append(TreeNode(move, int(visits), float(value), proven, below))
    return tuple(nodes)


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
