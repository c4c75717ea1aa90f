"""Values of Go's sentences: colours, stones, regions."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.games.go.facts.board import BLACK
from kibitz.sentences import Sentence

#: Moves of a line that a sentence has.
_SHOWN = 6
#: Names of the nine regions, by rows from the top and columns from the left.
REGIONS = (
    ("upperLeft", "top", "upperRight"),
    ("left", "centre", "right"),
    ("lowerLeft", "bottom", "lowerRight"),
)
_REGIONS = {
    "upperLeft": "go.regionUpperLeft",
    "top": "go.regionTop",
    "upperRight": "go.regionUpperRight",
    "left": "go.regionLeft",
    "centre": "go.regionCentre",
    "right": "go.regionRight",
    "lowerLeft": "go.regionLowerLeft",
    "bottom": "go.regionBottom",
    "lowerRight": "go.regionLowerRight",
}


def colour(stone: str) -> Sentence:
    return Sentence("go.black" if stone == BLACK else "go.white")


def stones(stone: str, count: int, places: Sequence[str]) -> Sentence:
    """`White's stone at C3`, `Black's 4 stones at D4`: a place of them stands for all."""
    place = places[len(places) // 2]
    code = "go.oneStone" if count == 1 else "go.stones"
    values = {"colour": colour(stone), "place": place}
    return Sentence(code, values if count == 1 else {**values, "count": count})


def region(name: str) -> Sentence:
    return Sentence(_REGIONS[name])


def shown(moves: Sequence[str]) -> list[str]:
    """The beginning of a line."""
    return [*moves[:_SHOWN], "..."] if len(moves) > _SHOWN else list(moves)
