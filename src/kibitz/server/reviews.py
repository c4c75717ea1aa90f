"""The review of a whole game: every position searched, what each move cost, told move by move."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Mapping
from typing import Any

from kibitz.errors import BadRequest
from kibitz.games import chess
from kibitz.pool import Pool
from kibitz.report import Report
from kibitz.request import Budget, Request
from kibitz.review.records import ChessRecord, Record
from kibitz.review.turns import turn_at
from kibitz.server.positions import read_position
from kibitz.server.settings import Limits
from kibitz.steering import Steering

__all__ = ["review"]

#: Simulations for each position; enough to tell a mistake from a matter of taste.
_SIMULATIONS = 4000
_MOST_SECONDS = 10.0


def _record_of(data: Any) -> Record:
    if not isinstance(data, Mapping):
        raise BadRequest("record must be a table with game, start and moves")
    last = read_position(data)
    if not last.moves:
        raise BadRequest("there are no moves to review")
    return ChessRecord(last) if isinstance(last, chess.Position) else Record(last)


async def review(
    pool: Pool, limits: Limits, message: Mapping[str, Any], client: object
) -> AsyncIterator[dict[str, Any]]:
    """One `turn` after another: the number of positions, and what the move cost."""
    seconds = message.get("seconds", 0.5)
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not math.isfinite(seconds):
        raise BadRequest("seconds must be a number")
    budget = Budget(_SIMULATIONS, None, min(max(float(seconds), 0.01), _MOST_SECONDS))
    record = _record_of(message.get("record"))
    total = len(record.moves)
    if total > limits.moves:
        raise BadRequest(f"a game of more than {limits.moves} moves is not reviewed")
    reports: list[Report | None] = []
    for number, position in enumerate(record.positions):
        report = None
        if not position.is_over:
            played = record.moves[number] if number < total else ""
            asked = Steering(include={played: 20}) if played in position.legal_moves else Steering()
            request = Request(position.seen(), asked, budget, top=10, line_length=8)
            report = [one async for one in pool.arun(request, client=client)][-1]
        reports.append(report)
        if number:
            turn = turn_at(record, reports, number - 1)
            names = record.named(turn)
            yield {
                "number": turn.number,
                "of": total,
                "side": turn.side,
                "played": names.played,
                "best": turn.best,
                "bestName": names.best,
                "line": list(names.line),
                "winrate": turn.winrate,
                "lead": turn.lead,
                "loss": turn.loss,
            }
