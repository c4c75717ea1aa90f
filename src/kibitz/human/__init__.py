"""The human model: how likely a person plays each move, beside what a search found about it.

A second network says it (KataGo's word is *human model*): Maia in chess, any policy in any game. From both
follows what matters to teachers: traps, hard finds, and what such a player loses in a position on average.

>>> plausible_moves({"e4": 0.6, "d4": 0.3, "a3": 0.02}, Plausible(above=0.05))
{'e4': 0.6, 'd4': 0.3}
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from kibitz.errors import BadSteering
from kibitz.json_form import JsonForm

__all__ = ["HumanPolicy", "HumanView", "Plausible"]

#: A move that loses less than this of a win is good, and one that loses more than a trap's loss is bad.
GOOD_LOSS, TRAP_LOSS = 0.02, 0.05
MOST_PLAUSIBLE = 1000
MOST_MIN_VISITS = 2**50


@dataclass(frozen=True)
class Plausible(JsonForm):
    """Guarantees visits to what a person would play: every move that the human model gives at least `above`,
    the likeliest `most` of them, `min_visits` each. They are made in a tree of their own: the search is the
    same as without them.

    >>> Plausible(above=0.1, most=3).min_visits
    30
    """

    json_sparse: ClassVar[bool] = True

    above: float = 0.05
    most: int = 8
    min_visits: int = 30

    def __post_init__(self) -> None:
        if isinstance(self.above, bool) or not isinstance(self.above, (int, float)):
            raise BadSteering(f"plausible moves are those above a share from 0 to 1, got {self.above!r}")
        if not (math.isfinite(self.above) and 0 <= self.above <= 1):
            raise BadSteering(f"plausible moves are those above a share from 0 to 1, got {self.above:g}")
        for name, value, largest in (
            ("most", self.most, MOST_PLAUSIBLE),
            ("min_visits", self.min_visits, MOST_MIN_VISITS),
        ):
            if type(value) is not int or not 1 <= value <= largest:
                raise BadSteering(
                    f"plausible.{name} must be a whole number from 1 to {largest}, got {value!r}"
                )


def make_plausible(wish: Plausible | float | bool | None) -> Plausible | None:
    """What people write: True for the default, or the least share such as 0.05."""
    if wish is None or wish is False:
        return None
    if isinstance(wish, Plausible):
        return wish
    return Plausible() if wish is True else Plausible(above=wish)


def plausible_moves(policy: Mapping[str, float], wish: Plausible) -> dict[str, float]:
    """The plausible moves with their shares, the likeliest first."""
    ranked = sorted(policy.items(), key=lambda item: -item[1])
    return {move: share for move, share in ranked[: wish.most] if share >= wish.above and share > 0}


@dataclass(frozen=True)
class HumanPolicy(JsonForm):
    """What the human model says of a position: how likely such a player plays each legal move.

    >>> HumanPolicy("maia-1100", 0.05, {"e4": 0.5, "d4": 0.4}).policy["e4"]
    0.5
    """

    json_strict: ClassVar[bool] = False
    json_named: ClassVar[frozenset[str]] = frozenset({"own"})
    json_optional: ClassVar[frozenset[str]] = frozenset({"own"})

    model: str
    #: The least share of a move that is plausible.
    above: float
    policy: Mapping[str, float] = field(default_factory=dict)
    #: What the model says about the position itself (as `RootInfo.raw_evaluation`), if it judges positions.
    own: Mapping[str, float] | None = None


class Judged(Protocol):
    """A move with what a search says of it (`kibitz.MoveInfo`)."""

    @property
    def move(self) -> str: ...
    @property
    def visits(self) -> int: ...
    @property
    def value(self) -> float: ...
    @property
    def proven(self) -> str | None: ...


@dataclass(frozen=True)
class HumanView(JsonForm):
    """What a position means to a player such as the human model's.

    >>> HumanView(expected_loss=0.04, covered=0.9, traps=("g4",), hard_finds=()).traps
    ('g4',)
    """

    json_strict: ClassVar[bool] = False

    #: The sum over plausible moves of chance times loss, in parts of a win.
    expected_loss: float
    #: The chance that the player's move is one of those that were summed.
    covered: float
    #: Plausible and bad, good and implausible; the likeliest trap and the best find first.
    traps: tuple[str, ...]
    hard_finds: tuple[str, ...]


class HumanReport(Protocol):
    """A report, as far as it speaks of people (`kibitz.Report`)."""

    @property
    def human(self) -> HumanPolicy | None: ...
    @property
    def human_view(self) -> HumanView | None: ...


def human_lines(report: HumanReport) -> list[str]:
    """What a report says about people, as sentences."""
    human, view = report.human, report.human_view
    if human is None or view is None:
        return []
    lines = [
        f"{kind}: {move} ({100 * human.policy.get(move, 0.0):.1f}% of players)"
        for kind, moves in (("trap", view.traps), ("hard find", view.hard_finds))
        for move in moves
    ]
    return [
        *lines,
        f"a player like {human.model} loses {100 * view.expected_loss:.1f}% here on average "
        f"(over {100 * view.covered:.0f}% of such players' moves)",
    ]


def mark_of(move: Judged, moves: Iterable[Judged], human: HumanPolicy) -> str:
    """`trap`, `hard find` or nothing. A find is hard where no plausible move is as good."""
    known = [other for other in moves if other.visits or other.proven]
    if not (move.visits or move.proven) or not known:
        return ""
    best = max(other.value for other in known)
    loss = best - move.value
    if human.policy.get(move.move, 0.0) >= human.above:
        return "trap" if loss > TRAP_LOSS else ""
    natural = max(
        (other.value for other in known if human.policy.get(other.move, 0.0) >= human.above), default=0.0
    )
    return "hard find" if loss <= GOOD_LOSS and best - natural > GOOD_LOSS else ""


def human_view(moves: Iterable[Judged], human: HumanPolicy) -> HumanView:
    """What the moves of a report mean to the human model's player."""
    known = [move for move in moves if move.visits or move.proven]
    best = max((move.value for move in known), default=0.0)
    share = {move.move: human.policy.get(move.move, 0.0) for move in known}
    summed = [move for move in known if share[move.move] >= human.above]
    marks = {move.move: mark_of(move, known, human) for move in known}
    traps = sorted((move for move in marks if marks[move] == "trap"), key=lambda move: -share[move])
    finds = [
        move.move for move in sorted(known, key=lambda move: -move.value) if marks[move.move] == "hard find"
    ]
    return HumanView(
        expected_loss=sum(share[move.move] * max(0.0, best - move.value) for move in summed),
        covered=sum(share[move.move] for move in summed),
        traps=tuple(traps),
        hard_finds=tuple(finds),
    )
