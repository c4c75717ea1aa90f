"""Facts: why a move is good or bad, as codes with parameters and evidence. A game's extractor makes them.

>>> fact = Fact("fork", 0, "white", {"targets": ("a8", "e8")}, Evidence(("b5c7",)), 0.6)
>>> fact.code, fact.ply, fact.parameters["targets"]
('fork', 0, ('a8', 'e8'))

`GameInfo.facts` names the extractor of a game: a function of a `Subject`. It computes and never guesses: each
fact must follow from its evidence alone, so that a checker that shares no code with it can replay it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, ClassVar

from kibitz.json_form import JsonForm
from kibitz.sentences import Sentence


def _plain_table(value: Any) -> dict[str, Any]:
    return {str(name): tuple(item) if isinstance(item, list) else item for name, item in value.items()}


@dataclass(frozen=True)
class Evidence(JsonForm):
    """What a fact is checked with, and what is drawn for it.

    >>> Evidence(line=("b5c7",), places=("c7",), arrows=(("c7", "a8"),)).to_dict()
    {'line': ['b5c7'], 'places': ['c7'], 'arrows': [['c7', 'a8']]}
    """

    json_sparse: ClassVar[bool] = True

    #: Moves from the explained position to the one that places and arrows are about.
    line: tuple[str, ...] = ()
    #: Squares, points or nodes.
    places: tuple[str, ...] = ()
    #: From a place to a place.
    arrows: tuple[tuple[str, str], ...] = ()
    #: Counts and values that were computed, by name.
    numbers: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Fact(JsonForm):
    """One fact about a line of play.

    >>> why = kibitz.explain(kibitz.chess.Position("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"), ["a1a8"])
    >>> why.facts[0].side
    'white'
    """

    json_readers: ClassVar[Mapping[str, Callable[[Any], Any]]] = {"parameters": _plain_table}

    code: str
    #: The move of the line that makes it so, counted from 0.
    ply: int
    #: The side or seat it is good for, as `Position.seat_names` has it; a mistake is its opponent's fact.
    side: str
    #: Plain data: text, numbers, tuples of text.
    parameters: Mapping[str, Any] = field(default_factory=dict)
    evidence: Evidence = Evidence()
    #: How much of the expected result (0 to 1) it carries, as far as the extractor can tell.
    weight: float = 0.0
    #: The words for readers; None for facts that only programs read.
    sentence: Sentence | None = None


@dataclass(frozen=True)
class Subject:
    """What an extractor is asked about: a line of play from a position."""

    #: What the side to move may know of the position (`Position.mover_view`).
    position: Any
    #: Legal moves as the game's own texts; the first is the move to explain.
    line: tuple[str, ...]
    #: The position before each move of the line and after the last; only the first in games that hide pieces.
    positions: tuple[Any, ...]
    #: The `Report` of the position and of the one after the first move, where they were searched.
    before: Any = None
    after: Any = None

    @property
    def sides(self) -> tuple[str, ...]:
        """Who makes each move of the line, as far as positions are known."""
        return tuple(at.mover for at in self.positions[: len(self.line)])


#: Finds the facts of a line, in any order.
Extractor = Callable[[Subject], Iterable[Fact]]


def extractor(module: str) -> Extractor:
    """`find` of a module that is imported when it is first asked: most programs ask no game why."""

    def find(subject: Subject) -> Iterable[Fact]:
        found: Iterable[Fact] = import_module(module).find(subject)
        return found

    return find
