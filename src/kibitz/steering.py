"""Steering: what the user asks of a search, and what became of it.

Every kind can be given together with every other, in every game. A move that is illegal or no move at
all is refused, with a reason, in the audit; it never stops or hangs a search.

>>> make_steering(include=["a1", "d3"], min_visits=10).include
{'a1': 10, 'd3': 10}
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypedDict

from kibitz.comparison import Compare, make_compare
from kibitz.errors import BadSteering
from kibitz.games import registry
from kibitz.human import MOST_MIN_VISITS, Plausible, make_plausible
from kibitz.json_form import JsonForm, decode_fields
from kibitz.questions import Question, make_questions
from kibitz.sentences import Sentence, joined, verbatim

__all__ = ["Audit", "Honoured", "Refused", "Restriction", "Steering", "Style"]

MOST_DEPTH = 10_000


@dataclass(frozen=True)
class Restriction(JsonForm):
    """`moves` that `side` must not (avoid) or may only (allow) choose at depths below `until_depth`;
    1 is the root only. `side` None is the side to move.

    >>> no_corners = kibitz.Restriction(("a1", "h1", "a8", "h8"), until_depth=4)
    >>> kibitz.analyze(kibitz.othello.Position(), avoid=[no_corners], simulations=50).simulations
    50
    """

    json_sparse: ClassVar[bool] = True

    moves: tuple[str, ...]
    side: int | None = None
    until_depth: int = 1

    def __post_init__(self) -> None:
        if self.side not in (None, 0, 1):
            raise BadSteering(f"side must be 0, 1 or None for the side to move, got {self.side!r}")
        if type(self.until_depth) is not int or not 1 <= self.until_depth <= MOST_DEPTH:
            raise BadSteering(f"until_depth must be a whole number from 1 to {MOST_DEPTH}")


#: How strongly a style is felt: names for the strength that its exponent is multiplied with.
STYLE_LEVELS: Mapping[str, float] = {"off": 0.0, "light": 0.3, "medium": 0.6, "strong": 1.0}
MOST_STYLE = 10.0


@dataclass(frozen=True)
class Style(JsonForm):
    """A way of playing, and how strongly: `Style("hypermodern", 0.6)`. Without a name it is the game's first
    style.

    >>> str(Style("hypermodern", 0.6))
    'hypermodern:medium'
    """

    name: str = ""
    strength: float = STYLE_LEVELS["medium"]

    def __post_init__(self) -> None:
        if not 0 <= self.strength <= MOST_STYLE:
            raise BadSteering(f"the strength of a style is from 0 to {MOST_STYLE:g}, got {self.strength!r}")

    def __str__(self) -> str:
        level = next((name for name, value in STYLE_LEVELS.items() if value == self.strength), None)
        return ":".join(filter(None, [self.name, level or f"{self.strength:g}"]))


def make_style(wish: Style | str | float | None) -> Style | None:
    """A style from what people write: `medium`, `0.6`, `hypermodern`, `hypermodern:strong`; or a Style.

    >>> make_style("hypermodern:strong")
    Style(name='hypermodern', strength=1.0)
    """
    if wish is None or isinstance(wish, Style):
        return wish
    name, _, level = str(wish).strip().rpartition(":")
    if not name and not _is_level(level):
        name, level = level, "medium"
    strength = STYLE_LEVELS.get(level.lower())
    if strength is None:
        try:
            strength = float(level)
        except ValueError:
            strength = math.nan
    if not 0 <= strength <= MOST_STYLE or not isinstance(wish, (str, int, float)) or isinstance(wish, bool):
        expected = f"{', '.join(STYLE_LEVELS)} or a number from 0 to {MOST_STYLE:g}"
        raise BadSteering(f"the strength of a style is {expected}, got {wish!r}")
    return Style(name, strength)


def open_style(game: str, wish: Style | str | float | None) -> tuple[Style | None, Mapping[str, Any]]:
    """As make_style, for who may read files: `tal.json:strong` is a style that a file holds, and comes with
    the options that make it."""
    style = make_style(wish)
    if style is None or not style.name.lower().endswith(".json"):
        return style, {}
    files = registry.get(game).style_files
    if files is None:
        raise BadSteering(f"{game} has no styles that files hold")
    name, options = files.read(style.name)
    return Style(name, style.strength), options


def _is_level(text: str) -> bool:
    if text.lower() in STYLE_LEVELS:
        return True
    try:
        float(text)
    except ValueError:
        return False
    return True


@dataclass(frozen=True)
class Kind:
    """What plan, audit and engine must know of a kind of steering."""

    #: Alpha-beta does not have it.
    needs_tree: bool = False
    #: Its moves get visits, and the audit says how many they got.
    guarantees: bool = False
    #: It forbids moves or changes their share: a tree that was searched without it is not that of a search
    #: with it.
    restricts: bool = False


#: Every kind of steering, by the name of its field in `Steering`.
KINDS = {
    "allow": Kind(restricts=True),
    "avoid": Kind(restricts=True),
    "include": Kind(guarantees=True),
    "weights": Kind(needs_tree=True, restricts=True),
    "prune": Kind(needs_tree=True),
    "style": Kind(),
    "plausible": Kind(needs_tree=True, guarantees=True),
    "compare": Kind(needs_tree=True, restricts=True),
    "within": Kind(needs_tree=True),
    "ask": Kind(guarantees=True),
}


@dataclass(frozen=True)
class Steering(JsonForm):
    """What is asked of a search. `include` maps a move to its minimum visits, `weights` to its factor.

    >>> bool(kibitz.Steering(include={"d3": 20})), bool(kibitz.Steering())
    (True, False)
    """

    json_sparse: ClassVar[bool] = True
    json_readers: ClassVar[Mapping[str, Callable[[Any], Any]]] = {"ask": make_questions}

    allow: tuple[str | Restriction, ...] = ()
    avoid: tuple[str | Restriction, ...] = ()
    include: Mapping[str, int] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)
    #: Root pruning while searching: `none`, `progressive` or `statistical`; None leaves the engine's own.
    prune: str | None = None
    #: A way of playing that the game knows; None leaves the engine's own.
    style: Style | None = None
    #: Guarantees visits to what a person would play, by the engine's human model.
    plausible: Plausible | None = None
    #: Moves between which it is to be decided; the others get no visits of the search's own.
    compare: Compare | None = None
    #: Included moves are searched until their values are known so well (95%), in place of a number of visits.
    within: float | None = None
    #: Questions, each with a reply in the report.
    ask: tuple[Question, ...] = ()

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Steering:
        return make_steering(min_visits=1, **decode_fields(cls, data))

    @property
    def kinds(self) -> list[Kind]:
        """The kinds that are asked for."""
        return [
            kind
            for name, kind in KINDS.items()
            if (asked := getattr(self, name)) and not (name == "style" and asked.strength == 0)
        ]

    def __bool__(self) -> bool:
        return bool(self.kinds)


class SteeringArgs(TypedDict, total=False):
    """Steering as keywords: what `make_steering` takes, and with it `analyze` and its relatives."""

    #: Only these moves, none of these; a `Restriction` reaches below the root.
    allow: Iterable[str | Restriction] | None
    avoid: Iterable[str | Restriction] | None
    #: Moves that get at least `min_visits` visits, or each its own number.
    include: Iterable[str] | Mapping[str, int] | None
    min_visits: int
    #: A factor for each move's share of the search.
    weights: Mapping[str, float] | None
    #: Root pruning: `none`, `progressive` or `statistical`.
    prune: str | None
    #: A way of playing: `medium`, `hypermodern:strong`, 0.6.
    style: Style | str | float | None
    #: Visits for what a person would play, by the engine's human model: True, or the least share of a move.
    plausible: Plausible | float | bool | None
    #: Moves that are searched until it is decided which is best.
    compare: Compare | Iterable[str] | None
    #: How well the values of included moves are to be known, at 95%, in place of `min_visits`: 0.02.
    within: float | None
    #: Questions: `why not e4`, `line d4 d5 c4`, `threat`, `refute h4`, `what changed`.
    ask: str | Question | Iterable[str | Question] | None


def make_steering(
    allow: Iterable[str | Restriction] | None = None,
    avoid: Iterable[str | Restriction] | None = None,
    include: Iterable[str] | Mapping[str, int] | None = None,
    min_visits: int = 1,
    weights: Mapping[str, float] | None = None,
    prune: str | None = None,
    style: Style | str | float | None = None,
    plausible: Plausible | float | bool | None = None,
    compare: Compare | Iterable[str] | None = None,
    within: float | None = None,
    ask: str | Question | Iterable[str | Question] | None = None,
) -> Steering:
    """Steering from keywords: `make_steering(include=["d3", "c4"], min_visits=20)`.

    `include` may also be a mapping with a minimum for each move.
    """
    _check_minimum("min_visits", min_visits)
    if isinstance(include, Mapping):
        guaranteed = dict(include)
    else:
        guaranteed = dict.fromkeys(_moves("include", include), min_visits)
    for move, minimum in guaranteed.items():
        _check_minimum(f"include[{move}]", minimum)
    factors = dict(weights or {})
    for move, factor in factors.items():
        if isinstance(factor, bool) or not isinstance(factor, (int, float)):
            raise BadSteering(f"weights[{move}] must be a number, got {factor!r}")
        if not (math.isfinite(factor) and 0 <= factor <= 1000):
            raise BadSteering(f"weights[{move}] must be from 0 to 1000, got {factor:g}")
    allowed, avoided = _moves("allow", allow), _moves("avoid", avoid)
    return Steering(
        allowed,
        avoided,
        guaranteed,
        factors,
        prune,
        make_style(style),
        make_plausible(plausible),
        make_compare(compare),
        _checked_within(within, guaranteed),
        make_questions(ask),
    )


def _moves(name: str, given: Iterable[Any] | None) -> tuple[Any, ...]:
    if given is None:
        return ()
    if isinstance(given, str):
        raise BadSteering(f"{name} takes a list of moves, got the text {given!r}")
    moves = tuple(given)
    for move in moves:
        if not isinstance(move, (str, Restriction)):
            raise BadSteering(f"{name} takes moves as text, got {move!r}")
    return moves


def _checked_within(within: float | None, included: Mapping[str, int]) -> float | None:
    if within is None:
        return None
    if isinstance(within, bool) or not isinstance(within, (int, float)) or not 0 < within < 1:
        raise BadSteering(f"within must be above 0 and below 1, got {within!r}")
    if not included:
        raise BadSteering("within says how well included moves are to be known; include names none")
    return float(within)


def _check_minimum(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_MIN_VISITS:
        raise BadSteering(f"{name} must be a whole number from 1 to 2^50, got {value!r}")


@dataclass(frozen=True)
class Honoured(JsonForm):
    """A request that is carried out.

    >>> report = kibitz.analyze(kibitz.othello.Position(), avoid=["d3"], simulations=50)
    >>> report.steering.honoured[0].kind
    'avoid'
    """

    json_strict: ClassVar[bool] = False

    kind: str
    move: str
    said: tuple[Sentence, ...] = ()

    @property
    def detail(self) -> str:
        """What was done, in English."""
        return joined(self.said)

    def to_dict(self) -> dict[str, Any]:
        """`detail` is for readers of version 1."""
        return {**super().to_dict(), "detail": self.detail}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Honoured:
        if "said" not in data and isinstance(data.get("detail"), str):  # version 1
            data = {**data, "said": [verbatim(data["detail"]).to_dict()] if data["detail"] else []}
        return cls(**decode_fields(cls, data))


@dataclass(frozen=True)
class Refused(JsonForm):
    """A request that was rejected, with the reason.

    >>> report = kibitz.analyze(kibitz.othello.Position(), include=["a1"], simulations=50)
    >>> report.steering.refused[0].illegal
    True
    """

    json_strict: ClassVar[bool] = False

    kind: str
    move: str
    why: Sentence
    #: Rejected because the move is illegal, or no move at all.
    illegal: bool = False

    @property
    def reason(self) -> str:
        """The reason in English."""
        return str(self.why)

    def to_dict(self) -> dict[str, Any]:
        """`reason` is for readers of version 1."""
        return {**super().to_dict(), "reason": self.reason}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Refused:
        if "why" not in data and isinstance(data.get("reason"), str):  # version 1
            data = {**data, "why": verbatim(data["reason"]).to_dict()}
        return cls(**decode_fields(cls, data))


@dataclass(frozen=True)
class Audit(JsonForm):
    """What became of every request: what the position and the search said to it.

    >>> report = kibitz.analyze(kibitz.othello.Position(), include=["d3", "a1"], simulations=50)
    >>> [done.move for done in report.steering.honoured], [no.move for no in report.steering.refused]
    (['d3'], ['a1'])
    """

    json_strict: ClassVar[bool] = False

    honoured: tuple[Honoured, ...] = ()
    refused: tuple[Refused, ...] = ()
