"""The games a review reads and writes: any record, and what SGF and PGN add to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kibitz.errors import BadOption
from kibitz.games import chess, go
from kibitz.games.base import Position
from kibitz.games.chess import pgn
from kibitz.games.go import sgf

__all__ = ["BLUNDER", "MISTAKE", "ChessRecord", "GoRecord", "Named", "Record", "Turn"]

#: A move that loses more than this of the winrate is marked.
MISTAKE, BLUNDER = 0.05, 0.15


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
    #: With a human model: how likely its player plays the move, and loses how much here on average.
    human: float | None = None
    expected_loss: float | None = None

    def to_dict(self) -> dict[str, Any]:
        left_out = ("human", "expected_loss") if self.human is None else ()
        plain = {name: value for name, value in vars(self).items() if name not in left_out}
        return {**plain, "line": list(self.line)}

    @property
    def human_comment(self) -> str:
        """For who reads the game: who plays such a move, and what it costs them on average."""
        if self.human is None or self.expected_loss is None:
            return ""
        return f"{100 * self.human:.0f}% of players choose it; they lose {100 * self.expected_loss:.1f}% here"


@dataclass(frozen=True)
class Named:
    """The moves of a turn as people of the game write them."""

    played: str
    best: str
    line: tuple[str, ...]


class Record:
    """A game as its last position knows it."""

    notes: tuple[str, ...] = ()

    def __init__(self, last: Position) -> None:
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
        return True

    def label(self, turn: Turn) -> str:
        """The number of a move."""
        return str(turn.number)

    def named(self, turn: Turn) -> Named:
        return Named(turn.played, turn.best, turn.line)

    def to_dict(self, turn: Turn) -> dict[str, Any]:
        return turn.to_dict()

    def annotated(self, turns: Sequence[Turn]) -> str:
        """The game with a comment on every move, and the better line as a variation where it mattered."""
        raise BadOption("annotated records are written for go (--sgf) and chess (--pgn)")


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

    def annotated(self, turns: Sequence[Turn]) -> str:
        from kibitz.review.sgf_comments import annotated

        return annotated(self.record, turns)


class ChessRecord(Record):
    """A game of chess, which may go on past draws that nobody claimed."""

    def __init__(self, last: chess.Position, source: str = "", number: int = 1) -> None:
        self._last, self._source, self._number = last, source, number
        super().__init__(last)

    def _replayed(self, last: Position) -> list[Position]:
        position = last.start
        assert isinstance(position, chess.Position)
        self._true = [position]
        for move in last.moves:
            self._true.append(self._true[-1].play_on(move))
        return [*(at.unclaimed() if at.is_over else at for at in self._true[:-1]), self._true[-1]]

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

    def annotated(self, turns: Sequence[Turn]) -> str:
        notes = []
        for turn in turns:
            names = self.named(turn)
            comment = f"White {100 * turn.winrate:.1f}%"
            if turn.loss > 0.005:
                comment += f", cost {100 * turn.loss:.1f}%"
            better = turn.best != turn.played
            if better:
                comment += f", better {names.best}"
            if turn.human_comment:
                comment += f", {turn.human_comment}"
            mark = "??" if turn.loss > BLUNDER else "?" if turn.loss > MISTAKE else ""
            notes.append(pgn.Note(comment, mark, turn.line[:10] if mark and better else ()))
        return pgn.annotated(self._last, notes, self._source or None, self._number)
