"""Stones that a game begins with.

>>> handicap_points((19, 19), 3)
['D4', 'Q16', 'Q4']
"""

from __future__ import annotations

from kibitz.errors import BadPosition
from kibitz.games.go.position import COLUMNS, Position

MOST_HANDICAP = 9


def stones_of(position: Position) -> dict[str, list[str]]:
    """The stones as `Position(size, black=..., white=...)` takes them."""
    rows = position.size[1]
    stones: dict[str, list[str]] = {"black": [], "white": []}
    for y, row in enumerate(position.stones):
        for x, stone in enumerate(row):
            if stone != ".":
                stones["black" if stone == "X" else "white"].append(f"{COLUMNS[x]}{rows - y}")
    return stones


def handicap_points(size: tuple[int, int], count: int) -> list[str]:
    """The usual points of a fixed handicap."""
    columns, rows = size
    most = MOST_HANDICAP if columns % 2 else 4
    if columns != rows or columns < 7 or not 2 <= count <= most:
        raise BadPosition(f"a {columns}x{rows} board has no handicap of {count} stones")
    low = 3 if columns < 13 else 4
    high, middle = columns + 1 - low, (columns + 1) // 2
    corners = [(low, low), (high, high), (high, low), (low, high)]
    sides = [(low, middle), (high, middle), (middle, low), (middle, high)]
    points = corners[:count] if count < 4 else corners + sides[: (count - 4) // 2 * 2]
    if count in (5, 7, 9):
        points.append((middle, middle))
    return [f"{COLUMNS[x - 1]}{y}" for x, y in points[:count]]
