"""Records of Go as the page opens them, with the variations and comments of SGF."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

from kibitz.errors import KibitzError
from kibitz.games.go import sgf
from kibitz.games.go.position import Position
from kibitz.games.go.sgf_tree import Tree
from kibitz.games.go.sgf_writer import headers_of
from kibitz.games.record_kinds import (
    MOST_COMMENT,
    MOST_ROWS,
    Form,
    OpenedGame,
    RecordKind,
    TreeRow,
    board_text,
    worth_showing,
)

_POINTS = re.compile(r"\s*(([A-HJ-T](1\d|[1-9])|pass)[\s,]*)+$", re.IGNORECASE)
#: Squares of 8x8, which are another game's.
_SQUARES = re.compile(r"\s*([a-h][1-8][\s,]*)+$", re.IGNORECASE)


def _is_points(data: bytes, text: str) -> bool:
    return _POINTS.match(text) is not None and not _SQUARES.match(text)


def _is_sgf(data: bytes, text: str) -> bool:
    return text.lstrip(" \t\r\n0123456789").startswith("(;")


def _read_sgf(data: bytes, text: str) -> Iterator[OpenedGame]:
    games = sgf.read_bytes(data, "the record")
    for one in games:
        position = one.position()
        whole = len(games) == 1 and len(one.moves) == len(position.open_dict()["moves"])
        headers = headers_of(one.facts)
        title = f"{headers.get('Black', '')} - {headers.get('White', '')}".strip(" -")
        yield OpenedGame(title, position, _tree(one) if whole else None, headers)


def _read_points(data: bytes, text: str) -> list[OpenedGame]:
    points = text.replace(",", " ").upper().replace("PASS", "pass").split()
    return [OpenedGame("", Position().play(*points))]


def _tree(record: sgf.Record) -> list[TreeRow] | None:
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
    return worth_showing(rows)


def _say(row: TreeRow, text: str) -> None:
    row.comment = "\n".join(part for part in (row.comment, text.strip()) if part)[:MOST_COMMENT]


def _grow(rows: list[TreeRow], tree: Tree, branch: Any, parent: int, start: Position) -> None:
    """Adds a variation after a row, and those that begin in it."""
    waiting = [(branch, parent, start)]
    while waiting:
        coarse, row, position = waiting.pop()
        for node in coarse.nodes:
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


RECORD_KINDS = (
    RecordKind("sgf", Form.LOOSE, _is_sgf, _read_sgf),
    board_text("go", Form.LOOSE, r"\s*[XO.]{2,19}(/[XO.]{2,19})+(\s|$)", Position),
    RecordKind("go", Form.MOVES, _is_points, _read_points),
)
