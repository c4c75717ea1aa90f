"""Positions of chess as plain data: Chess960 is named, and a game may go on where a draw could be claimed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kibitz.errors import BadPosition
from kibitz.games.plain_form import PlainForm


class ChessForm(PlainForm):
    fields = (*PlainForm.fields, "chess960")

    def write(self, position: Any) -> dict[str, Any]:
        data = super().write(position)
        if position.chess960:
            data["chess960"] = True
        return data

    def start(self, kind: Any, data: Mapping[str, Any]) -> Any:
        start = super().start(kind, data)
        chess960 = data.get("chess960", start.chess960)
        if not isinstance(chess960, bool):
            raise BadPosition(f"chess960 must be true or false, got {chess960!r}")
        return start if chess960 == start.chess960 else start.as_chess960(chess960)

    def replay(self, start: Any, moves: Sequence[str]) -> Any:
        return start.play_on(*moves)  # players need not claim a draw
