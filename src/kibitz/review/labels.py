"""What a reviewed move is called, how accurate a player was, and in which phase of the game it happened.

>>> label_of(0.0, is_best=True), label_of(0.02), label_of(0.07), label_of(0.12), label_of(0.3)
('best', 'good', 'inaccuracy', 'mistake', 'blunder')
>>> round(accuracy_of([0.0])), round(accuracy_of([0.0, 0.3]))
(100, 62)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kibitz.games.base import Position

if TYPE_CHECKING:
    from kibitz.review.records import Record, Turn

#: A move that loses more than this of a win is marked as one.
INACCURACY, MISTAKE, BLUNDER = 0.05, 0.10, 0.20
#: A move within this of the best one is as good.
EQUAL = 0.005
LABELS = ("brilliant", "best", "good", "inaccuracy", "mistake", "blunder")
#: Those that mark a move.
MARKED = frozenset({"inaccuracy", "mistake", "blunder"})
PHASES = ("opening", "middlegame", "endgame")


def label_of(loss: float, *, is_best: bool = False, is_hard: bool = False) -> str:
    """One of `LABELS`. A best move that a human model finds hard is brilliant."""
    for limit, label in ((BLUNDER, "blunder"), (MISTAKE, "mistake"), (INACCURACY, "inaccuracy")):
        if loss > limit:
            return label
    if is_best or loss <= EQUAL:
        return "brilliant" if is_hard else "best"
    return "good"


def accuracy_of(losses: Sequence[float]) -> float:
    """From 0 to 100: the mean over moves of Lichess's accuracy of a move that loses so much of a win."""
    if not losses:
        return 100.0
    each = [103.1668 * math.exp(-4.354 * loss) - 3.1669 for loss in losses]
    return sum(min(100.0, max(0.0, one)) for one in each) / len(each)


@dataclass(frozen=True)
class Summary:
    """What a player did in a game."""

    side: str
    moves: int
    accuracy: float
    #: Mean loss of a move, in parts of a win; and in points, where the game has them.
    loss: float
    points: float | None
    labels: dict[str, int]
    #: Accuracy by phase, where the game has phases and the player moved in it.
    phases: dict[str, float]

    def to_dict(self) -> dict[str, Any]:
        return dict(vars(self))


def summaries(turns: Sequence[Turn]) -> list[Summary]:
    """One for each side, in the order in which they first moved."""
    return [
        _summary(side, [turn for turn in turns if turn.side == side])
        for side in dict.fromkeys(turn.side for turn in turns)
    ]


def _summary(side: str, turns: Sequence[Turn]) -> Summary:
    points = [turn.points for turn in turns if turn.points is not None]
    phases = {
        phase: accuracy_of([turn.loss for turn in turns if turn.phase == phase])
        for phase in PHASES
        if any(turn.phase == phase for turn in turns)
    }
    return Summary(
        side,
        len(turns),
        accuracy_of([turn.loss for turn in turns]),
        sum(turn.loss for turn in turns) / len(turns),
        sum(points) / len(points) if points else None,
        {label: sum(turn.label == label for turn in turns) for label in LABELS},
        phases,
    )


def worst_first(turns: Sequence[Turn], side: str = "") -> list[Turn]:
    """The marked moves of a side, or of all, the worst first."""
    marked = [turn for turn in turns if turn.is_marked and side in ("", turn.side)]
    return sorted(marked, key=lambda turn: (-turn.loss, -(turn.points or 0.0), turn.number))


#: Turning points of a game at most; and a chance from which on a game is nearly decided.
_TURNING_POINTS, _DECIDED = 3, 0.75


def turning_points(record: Record, turns: Sequence[Turn]) -> list[tuple[Turn, float]]:
    """The mistakes after which the other side is ahead, or nearly wins a game that was open, in the order of
    the game, each with the first side's chance before it."""
    found: list[tuple[Turn, float]] = []
    if record.positions[0].hides:
        return found  # each seat knows other things: chances of two turns cannot be compared
    for before, turn in zip([None, *turns], turns, strict=False):
        if turn.loss <= MISTAKE:
            continue
        was = before.winrate if before is not None else 0.5
        ahead = was > 0.5, turn.winrate > 0.5
        decided = max(was, 1 - was) < _DECIDED <= max(turn.winrate, 1 - turn.winrate)
        if abs(was - turn.winrate) > INACCURACY and (ahead[0] != ahead[1] or decided):
            found.append((turn, was))
    worst = sorted(found, key=lambda row: -row[0].loss)[:_TURNING_POINTS]
    return sorted(worst, key=lambda row: row[0].number)


def phases_of(positions: Sequence[Position]) -> list[str]:
    """The phase of each position; it never goes back. "" where the game has no phases."""
    reached, names = 0, []
    for position in positions:
        if position.phase is not None:
            reached = max(reached, position.phase)
        names.append("" if position.phase is None else PHASES[reached])
    return names
