"""A request: a position, steering, and a budget; and the keywords that make one.

>>> import kibitz
>>> make_request(kibitz.othello.Position(), simulations=100, include=["d3"]).budget.simulations
100
"""

from __future__ import annotations

import difflib
import inspect
import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, TypeVar

from kibitz.errors import BadRequest
from kibitz.games import registry
from kibitz.games.base import Position
from kibitz.json_form import JsonForm
from kibitz.running.search_tree import MOST_DEPTH
from kibitz.steering import Steering, SteeringArgs, make_steering

if TYPE_CHECKING:
    from chess import Board
    from typing_extensions import Unpack

#: A position of any game, a board of python-chess, or a text: a FEN, an SGF, another notation or record.
PositionLike: TypeAlias = "Position | Board | str"


#: How long to think when nobody says: long enough to be useful, short enough to wait for.
DEFAULT_SECONDS = 1.0
#: The largest limits: what the core counts with.
MOST_VISITS = 2**62
MOST_SECONDS = 1e9
#: Moves of a line, and lines, that a report can be asked for.
MOST_SHOWN = 100_000


@dataclass(frozen=True)
class Budget(JsonForm):
    """When to stop; the first limit reached counts. `unlimited` searches until it is stopped. As plain data:
    only what is limited, `{"simulations": 1000}`.

    >>> kibitz.Budget(simulations=1000).to_dict()
    {'simulations': 1000}
    >>> kibitz.Budget().limits()
    {'seconds': 1.0}
    """

    json_sparse: ClassVar[bool] = True

    simulations: int | None = None
    visits: int | None = None
    seconds: float | None = None
    unlimited: bool = False

    def __post_init__(self) -> None:
        for name in ("simulations", "visits"):
            value = getattr(self, name)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise BadRequest(f"{name} must be a whole number of at least 1, got {value!r}")
            if value > MOST_VISITS:
                raise BadRequest(f"{name} must be at most 2^62")  # it may have too many digits to be shown
        seconds = self.seconds
        if seconds is not None:
            if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
                raise BadRequest(f"seconds must be a number, got {seconds!r}")
            if not 0 < seconds < math.inf:
                raise BadRequest(f"seconds must be above 0, got {seconds!r}")
            if seconds > MOST_SECONDS:
                raise BadRequest(f"seconds must be at most {MOST_SECONDS:g}")

    @property
    def endless(self) -> bool:
        """Whether it searches until it is stopped."""
        return self.unlimited and self.simulations is None and self.visits is None and self.seconds is None

    def shared_by(self, searches: int) -> Budget:
        """What each of several searches may use of it."""
        if searches == 1:
            return self
        return Budget(
            None if self.simulations is None else max(1, self.simulations // searches),
            None if self.visits is None else max(1, self.visits // searches),
            self.limits()["seconds"] / searches if "seconds" in self.limits() else None,
            self.unlimited,
        )

    def limits(self) -> dict[str, Any]:
        """Keywords for the native search."""
        given = {"simulations": self.simulations, "visits": self.visits, "seconds": self.seconds}
        limits = {name: value for name, value in given.items() if value is not None}
        if not limits and not self.unlimited:
            limits["seconds"] = DEFAULT_SECONDS
        return limits


@dataclass(frozen=True)
class Request(JsonForm):
    """What an engine is asked.

    >>> request = kibitz.Request(kibitz.othello.Position(), budget=kibitz.Budget(simulations=50))
    >>> kibitz.Engine("othello", "uct").plan(request).family
    'tree'
    """

    json_sparse: ClassVar[bool] = True
    json_readers: ClassVar[Mapping[str, Callable[[Any], Any]]] = {"position": registry.position_from_dict}

    position: Position
    steering: Steering = field(default_factory=Steering)
    budget: Budget = field(default_factory=Budget)
    #: Search options for this request only, over the engine's own.
    options: Mapping[str, Any] = field(default_factory=dict)
    #: Longest line of play in the report.
    line_length: int = 32
    #: Also report moves that got no visit.
    unvisited: bool = False
    #: Tell who owns what after each move too (with the option `ownership`).
    move_ownership: bool = False
    #: Report only so many of the best moves, and every guaranteed one.
    top: int | None = None
    #: Report the tree down to so many plies; 0 for none.
    tree_depth: int = 0

    def with_analysis_defaults(self) -> Request:
        """The same with what an analysis for people adds to a preset, as far as nothing else is asked."""
        defaults = registry.get(self.position.game).analysis_options
        return replace(self, options={**defaults, **self.options})

    def __post_init__(self) -> None:
        for name in ("line_length", "top"):
            value = getattr(self, name)
            if value is not None and (type(value) is not int or not 1 <= value <= MOST_SHOWN):
                raise BadRequest(f"{name} must be a whole number from 1 to {MOST_SHOWN}, got {value!r}")
        if type(self.tree_depth) is not int or not 0 <= self.tree_depth <= MOST_DEPTH:
            raise BadRequest(f"tree_depth must be from 0 to {MOST_DEPTH}, got {self.tree_depth!r}")
        if self.position.is_over:
            raise BadRequest(f"the game is over ({self.position.notation}); there is nothing to search")
        if not self.position.legal_moves:
            raise BadRequest(
                f"it is the turn of {self.position.mover}, whose moves are not to be seen from here"
            )


class AnalyzeArgs(SteeringArgs, total=False):
    """The keywords of `analyze` and its relatives, those of steering among them."""

    #: When to stop (see `Budget`); a second when nothing is said.
    simulations: int | None
    visits: int | None
    seconds: float | None
    unlimited: bool
    #: Search options for this request only.
    options: Mapping[str, Any] | None
    line_length: int
    unvisited: bool
    move_ownership: bool
    top: int | None
    tree_depth: int


def make_request(position: PositionLike, **wishes: Unpack[AnalyzeArgs]) -> Request:
    """A request from keywords, as `Engine.analyze` takes them."""
    for name in wishes:
        if name not in AnalyzeArgs.__annotations__:
            near = difflib.get_close_matches(name, AnalyzeArgs.__annotations__, 1)
            hint = (
                f"did you mean {near[0]}?" if near else f"there are {', '.join(AnalyzeArgs.__annotations__)}"
            )
            raise BadRequest(f"unknown keyword {name!r}; {hint}")
    budget = Budget(
        wishes.get("simulations"),
        wishes.get("visits"),
        wishes.get("seconds"),
        wishes.get("unlimited", False),
    )
    given: Mapping[str, Any] = wishes
    steering = make_steering(**{name: given[name] for name in SteeringArgs.__annotations__ if name in given})
    return Request(
        _as_position(position),
        steering,
        budget,
        wishes.get("options") or {},
        wishes.get("line_length", 32),
        wishes.get("unvisited", False),
        wishes.get("move_ownership", False),
        wishes.get("top"),
        wishes.get("tree_depth", 0),
    )


def _as_position(given: object) -> Position:
    """The position itself, or that of a board of python-chess or of a text."""
    if isinstance(given, Position):
        return given
    if isinstance(given, str):
        return registry.position_from_text(given)
    python_chess: Any = sys.modules.get("chess")
    if python_chess is not None and isinstance(given, getattr(python_chess, "Board", ())):
        position: Position = registry.get("chess").position.from_board(given)  # type: ignore[attr-defined]
        return position
    raise BadRequest(
        "a position is needed, such as kibitz.chess.Position(), a chess.Board or the text of a FEN or SGF, "
        f"got {type(given).__name__}"
    )


def _default_of(name: str) -> Any:
    """What a keyword of `AnalyzeArgs` is when it is not given."""
    if name in SteeringArgs.__annotations__:
        return inspect.signature(make_steering).parameters[name].default
    # A field made anew for each request, such as `options`, is no attribute of the class.
    return getattr(Budget if name in Budget.__annotations__ else Request, name, None)


Asking = TypeVar("Asking", bound=Callable[..., Any])


def with_analyze_args(function: Asking) -> Asking:
    """Shows the keywords of `AnalyzeArgs` in the function's signature, for `help` and completion."""
    signature = inspect.signature(function)
    own = [item for item in signature.parameters.values() if item.kind is not inspect.Parameter.VAR_KEYWORD]
    keywords = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=_default_of(name),
            # As it is written in `AnalyzeArgs`, like the annotations of the function's own parameters.
            annotation=getattr(kind, "__forward_arg__", kind),
        )
        for name, kind in AnalyzeArgs.__annotations__.items()
    ]
    function.__signature__ = signature.replace(parameters=[*own, *keywords])  # type: ignore[attr-defined]
    return function
