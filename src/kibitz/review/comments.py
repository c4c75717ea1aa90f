"""What a review writes about a move: sentences, which the reader's language words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.sentences import Sentence

if TYPE_CHECKING:
    from kibitz.review.records import Record, Turn

#: Less is not worth a word.
_LEAST_LOSS = 0.005


#: Sides that have a word in every language; others are written as they are.
_SIDES = {"black": "go.black", "white": "chess.white"}


def turning_point(turn: Turn, was: float, record: Record) -> Sentence:
    """A move that turned the game: the first side's chance before and after it, and the first reason."""
    label, played = record.label(turn), record.named(turn).played
    first = record.first_side
    values = {
        "move": f"{label}{played}" if label.endswith(".") else f"{label} {turn.side} {played}",
        "side": Sentence(_SIDES[first]) if first in _SIDES else first,
        "before": was,
        "after": turn.winrate,
    }
    if not turn.reasons.played:
        return Sentence("review.turned", values)
    return Sentence("review.turnedBy", {**values, "reason": turn.reasons.said[0]})


def sentences_of(turn: Turn, first_side: str, better: str, unit: str = "points") -> list[Sentence]:
    """The value after the move, what it cost, what was better (`better` as people write it), and what players
    of the human model do. `unit` is what the lead counts: points or pawns."""
    said = [Sentence(f"review.value.{first_side}", {"value": turn.winrate})]
    if turn.lead is not None:
        said.append(Sentence("review.lead", {"lead": f"{turn.lead:+.1f}"}))
    if turn.is_marked or turn.label == "brilliant":
        said.append(Sentence(f"review.label.{turn.label}"))
    if turn.loss > _LEAST_LOSS:
        said.append(Sentence("review.cost", {"loss": turn.loss}))
        if turn.points is not None:
            said.append(Sentence(f"review.{unit}", {"points": f"{turn.points:.1f}"}))
    if turn.best != turn.played:
        said.append(Sentence("review.better", {"move": better}))
    if turn.human is not None and turn.expected_loss is not None:
        said.append(Sentence("review.human", {"share": turn.human, "loss": turn.expected_loss}))
    return said
