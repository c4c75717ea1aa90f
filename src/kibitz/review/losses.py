"""What was lost in a game beside what players of the human model's kind lose in its positions."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.draw import Svg
from kibitz.review.records import Turn

#: Of the picture.
HEIGHT = 200
_COLOURS = ("#0969da", "#24292f")
_GREY = "#57606a"


def by_side(turns: Sequence[Turn]) -> list[tuple[str, float, float]]:
    """Each side, what it lost in all, and what was to be expected, in parts of a win."""
    sides = list(dict.fromkeys(turn.side for turn in turns))
    return [
        (
            side,
            sum(turn.loss for turn in turns if turn.side == side),
            sum(turn.expected_loss or 0.0 for turn in turns if turn.side == side),
        )
        for side in sides
    ]


def draw(picture: Svg, turns: Sequence[Turn], top: float, width: float, edge: float) -> None:
    """Adds the sums over the game: a solid line for what a side lost, a dashed one for what was to be
    expected."""
    sides = [side for side, _, _ in by_side(turns)]
    most = max(0.1, *(max(lost, expected) for _, lost, expected in by_side(turns)))
    wide, high = width - 2 * edge, HEIGHT - 2 * edge

    def at(number: float, share: float) -> tuple[float, float]:
        return edge + wide * number / max(1, len(turns)), top + edge + high * (1 - share / most)

    for share in (0.0, most / 2, most):
        picture.line(*at(0, share), *at(len(turns), share), stroke="#d0d7de", stroke_width=1)
        picture.text(edge / 2, at(0, share)[1], f"{100 * share:.0f}%", 11, fill=_GREY)
    for side, colour in zip(sides, _COLOURS, strict=False):
        lost = expected = 0.0
        lost_line, expected_line = [at(0, 0)], [at(0, 0)]
        for turn in turns:
            if turn.side == side:
                lost += turn.loss
                expected += turn.expected_loss or 0.0
            lost_line.append(at(turn.number, lost))
            expected_line.append(at(turn.number, expected))
        picture.polyline(lost_line, stroke=colour, stroke_width=2)
        picture.polyline(expected_line, stroke=colour, stroke_width=1.5, stroke_dasharray="5 4")
    names = ", ".join(f"{side} {name}" for side, name in zip(sides, ("blue", "dark"), strict=False))
    title = f"Lost so far (solid) and expected of such players (dashed): {names}"
    picture.text(width / 2, top + edge / 2, title, 13, fill="#24292f")
