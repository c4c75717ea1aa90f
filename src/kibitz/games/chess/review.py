"""A game of chess for a review: marks and variations in PGN, moves in SAN, chances of people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kibitz.games import base
from kibitz.games.chess import Position, pgn
from kibitz.games.chess.chances import peoples_chance
from kibitz.review.comments import sentences_of
from kibitz.review.records import LINE, Named, Record, Turn
from kibitz.sentences import joined

#: The marks of PGN by label.
_MARKS = {"blunder": "??", "mistake": "?", "inaccuracy": "?!", "brilliant": "!!"}

#: A lead of so many pawns is a mate.
_MATE = 100.0


class ChessRecord(Record):
    """A game of chess, which may go on past draws that nobody claimed."""

    unit = "pawns"
    written = ".pgn"

    def __init__(self, last: base.Position, source: str = "", number: int = 1) -> None:
        assert isinstance(last, Position)
        self._last, self._source, self._number = last, source, number
        super().__init__(last)

    @classmethod
    def read(cls, game: str, source: str) -> list[Record]:
        return [cls._of(one, source) for one in pgn.read_pgn(source)]

    @classmethod
    def _of(cls, game: pgn.PgnGame, source: str) -> ChessRecord:
        record = cls(game.position(), source, game.number)
        record.players = {"white": game.tags.get("White", ""), "black": game.tags.get("Black", "")}
        record.result = game.result
        return record

    def lead(self, lead: float | None) -> float | None:
        return None if lead is None or abs(lead) >= _MATE else lead

    def _replayed(self, last: base.Position) -> list[base.Position]:
        position = last.start
        assert isinstance(position, Position)
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
            line = turn.line[:LINE] if turn.is_marked and turn.best != turn.played else ()
            notes.append(pgn.Note(comment, _MARKS.get(turn.label, ""), line))
        return pgn.annotated(self._last, notes, self._source or None, self._number)


RECORD = ChessRecord
