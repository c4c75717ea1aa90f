"""What a search says of a position and of its moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from kibitz.json_form import JsonForm

#: Left out of the JSON form where they say nothing.
_OPTIONAL = frozenset({"score_stdev", "lead", "utility", "weight", "ownership", "ownership_stdev", "style"})


@dataclass(frozen=True, kw_only=True)
class Judgement(JsonForm):
    """What is said of a position and of a move alike, from the side to move: `value` is the expected result
    in [0, 1]."""

    json_strict: ClassVar[bool] = False
    json_optional: ClassVar[frozenset[str]] = _OPTIONAL

    value: float
    visits: int
    #: Of the visits, the guaranteed ones (`include`, `plausible`).
    guaranteed: int = 0
    draw: float = 0.0
    #: What the evaluator said when it first saw the position, where that is still known.
    first_value: float | None = None
    #: Expected or exact margin for the side to move, in games that have one and know it.
    score: float | None = None
    #: `win`, `draw` or `loss` once proven, else None.
    proven: str | None = None
    #: Spread of the score, and the margin with best play, where the evaluator gives them.
    score_stdev: float | None = None
    lead: float | None = None
    #: What the search maximizes: -1 loss, 1 win, a little more for points.
    utility: float | None = None
    #: What the visits count for, where that differs from their number.
    weight: float | None = None
    #: Who owns each point, the first side's from -1 to 1, row by row; if asked for.
    ownership: tuple[float, ...] = ()
    ownership_stdev: tuple[float, ...] = ()
    #: Style of the game, from 0 to 1, as a network with a style head predicts it: the mean of the tree, or of
    #: the lines that follow a move.
    style: float | None = None


@dataclass(frozen=True, kw_only=True)
class MoveInfo(Judgement):
    """A root move.

    >>> report = kibitz.analyze(kibitz.othello.Position(), simulations=100)
    >>> report.moves[0].move == report.best
    True
    """

    json_named: ClassVar[frozenset[str]] = frozenset({"parts"})
    json_optional: ClassVar[frozenset[str]] = _OPTIONAL | {
        "line_visits", "utility_lcb", "selection", "improved", "parts", "belief", "human", "mark",
        "upper_bound", "looks_better", "weightless", "error",
    }  # fmt: skip

    move: str
    order: int
    prior: float = 0.0
    #: Lower bounds of value and utility.
    lcb: float = 0.0
    utility_lcb: float | None = None
    #: Of the visits, those that a human model's policy chose and that count for nothing above the move
    #: (`human_root_weightless`).
    weightless: int = 0
    #: The standard error of the value, of compared moves and of those that were to be known with a precision.
    error: float | None = None
    #: As many visits as were asked for; 0 when nobody asked about the move.
    min_visits: int = 0
    #: Of the visits, those that speak for the move: the search's own, and guaranteed ones as far as it would
    #: have made them anyway. The recommendation counts these.
    votes: int = 0
    #: Set aside by root pruning when the report was made.
    pruned: bool = False
    #: Only by alpha-beta: value and score are upper bounds; the move was shown to be no better than others.
    upper_bound: bool = False
    #: Only of plausible moves: their guaranteed visits, which have no say in what is recommended, found the
    #: move better than the recommended one.
    looks_better: bool = False
    #: The best line found, this move first, and the visits along it.
    line: tuple[str, ...] = ()
    line_visits: tuple[int, ...] = ()
    #: What moves are ordered by, where that is more than visits.
    selection: float | None = None
    #: Share of the policy that the search makes of the priors, where the rule is gumbel.
    improved: float | None = None
    #: Named parts of an immediate score, in games whose moves are scored by hand.
    parts: Mapping[str, float] | None = None
    #: What is believed of the move's target, in games with hidden pieces.
    belief: str = ""
    #: How likely a person plays it, by the human model.
    human: float | None = None
    #: `trap` (plausible and bad) or `hard find` (good and implausible), by the human model.
    mark: str = ""


@dataclass(frozen=True, kw_only=True)
class RootInfo(Judgement):
    """The position itself.

    >>> root = kibitz.analyze(kibitz.othello.Position(), simulations=100).root
    >>> 0 < root.value < 1
    True
    """

    json_former: ClassVar[Mapping[str, str]] = {"raw_evaluation": "own"}
    json_named: ClassVar[frozenset[str]] = frozenset({"raw_evaluation"})
    json_optional: ClassVar[frozenset[str]] = _OPTIONAL | {"raw_evaluation"}

    reused: int = 0
    nodes: int = 0
    #: Of the deepest line; `mean_depth` is the mean of this search's lines.
    depth: int = 0
    mean_depth: float = 0.0
    memory_bytes: int = 0
    tree_full: bool = False
    #: What the evaluator says about the position itself, without any search; of a network with a style head
    #: also its own `style`, and `mover_style`, that of the side to move.
    raw_evaluation: Mapping[str, float] | None = None
