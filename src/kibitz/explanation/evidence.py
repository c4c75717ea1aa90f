"""A fact's evidence as a picture: the board that it is about, places ringed and arrows drawn.

>>> import kibitz
>>> position = kibitz.chess.Position("r3k3/8/8/1N6/8/8/4P3/4K3 w - - 0 1")
>>> why = kibitz.explain(position, line=["Nc7+", "Kd7", "Nxa8"])
>>> fork = next(fact for fact in why.facts if fact.code == "fork")
>>> evidence_picture(why.position, fork).count("#b5179e")     # a ring around three squares, two arrows
9
"""

from __future__ import annotations

import math

from kibitz.draw import Svg
from kibitz.errors import KibitzError
from kibitz.facts import Fact
from kibitz.games.base import Position

_COLOUR = "#b5179e"


def evidence_picture(position: Position, fact: Fact) -> str:
    """The board that a fact's evidence is about, with its places and arrows; "" where it cannot be shown."""
    try:
        # Facts of a seat are about what it sees before the move.
        board = position.mover_view() if position.hides else position.play(*fact.evidence.line)
    except KibitzError:  # of a line that goes on where the rules end the game
        return ""
    places = board.places()
    drawn = Svg(places.width, places.height)
    for name in fact.evidence.places:
        if name in places.at:
            x, y = places.at[name]
            drawn.circle(x, y, 0.45 * places.cell, fill="none", stroke=_COLOUR, stroke_width=3)
    for start, end in fact.evidence.arrows:
        if start in places.at and end in places.at:
            _arrow(drawn, places.at[start], places.at[end], places.cell)
    marks = drawn.render()
    inner = marks[marks.index(">") + 1 : marks.rindex("</svg>")]
    return board.svg().replace("</svg>", f"{inner}</svg>")


def _arrow(drawn: Svg, start: tuple[float, float], end: tuple[float, float], cell: float) -> None:
    angle = math.atan2(end[1] - start[1], end[0] - start[0])
    drawn.line(*start, *end, stroke=_COLOUR, stroke_width=4, opacity=0.85)
    for turn in (2.6, -2.6):
        wing = (end[0] + 0.3 * cell * math.cos(angle + turn), end[1] + 0.3 * cell * math.sin(angle + turn))
        drawn.line(*end, *wing, stroke=_COLOUR, stroke_width=4, opacity=0.85)
