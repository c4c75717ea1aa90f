"""What each move of a game cost, from the reports of its positions."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.book import Book
from kibitz.errors import IllegalMove
from kibitz.games import registry
from kibitz.games.base import Position
from kibitz.report import Report
from kibitz.review.records import Record, Turn

__all__ = ["turn_at", "turns_of"]


def turns_of(record: Record, reports: Sequence[Report | None], book: Book | None = None) -> list[Turn]:
    """Every move; there is a report of every position, None where the game is over. Moves of the book cost
    nothing."""
    return [turn_at(record, reports, number, book) for number in range(len(record.moves))]


def turn_at(record: Record, reports: Sequence[Report | None], number: int, book: Book | None = None) -> Turn:
    """One move, counted from 0; the reports before and after it are needed."""
    side, played = record.sides[number], record.moves[number]
    before, lead_before = _first_sides(reports[number], record.positions[number])
    after, lead_after = _first_sides(reports[number + 1], record.positions[number + 1])
    sign = 1 if _is_first(record, number) else -1
    report = reports[number]
    best = report.moves[0] if report and report.moves else None
    points = None
    if lead_before is not None and lead_after is not None:
        points = max(0.0, sign * (lead_before - lead_after))
    loss = max(0.0, sign * (before - after))
    if record.positions[number].hides:
        loss, points = _cost_of_choice(report, played), None
    in_book = book is not None and book.approves(record.positions[number], played)
    if in_book or (best and (best.move == played or _twins(record.positions[number], best.move, played))):
        loss, points = 0.0, None if points is None else 0.0  # nothing better was known
        best = None
    line = best.line if best else (played,)
    view = report.human_view if report else None
    if report is None or report.human is None or view is None:
        return Turn(number + 1, side, played, line[0], line, after, lead_after, loss, points)
    share = report.human.policy.get(_native_spelling(record.positions[number], played), 0.0)
    return Turn(
        number + 1, side, played, line[0], line, after, lead_after, loss, points, share, view.expected_loss
    )


def _cost_of_choice(report: Report | None, played: str) -> float:
    """What a move cost by what its player could know: an attack that met an unlucky piece was no mistake, and
    the next to move knows other things."""
    told = {one.move: one.value for one in report.moves} if report else {}
    if played not in told:
        return 0.0
    return max(0.0, report.moves[0].value - told[played])  # type: ignore[union-attr]


def _native_spelling(position: Position, played: str) -> str:
    """A record may spell a move in another way than reports do."""
    try:
        return position.state.move_text(position.parse_move(played))  # type: ignore[no-any-return]
    except (IllegalMove, ValueError):
        return played


def _is_first(record: Record, number: int) -> bool:
    """Was it the first side's move? In Junqi a side has two seats, which the sides' names are not."""
    position = record.positions[number]
    if record.sides[number] in position.side_names:
        return record.sides[number] == record.first_side
    return position.to_move == 0


def _first_sides(report: Report | None, position: Position) -> tuple[float, float | None]:
    """Winrate and lead of the first side; the lead where it is estimated, or proven as a score."""
    if report is None:
        return float(position.result if position.result is not None else 0.5), None
    root, first = report.root, position.to_move == 0
    lead = root.score if root.lead is None and root.proven else root.lead
    if lead is not None and not first:
        lead = -lead
    return (root.value if first else 1 - root.value), lead


def _twins(position: Position, best: str, played: str) -> bool:
    """Do the two moves lead to the same position but for a symmetry of the board?"""
    images = registry.get(position.game).images
    if images is None or played not in position.legal_moves:
        return False
    one, other = position.play(best), position.play(played)
    return other.notation in {image.notation for image in (one, *images(one))}
