"""What words of GTP mean on a board: seconds, colours, points, handicaps."""

from __future__ import annotations

import math

from kibitz.errors import ProtocolError
from kibitz.games.go import Position
from kibitz.games.go.position import COLUMNS
from kibitz.games.go.scoring import stones_of
from kibitz.protocols.gtp_analysis import SIDES

__all__ = ["handicap", "point", "seconds", "side", "turned"]


def seconds(text: str) -> float:
    value = float(text)
    if not (math.isfinite(value) and value >= 0):
        raise ProtocolError(f"expected seconds of at least 0, got {text!r}")
    return value


def share(text: str) -> float:
    value = float(text)
    if not 0.0 <= value <= 1.0:
        raise ProtocolError(f"expected a number from 0 to 1, got {text!r}")
    return value


def side(colour: str) -> int:
    if colour.lower() not in SIDES:
        raise ProtocolError(f"expected a colour (b or w), got {colour!r}")
    return SIDES[colour.lower()]


def point(position: Position, vertex: str) -> None:
    try:
        position.state.parse_move(vertex)
    except ValueError as error:
        raise ProtocolError(str(error)) from None


def turned(position: Position, side: int) -> Position:
    """The same stones with the other side to move."""
    return Position(
        position.size, rules=position.rules, komi=position.komi, to_move="bw"[side], **stones_of(position)
    )


def handicap(size: tuple[int, int], count: int) -> list[str]:
    """The usual points for a fixed handicap."""
    columns, rows = size
    if columns != rows or columns < 7 or not 2 <= count <= 9 or (columns % 2 == 0 and count > 4):
        raise ProtocolError("invalid handicap")
    low = 3 if columns < 13 else 4
    high, middle = columns + 1 - low, (columns + 1) // 2
    corners = [(low, low), (high, high), (high, low), (low, high)]
    sides = [(low, middle), (high, middle), (middle, low), (middle, high)]
    points = corners[:count] if count < 4 else corners + sides[: (count - 4) // 2 * 2]
    if count in (5, 7, 9):
        points.append((middle, middle))
    return [f"{COLUMNS[x - 1]}{y}" for x, y in points[:count]]
