"""Games that end by agreement: play stops, the players mark what is dead, and agree on the score or play on.

A game that ends so gives a `Counting` as `Position.counting`. A position is `is_counting` once play has
stopped; the move `Count.move` ends the game with a count, and `RESUME` goes on. Both are moves of a record,
so that a game that was saved ends as it ended.

>>> import kibitz
>>> board = kibitz.go.Position(5, komi=0.5, black=[f"C{row}" for row in range(1, 6)], white=["A3"])
>>> end = board.play("pass", "pass")
>>> end.is_counting, end.score
(True, 13.5)
>>> end.play(end.counting.count(end, ["A3"]).move).score
24.5
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from kibitz.json_form import JsonForm
from kibitz.sentences import Sentence

#: The move that goes on with a game whose players do not agree.
RESUME = "resume"
#: Visits of the look that a network takes for `propose`: in a longer search one side would move first.
JUDGING_VISITS = 1


@dataclass(frozen=True)
class Count(JsonForm):
    """The score of a position with some stones dead."""

    #: The places of all dead stones.
    dead: tuple[str, ...]
    #: Who owns each place, in the order of `Places.at`: 1 the first side, -1 the second.
    owners: tuple[float, ...]
    #: The first side's lead in points.
    score: float
    #: What each side's points are made of, and who wins.
    lines: tuple[Sentence, ...]
    #: The move that ends the game with this count.
    move: str

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "lines": [line.to_dict() for line in self.lines]}


class Counting(Protocol):
    """How positions of a game are counted. Threads: called from any."""

    def count(self, position: Any, dead: Iterable[str]) -> Count:
        """The score with these stones dead; a stone stands for all that are connected to it. BadRequest where
        a place holds none."""

    def toggled(self, position: Any, dead: Iterable[str], place: str) -> tuple[str, ...]:
        """The dead stones after a click on one: what was dead lives, what lived is dead."""

    def to_judge(self, position: Any) -> Any:
        """The position that a search is asked about, with ownership, for `propose`."""

    def propose(self, position: Any, ownership: Sequence[float]) -> tuple[str, ...]:
        """The stones that are dead by who will own each place; without an `ownership`, by playouts."""


def accepts(count: Count, proposed: Count, side: int) -> bool:
    """Does the engine of a side (0 the first) agree to a count, given its own? Not to one that costs it
    points."""
    gain = count.score - proposed.score
    return gain >= 0 if side == 0 else gain <= 0
