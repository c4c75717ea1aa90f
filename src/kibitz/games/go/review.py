"""A game of Go for a review: SGF is read tolerantly and written with comments and variations."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.games import base
from kibitz.games.go import Position, sgf
from kibitz.review.comments import sentences_of
from kibitz.review.records import LINE, Record, Turn
from kibitz.sentences import Sentence


class GoRecord(Record):
    """A game of Go, read tolerantly; its colours need not alternate."""

    written = ".sgf"
    needs_file = True

    def __init__(self, record: sgf.Record) -> None:
        self.record = record
        self.players = {"black": record.facts.get("PB", ""), "white": record.facts.get("PW", "")}
        self.result = record.facts.get("RE", "")
        self.notes = record.notes
        self.moves = [vertex for _, vertex in record.moves]
        self.first_side = "black"
        self.sides = ["black" if colour == "B" else "white" for colour, _ in record.moves]
        self.positions = [at.resumed() if at.is_over else at for at in record.positions()]

    @classmethod
    def read(cls, game: str, source: str) -> list[Record]:
        return [cls(record) for record in sgf.read(source)]

    def can_include(self, position: base.Position, played: str) -> bool:
        return isinstance(position, Position) and position.accepts(played)

    def annotated(self, turns: Sequence[Turn], language: str = "en") -> str:
        comments, variations = {}, {}
        for turn in turns:
            said = [*sentences_of(turn, self.first_side, turn.best), *turn.reasons.said]
            comments[turn.number] = "\n".join(sentence.worded(language) for sentence in said)
            if turn.is_marked and turn.best != turn.played:
                colours = ("B", "W") if turn.side == "black" else ("W", "B")
                line = [(colours[i % 2], vertex) for i, vertex in enumerate(turn.line[:LINE])]
                instead = Sentence("review.instead", {"move": turn.played}).worded(language)
                variations[turn.number - 1] = [(line, instead)]
        return sgf.write(self.record, comments, variations)


RECORD = GoRecord
