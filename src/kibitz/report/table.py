"""The table of moves of a report: its columns, each with what it shows and when it is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kibitz.report import MoveInfo

#: Moves of a line that are shown.
_LINE = 8


def counted(search: str) -> tuple[str, str]:
    """What a search family counts as simulations, and as visits of a move."""
    return {
        "alphabeta": ("nodes", "nodes"),
        "solver": ("nodes", "nodes"),
        "worlds": ("nodes", "worlds"),
    }.get(search, ("simulations", "visits"))


@dataclass(frozen=True)
class _Column:
    heading: str
    cell: Callable[[MoveInfo], str]
    #: Whether a move gives the column a reason to be shown; None always shows it.
    says: Callable[[MoveInfo], object] | None = None


def _bound(info: MoveInfo) -> str:
    """Before a value that is no more than an upper bound."""
    return "<=" if info.upper_bound else ""


def _score(info: MoveInfo) -> str:
    return "" if info.score is None else f"{_bound(info)}{info.score:+.4g}"


def _style(info: MoveInfo) -> str:
    return "" if info.style is None else f"{info.style:.3f}"


def _part(name: str, info: MoveInfo) -> str:
    return f"{info.parts[name]:.1f}" if info.parts else ""


def _columns(search: str, parts: Sequence[str]) -> Iterator[_Column]:
    yield _Column("move", lambda info: info.move)
    yield _Column(counted(search)[1], lambda info: f"{info.visits:,}")
    yield _Column("weightless", lambda info: f"{info.weightless:,}", lambda info: info.weightless)
    given = lambda info: f"{info.guaranteed:,}" if info.guaranteed else ""  # noqa: E731
    yield _Column("guaranteed", given, lambda info: info.guaranteed)
    yield _Column("value", lambda info: f"{_bound(info)}{100 * info.value:.1f}%")
    yield _Column("score", _score, lambda info: info.score is not None)
    yield _Column("proven", lambda info: info.proven or "", lambda info: info.proven)
    yield _Column(
        "pruned",
        lambda info: "yes" if info.pruned else "",
        lambda info: info.pruned and not info.upper_bound,
    )
    for name in parts:
        heading = "now" if name == "score" else name  # the searched score has its own column
        yield _Column(heading, partial(_part, name))
    yield _Column("target", lambda info: info.belief, lambda info: info.belief)
    yield _Column("style", _style, lambda info: info.style is not None)
    yield _Column(
        "human", lambda info: f"{100 * (info.human or 0.0):.1f}%", lambda info: info.human is not None
    )
    yield _Column("mark", lambda info: info.mark, lambda info: info.mark)
    yield _Column("line", lambda info: " ".join(info.line[:_LINE]))


def table(moves: Sequence[MoveInfo], search: str) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Headings and cells, only with the columns that say something."""
    parts = next((tuple(info.parts) for info in moves if info.parts), ())
    columns = _columns(search, parts)
    shown = [item for item in columns if item.says is None or any(item.says(info) for info in moves)]
    return tuple(column.heading for column in shown), [
        tuple(column.cell(info) for column in shown) for info in moves
    ]
