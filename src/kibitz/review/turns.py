"""What each move of a game cost, from the reports of its positions."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.book import Book
from kibitz.errors import IllegalMove
from kibitz.games.base import Position
from kibitz.human import mark_of
from kibitz.report import MoveInfo, Report
from kibitz.review.labels import label_of
from kibitz.review.records import Record, Turn


def turns_of(record: Record, reports: Sequence[Report | None], book: Book | None = None) -> list[Turn]:
    """Every move; there is a report of every position, None where the game is over."""
    return [turn_at(record, reports, number, book) for number in range(len(record.moves))]


def seeming_loss(
    record: Record, reports: Sequence[Report | None], number: int, book: Book | None = None
) -> float:
    """The largest loss of a move that the reports before and after it speak of."""
    if _is_fine(record, reports[number], number, book):
        return 0.0
    before, after = (_first_sides(record, reports[at], at)[0] for at in (number, number + 1))
    loss = _sign(record, number) * (before - after)
    return max(loss, _cost_of_choice(record, reports[number], _spelled(record, number)), 0.0)


def turn_at(
    record: Record,
    reports: Sequence[Report | None],
    number: int,
    book: Book | None = None,
    checks: Sequence[Report] = (),
) -> Turn:
    """One move, counted from 0; the reports before and after it are needed. `checks` are those of deeper
    searches before the move and, unless it ended the game, after it; moves of the book cost nothing."""
    side, played = record.sides[number], record.moves[number]
    report = checks[0] if checks else reports[number]
    before, lead_before = _first_sides(record, report, number)
    after, lead_after = _first_sides(
        record, checks[1] if len(checks) > 1 else reports[number + 1], number + 1
    )
    sign, spelled = _sign(record, number), _spelled(record, number)
    points = None
    if lead_before is not None and lead_after is not None:
        points = max(0.0, sign * (lead_before - lead_after))
    # Where the longer search prefers what was played, the other move is the first search's.
    found = [one.moves[0] for one in (report, reports[number]) if one and one.moves]
    best = next((info for info in found if info.move != spelled), None)
    if record.positions[number].hides:
        loss, points = _cost_of_choice(record, report, spelled), None
    else:
        loss = max(0.0, sign * (before - after))
        if checks:  # searches err in different ways: the mean of what three of them say
            looks = (_first_sides(record, reports[at], at)[0] for at in (number, number + 1))
            seen = sign * (next(looks) - next(looks))
            loss = max(0.0, (loss + _cost_of_choice(record, report, spelled) + seen) / 3)
    is_best = _is_fine(record, reports[number], number, book)
    if is_best:
        loss, points, best = 0.0, None if points is None else 0.0, None  # nothing better is known
    line = best.line if best else (played,)
    hard = report is not None and _is_hard(report, spelled)
    view = report.human_view if report else None
    share = None
    if report is not None and report.human is not None and view is not None:
        share = report.human.policy.get(spelled, 0.0)
    return Turn(
        number + 1,
        side,
        played,
        line[0],
        line,
        after,
        lead_after,
        loss,
        points,
        label_of(loss, is_best=is_best, is_hard=hard),
        report.root.depth if report else 0,
        human=share,
        expected_loss=None if share is None or view is None else view.expected_loss,
    )


def _is_fine(record: Record, report: Report | None, number: int, book: Book | None) -> bool:
    """Nothing better is known than the move: the search or the book chose it, or a twin of it."""
    position = record.positions[number]
    if book is not None and book.approves(position, record.moves[number]):
        return True
    best = report.moves[0].move if report and report.moves else None
    spelled = _spelled(record, number)
    return best is not None and (best == spelled or _twins(position, best, spelled))


def _is_hard(report: Report, played: str) -> bool:
    """Whether the human model's players rarely find the move, and nothing as good."""
    info = _info(report, played)
    return (
        report.human is not None
        and info is not None
        and mark_of(info, report.moves, report.human) == "hard find"
    )


def _info(report: Report | None, move: str) -> MoveInfo | None:
    return next((one for one in report.moves if one.move == move), None) if report else None


def _cost_of_choice(record: Record, report: Report | None, played: str) -> float:
    """What a move cost by what its player could know: an attack that met an unlucky piece was no mistake, and
    the next to move knows other things."""
    info = _info(report, played)
    if report is None or info is None or info.upper_bound:
        return 0.0
    return max(0.0, record.chance(report.moves[0].value) - record.chance(info.value))


def _spelled(record: Record, number: int) -> str:
    """The move as reports spell it; a record may have another way."""
    position, played = record.positions[number], record.moves[number]
    try:
        return position.state.move_text(position.parse_move(played))  # type: ignore[no-any-return]
    except (IllegalMove, ValueError):
        return played


def _sign(record: Record, number: int) -> int:
    """1 for a move of the first side. In Junqi a side has two seats, which the sides' names are not."""
    position = record.positions[number]
    if record.sides[number] in position.side_names:
        return 1 if record.sides[number] == record.first_side else -1
    return 1 if position.to_move == 0 else -1


def _first_sides(record: Record, report: Report | None, number: int) -> tuple[float, float | None]:
    """Winrate and lead of the first side; the lead where it is estimated, or proven as a score."""
    position = record.positions[number]
    if report is None:
        return float(position.result if position.result is not None else 0.5), None
    root, first = report.root, position.to_move == 0
    lead = root.score if root.lead is None and root.proven else root.lead
    if lead is not None and not first:
        lead = -lead
    return record.chance(root.value if first else 1 - root.value), record.lead(lead)


def _twins(position: Position, best: str, played: str) -> bool:
    """Do the two moves lead to the same position but for a symmetry of the board?"""
    if not {best, played} <= set(position.legal_moves):
        return False
    one, other = position.play(best), position.play(played)
    return other.notation in {image.notation for image in (one, *one.images())}
