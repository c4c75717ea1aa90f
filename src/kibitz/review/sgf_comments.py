"""A reviewed game of Go as an annotated SGF record."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.games.go import sgf
from kibitz.review.records import MISTAKE, Turn

__all__ = ["annotated"]


def annotated(record: sgf.Record, turns: Sequence[Turn]) -> str:
    """The record with a comment on every move, and the better line as a variation where it mattered."""
    comments, variations = {}, {}
    for turn in turns:
        lead = "" if turn.lead is None else f", lead {turn.lead:+.1f}"
        comment = f"Black {100 * turn.winrate:.1f}%{lead}"
        if turn.loss > 0.005:
            comment += f"\nCost {100 * turn.loss:.1f}%"
            comment += "" if turn.points is None else f", {turn.points:.1f} points"
        if turn.best != turn.played:
            comment += f"\nBetter: {turn.best}"
        if turn.human_comment:
            comment += f"\n{turn.human_comment}"
        comments[turn.number] = comment
        if turn.loss > MISTAKE and turn.best != turn.played:
            colours = ("B", "W") if turn.side == "black" else ("W", "B")
            line = [(colours[i % 2], vertex) for i, vertex in enumerate(turn.line[:10])]
            variations[turn.number - 1] = [(line, f"Instead of {turn.played}")]
    return sgf.write(record, comments, variations)
