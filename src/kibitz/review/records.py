"""The games a review reads and writes: any record, and what SGF and PGN add to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kibitz.errors import BadOption
from kibitz.games import chess, go
from kibitz.games.base import Position
from kibitz.games.chess import pgn
from kibitz.games.chess.chances import peoples_chance
from kibitz.games.go import sgf
from kibitz.json_form import encode
from kibitz.review.comments import sentences_of
from kibitz.review.labels import MARKED
from kibitz.review.reasons import NO_REASONS, Reasons
from kibitz.sentences import Sentence, joined

#: The marks of PGN by label.
_MARKS = {"blunder": "??", "mistake": "?", "inaccuracy": "?!", "brilliant": "!!"}
#: Moves of a better line that are written.
_LINE = 10


#: A lead of so many pawns is a mate.
_MATE = 100.0


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

    notes: tuple[str, ...] = ()
    #: What the lead counts.
    unit: str = "points"

    def __init__(self, last: Position) -> None:
        last = _as_play_stopped(last)
        self.moves = list(last.moves)
        self.first_side = last.side_names[0]
        self.positions = self._replayed(last)
        self.sides = [position.mover for position in self.positions[:-1]]

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
        raise BadOption("annotated records are written for go (.sgf) and chess (.pgn)")


class GoRecord(Record):
    """A game of Go, read tolerantly; its colours need not alternate."""

    def __init__(self, record: sgf.Record) -> None:
        self.record = record
        self.notes = record.notes
        self.moves = [vertex for _, vertex in record.moves]
        self.first_side = "black"
        self.sides = ["black" if colour == "B" else "white" for colour, _ in record.moves]
        self.positions = [at.resumed() if at.is_over else at for at in record.positions()]

    def can_include(self, position: Position, played: str) -> bool:
        return isinstance(position, go.Position) and position.accepts(played)

    def annotated(self, turns: Sequence[Turn], language: str = "en") -> str:
        comments, variations = {}, {}
        for turn in turns:
            said = [*sentences_of(turn, self.first_side, turn.best), *turn.reasons.said]
            comments[turn.number] = "\n".join(sentence.worded(language) for sentence in said)
            if turn.is_marked and turn.best != turn.played:
                colours = ("B", "W") if turn.side == "black" else ("W", "B")
                line = [(colours[i % 2], vertex) for i, vertex in enumerate(turn.line[:_LINE])]
                instead = Sentence("review.instead", {"move": turn.played}).worded(language)
                variations[turn.number - 1] = [(line, instead)]
        return sgf.write(self.record, comments, variations)


class ChessRecord(Record):
    """A game of chess, which may go on past draws that nobody claimed."""

    unit = "pawns"

    def __init__(self, last: chess.Position, source: str = "", number: int = 1) -> None:
        self._last, self._source, self._number = last, source, number
        super().__init__(last)

    def lead(self, lead: float | None) -> float | None:
        return None if lead is None or abs(lead) >= _MATE else lead

    def _replayed(self, last: Position) -> list[Position]:
        position = last.start
        assert isinstance(position, chess.Position)
        self._true = [position]
        for move in last.moves:
            self._true.append(self._true[-1].play_on(move))
        return [*(at.unclaimed() if at.is_over else at for at in self._true[:-1]), self._true[-1]]

    def chance(self, value: float) -> float:
        return peoples_chance(value)

    def label(self, turn: Turn) -> str:
        number = self._true[turn.number - 1].fen.split()[5]
        return f"{number}." if turn.side == "white" else f"{number}..."

    def named(self, turn: Turn) -> Named:
        at = self._true[turn.number - 1]
        return Named(at.san(turn.played), at.san(turn.best), tuple(at.line_san(turn.line)))

    def to_dict(self, turn: Turn) -> dict[str, Any]:
        names = self.named(turn)
        san = {"played": names.played, "best": names.best, "line": list(names.line)}
        return {**turn.to_dict(), "san": san}

    def annotated(self, turns: Sequence[Turn], language: str = "en") -> str:
        notes = []
        for turn in turns:
            figures = joined(sentences_of(turn, self.first_side, self.named(turn).best, self.unit), language)
            comment = "; ".join([figures, *(reason.worded(language) for reason in turn.reasons.said)])
            line = turn.line[:_LINE] if turn.is_marked and turn.best != turn.played else ()
            notes.append(pgn.Note(comment, _MARKS.get(turn.label, ""), line))
        return pgn.annotated(self._last, notes, self._source or None, self._number)


def record_of(last: Position) -> Record:
    """The record of a game that ended with `last`."""
    return ChessRecord(last) if isinstance(last, chess.Position) else Record(last)
