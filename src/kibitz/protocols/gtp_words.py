"""What words of GTP mean on a board: seconds, colours, points, handicaps."""

from __future__ import annotations

import math

from kibitz.errors import BadPosition, ProtocolError
from kibitz.games.go import Position
from kibitz.games.go.setup import handicap_points, stones_of
from kibitz.protocols.gtp_analysis import SIDES


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
    try:
        return handicap_points(size, count)
    except BadPosition:
        raise ProtocolError("invalid handicap") from None
