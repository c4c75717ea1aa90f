"""The games a review reads and writes. A game whose records say more than its last position knows has a class
of its own: `RECORD` of its `review.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from kibitz.errors import BadOption
from kibitz.games import registry
from kibitz.games.base import Position
from kibitz.json_form import encode
from kibitz.review.labels import MARKED
from kibitz.review.reasons import NO_REASONS, Reasons

#: Moves of a better line that are written.
LINE = 10


@dataclass(frozen=True)
class Turn:
    """A move that was played, and what was thought before and after it; winrate and lead are the first
    side's, after the move."""

    number: int
    side: str
    played: str
    #: The move found best, and its line; the played one where nothing better was known.
    best: str
    line: tuple[str, ...]
    winrate: float
    lead: float | None
    #: What the move cost its player.
    loss: float
    points: float | None
    #: One of `labels.LABELS`.
    label: str = ""
    #: Of the search of the position before the move.
    depth: int = 0
    #: One of `labels.PHASES`, where the game has them.
    phase: str = ""
    #: Why it is good or bad, where facts say so.
    reasons: Reasons = NO_REASONS
    #: With a human model: how likely its player plays the move, and loses how much here on average.
    human: float | None = None
    expected_loss: float | None = None

    def to_dict(self) -> dict[str, Any]:
        left_out = {"reasons", *(("human", "expected_loss") if self.human is None else ())}
        plain = {name: value for name, value in vars(self).items() if name not in left_out}
        why = {"said": encode(self.reasons.said), "facts": encode(self.reasons.facts)}
        return {**plain, "line": list(self.line), "why": why}

    @property
    def is_marked(self) -> bool:
        """Is it an inaccuracy or worse?"""
        return self.label in MARKED


@dataclass(frozen=True)
class Named:
    """The moves of a turn as people of the game write them."""

    played: str
    best: str
    line: tuple[str, ...]


def _as_play_stopped(last: Position) -> Position:
    """A game without the agreement on its score, which is no move that could be reviewed."""
    if last.counting is None or not last.moves:
        return last
    before: Position = last.plain_form.replay(last.start, last.moves[:-1])
    return before if before.is_counting and last.is_over else last


class Record:
    """A game as its last position knows it."""

    #: What the lead counts.
    unit: ClassVar[str] = "points"
    #: Files that `annotated` writes; empty where it cannot.
    written: ClassVar[str] = ""
    #: Whether `read` is needed for all of it: a file says more than its last position.
    needs_file: ClassVar[bool] = False

    notes: tuple[str, ...] = ()
    #: Names by side, and the result as the file writes it.
    players: Mapping[str, str] = {}
    result: str = ""

    def __init__(self, last: Position, source: str = "", number: int = 1) -> None:
        """The game that ended with `last`: game `number` of the file `source`."""
        last = _as_play_stopped(last)
        self.moves = list(last.moves)
        self.first_side = last.side_names[0]
        self.positions = self._replayed(last)
        self.sides = [position.mover for position in self.positions[:-1]]

    @classmethod
    def read(cls, game: str, source: str) -> list[Record]:
        """All games of a file."""
        return [cls(last, source, n) for n, last in enumerate(registry.get(game).records.load(source), 1)]

    def _replayed(self, last: Position) -> list[Position]:
        positions = [last.start]
        for move in last.moves:
            positions.append(positions[-1].play(move))
        return positions

    def can_include(self, position: Position, played: str) -> bool:
        """Whether a search of the position can be asked about the move that was played."""
        return not position.is_counting

    def chance(self, value: float) -> float:
        """The winning chance of people where a search has so much: what a review speaks of."""
        return value

    def lead(self, lead: float | None) -> float | None:
        """The lead that is shown where a search has this one."""
        return lead

    def label(self, turn: Turn) -> str:
        """The number of a move."""
        return str(turn.number)

    def named(self, turn: Turn) -> Named:
        return Named(turn.played, turn.best, turn.line)

    def to_dict(self, turn: Turn) -> dict[str, Any]:
        return turn.to_dict()

    def annotated(self, turns: Sequence[Turn], language: str = "en") -> str:
        """The game with a comment on every move, and the better line as a variation where it mattered."""
        raise BadOption("there are no annotated records of this game")


def record_kind(game: str) -> type[Record]:
    """The class of a game's records."""
    module = registry.part_of(game, "review")
    kind: type[Record] = Record if module is None else module.RECORD
    return kind


def record_of(last: Position) -> Record:
    """The record of a game that ended with `last`."""
    kind = record_kind(last.game)
    return Record(last) if kind.needs_file else kind(last)
