"""Variations and comments of SGF and PGN records, for the move tree of the page.

A tree is a list of rows, parents first: a nested one would be as deep as the game is long. Of the rows with
one parent, the first goes on with the main line.
"""

from __future__ import annotations

import io
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel

from kibitz.errors import KibitzError
from kibitz.games import chess, go
from kibitz.games.go import sgf
from kibitz.games.go.sgf_tree import Tree

__all__ = ["TreeRow", "pgn_tree", "sgf_tree"]

#: Positions of a tree, and letters of a comment.
MOST_ROWS = 3000
MOST_COMMENT = 4000
#: Letters of a PGN text that is read for its variations.
MOST_TEXT = 300_000


class TreeRow(BaseModel):
    """A position of a tree: the row before it (-1 for the start), the move that leads to it, a comment."""

    parent: int
    move: str = ""
    #: The move as people write it, where that differs.
    name: str = ""
    comment: str = ""


def _worth_telling(rows: Sequence[TreeRow]) -> list[TreeRow] | None:
    """Nothing, where a tree says no more than its main line."""
    branches = any(row.parent != number - 1 for number, row in enumerate(rows))
    return list(rows) if branches or any(row.comment for row in rows) else None


# -- PGN ------------------------------------------------------------------------------------------


def pgn_tree(text: str, last: chess.Position) -> list[TreeRow] | None:
    """The tree of a text with one game, whose main line ends at `last`."""
    if len(text) > MOST_TEXT:
        return None
    import chess.pgn as pgn

    game: Any = pgn.read_game(io.StringIO(text))
    if game is None or game.errors:
        return None
    rows = [TreeRow(parent=-1, comment=game.comment[:MOST_COMMENT])]
    waiting = [(game, 0)]
    while waiting and len(rows) < MOST_ROWS:
        node, parent = waiting.pop()
        line = []
        while node.variations and len(rows) < MOST_ROWS:  # the main line of this branch, then what leaves it
            line.append((node, parent))
            node = node.variations[0]
            rows.append(_pgn_row(node, parent))
            parent = len(rows) - 1
        for node, parent in reversed(line):
            for other in reversed(node.variations[1:]):
                if len(rows) < MOST_ROWS:
                    rows.append(_pgn_row(other, parent))
                    waiting.append((other, len(rows) - 1))
    if [row.move for row in rows[1 : len(last.moves) + 1]] != list(last.moves):
        return None
    return _worth_telling(rows)


def _pgn_row(node: Any, parent: int) -> TreeRow:
    comment = " ".join(part for part in (node.starting_comment, node.comment) if part)
    return TreeRow(parent=parent, move=node.uci(), name=node.san(), comment=comment[:MOST_COMMENT])


# -- SGF ------------------------------------------------------------------------------------------


def sgf_tree(record: sgf.Record) -> list[TreeRow] | None:
    """The tree of a game of Go. A variation ends where stones are set up or a move cannot be played."""
    tree, position = record.tree, record.start
    if tree is None:
        return None
    line, places = tree.line(), tree.places
    positions, rows = [position], [TreeRow(parent=-1)]
    for colour, vertex in record.moves[: MOST_ROWS - 1]:
        position = position.play_as(colour, vertex, tolerant=True)
        positions.append(position)
        rows.append(TreeRow(parent=len(rows) - 1, move=position.moves[-1]))
    main = len(rows)
    for number, (node, branches) in enumerate(line):
        after = bisect_right(places, number) - 1
        if not 0 <= after < main:
            continue
        _say(rows[after], tree.text(node, "C"))
        for branch in branches:
            _grow(rows, tree, branch, after, positions[after])
    return _worth_telling(rows)


def _say(row: TreeRow, text: str) -> None:
    row.comment = "\n".join(part for part in (row.comment, text.strip()) if part)[:MOST_COMMENT]


def _grow(rows: list[TreeRow], tree: Tree, branch: Any, parent: int, start: go.Position) -> None:
    """Adds a variation after a row, and those that begin in it."""
    waiting = [(branch, parent, start)]
    while waiting:
        coarse, row, position = waiting.pop()
        for node in coarse.sequence:
            if len(rows) >= MOST_ROWS or any(name in node for name in ("AB", "AW", "AE")):
                break
            colour = next((one for one in "BW" if one in node), None)
            if colour is not None:
                try:
                    vertex = sgf.vertex_of(tree.text(node, colour).strip(), *position.size)
                    position = position.play_as(colour, vertex, tolerant=True)
                except KibitzError:
                    break
                rows.append(TreeRow(parent=row, move=position.moves[-1]))
                row = len(rows) - 1
            if row != parent:
                _say(rows[row], tree.text(node, "C"))
        else:
            waiting += [(child, row, position) for child in reversed(coarse.children)]
