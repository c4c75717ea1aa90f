"""What a position is in every game: immutable, comparable, printable, drawable.

>>> import kibitz
>>> kibitz.othello.Position().play("d3").to_move
1
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeVar

from kibitz.draw import Mark, Places
from kibitz.errors import BadPosition, IllegalMove
from kibitz.facts import Extractor
from kibitz.games.counting import Counting
from kibitz.games.history import NO_MOVES, MoveHistory
from kibitz.games.level import Level, ladder
from kibitz.games.plain_form import PlainForm, restored
from kibitz.games.sample import Sample
from kibitz.options import OwnOptions, table
from kibitz.sentences import Sentence


class NativeSearch(Protocol):
    """The native tree search of one game (native/bind/search_binding.h)."""

    def start(self, plan: Any, simulations: int = ..., visits: int = ..., seconds: float = ...) -> None: ...
    def wait(self, seconds: float) -> bool: ...
    def stop(self) -> None: ...
    def report(self, line_length: int = ..., move_ownership: bool = ...) -> Any: ...
    def clear_cache(self) -> None: ...
    def advance(self, move: int) -> None: ...
    def reset(self, position: Any) -> None: ...
    def configure(self, options: Any) -> None: ...
    def dump(self, depth: int = ..., min_visits: int = ...) -> str: ...
    def tree(self, depth: int = ..., min_visits: int = ...) -> list[Any]: ...


P = TypeVar("P", bound="Position")


class Position(ABC):
    """A position with the moves that led to it. `play` gives the next one; this one never changes."""

    game: ClassVar[str]

    #: The first side's name and the second's.
    side_names: ClassVar[tuple[str, str]]
    #: The native class behind it.
    native: ClassVar[Any]
    #: How a move is written, for who does not know.
    move_format: ClassVar[str] = ""
    #: Do players see less than the whole position?
    hides: ClassVar[bool] = False
    #: How it is plain data.
    plain_form: ClassVar[PlainForm] = PlainForm()
    #: How a game is counted that ends by agreement; None where the rules alone end it.
    counting: ClassVar[Counting | None] = None

    #: The native position, for the engine; and what was played before it.
    __slots__ = ("_history", "state")
    state: Any
    _history: MoveHistory

    def __init__(self, notation: str | None = None) -> None:
        if notation is not None and not isinstance(notation, str):
            raise BadPosition(f"a position of {self.game} is text, got {type(notation).__name__}")
        try:
            state = self.native() if notation is None else self.native.from_text(notation)
        except ValueError as error:
            said = {"game": self.game, "why": str(error)}
            raise BadPosition(Sentence("error.badPosition", said)) from None
        self.state, self._history = state, NO_MOVES

    @classmethod
    def _of(cls: type[P], state: Any, history: MoveHistory = NO_MOVES) -> P:
        """The position around a native one."""
        position = object.__new__(cls)
        position.state, position._history = state, history
        return position

    # -- the game ---------------------------------------------------------------------------------

    @property
    def to_move(self) -> int:
        """0 when the first side is to move, 1 when the second is."""
        return int(self.state.to_move)

    @property
    def mover(self) -> str:
        """The name of the side to move."""
        return self.side_names[self.to_move]

    @property
    def seat_names(self) -> tuple[str, ...]:
        """Who can be asked for a move, `mover` among them: the sides, or seats where a side has several."""
        return self.side_names

    def mover_view(self) -> Position:
        """What the side to move may know of the position, which is all that is analyzed and reported: the
        position itself, unless the game hides something."""
        return self

    def own_turns(self, since: int = 0) -> Sequence[tuple[Position, str]]:
        """Of a game that hides something: what the seat knew at its earlier turns, and the moves it made; of
        turns with at least `since` moves before them."""
        return ()

    def passed(self: P) -> P:
        """The same position with the other side to move, as if the side to move had passed; IllegalMove says
        why that cannot be."""
        raise IllegalMove(Sentence("error.noPass", {"game": self.game}))

    def public_event(self) -> str:
        """What everybody saw of the last move, in words."""
        return self._history.last or ""

    @property
    def legal_moves(self) -> tuple[str, ...]:
        return tuple(self.state.move_text(move) for move in self.state.legal_moves())

    def line_text(self, line: Sequence[str]) -> list[str]:
        """Moves from here, one after the other, as people of the game write them."""
        return list(line)

    def parse_move(self, text: str) -> int:
        """The native move behind a legal move's text; IllegalMove says why there is none."""
        if not isinstance(text, str):
            raise IllegalMove(f"a move of {self.game} is text, got {type(text).__name__}")
        try:
            move = int(self.state.parse_move(text))
        except ValueError as error:
            raise IllegalMove(str(error)) from None
        if not self.state.is_legal(move):
            if self.is_over:
                raise IllegalMove(Sentence("error.gameOver", {"move": text}))
            if self.hides:  # what the mover could do instead would tell what it has
                raise IllegalMove(Sentence("error.illegalHidden", {"move": text, "seat": self.mover}))
            legal = self.legal_moves
            shown: str | Sentence = ", ".join(legal[:12])
            if len(legal) > 12:
                shown = Sentence("error.legalMore", {"legal": shown, "count": len(legal) - 12})
            said = {"move": text, "seat": self.mover, "legal": shown}
            raise IllegalMove(Sentence("error.illegalMove", said))
        return move

    def play(self: P, *moves: str) -> P:
        """The position after the moves: `position.play("d3", "c5")`."""
        position = self
        for text in moves:
            move = position.parse_move(text)
            state, history = position.state, position._history
            position = position._of(state.play(move), history.plus(state.move_text(move), position))
        return position

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves played since `start`."""
        return self._history.moves

    @property
    def start(self: P) -> P:
        """The position that `moves` starts from."""
        start: P | None = self._history.start
        return self if start is None else start

    @property
    def is_over(self) -> bool:
        return bool(self.state.is_over)

    @property
    def result(self) -> float | None:
        """The first side's result (1, 0.5, 0) once the game is over."""
        return float(self.state.result()) if self.is_over else None

    @property
    def is_counting(self) -> bool:
        """Has play stopped, so that the players are to agree on the score (`kibitz.games.counting`)?"""
        return False

    # -- data ---------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """The game as plain data: where it started and its moves. In games with hidden pieces this is what
        the side to move may know, never the whole board."""
        return self.plain_form.write(self)

    def open_dict(self) -> dict[str, Any]:
        """The whole game as plain data, with what is hidden: for who may know everything."""
        return self.to_dict()

    @classmethod
    def from_dict(cls: type[P], data: Mapping[str, Any]) -> P:
        """The position that `to_dict` described; BadPosition says what is wrong with it."""
        position: P = cls.plain_form.read(cls, data)
        return position

    def __reduce__(self) -> tuple[Any, ...]:
        return restored, (type(self), self.start.notation, self.moves)

    def planes(self) -> Any:
        """What networks of the game are shown, from the mover's side: an array [planes, rows, columns]. Games
        without networks raise BadPosition.

        >>> import kibitz
        >>> kibitz.chess.Position().planes().shape
        (112, 8, 8)
        """
        if not hasattr(self.state, "encode"):
            raise BadPosition(f"{self.game} has no networks, so its positions have no planes")
        return self.state.encode()[0]

    # -- text -------------------------------------------------------------------------------------

    @property
    def notation(self) -> str:
        """The position as text; `Position(p.notation)` is the same position."""
        return str(self.state.to_text())

    @property
    def hash(self) -> int:
        """64 bits, equal for equal positions."""
        return int(self.state.hash)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and bool(self.state == other.state)

    def __hash__(self) -> int:
        return hash((self.game, self.hash))

    def __repr__(self) -> str:
        return f"kibitz.{self.game}.Position({self.notation!r})"

    @abstractmethod
    def __str__(self) -> str:
        """The board for a terminal."""

    def shown_to(self, player: str, names: Any) -> str:
        """The board for a terminal as a player may see it."""
        return str(self)

    def images(self) -> Sequence[Position]:
        """Positions that the symmetries of the game turn this one into: they have the same result."""
        return ()

    @property
    def phase(self) -> int | None:
        """0 opening, 1 middlegame, 2 endgame; None in games without phases."""
        return None

    @property
    def remaining(self) -> int:
        """How many empty squares (or the like) are left, in games with a solver: `solve_root` limits it."""
        return 0

    @abstractmethod
    def places(self, below: str = "") -> Places:
        """Where the picture has the squares, points or nodes that moves name."""

    def figures(self) -> str:
        """The board for a terminal that shows Unicode figures."""
        return str(self)

    @abstractmethod
    def svg(self, marks: Mapping[str, Mark] | None = None, below: str = "") -> str:
        """The board as a picture, with marks on moves. `below` is the side or seat that sits there, in games
        whose players look at the board from different sides; the first by default."""

    def _repr_svg_(self) -> str:
        return self.svg()


def moves_between(earlier: Position, later: Position) -> tuple[str, ...] | None:
    """The moves that lead from an earlier position of the same game to this one, None if none do."""
    moves = later._history.since(earlier._history)
    return moves if moves is not None and later.start == earlier.start else None


@dataclass(frozen=True)
class ExactMove:
    """A root move whose worth is known: half points (0 loss, 1 draw, 2 win) and, in games that have
    one, the score, both for the side to move."""

    move: str
    half_points: int
    score: int | None = None
    line: tuple[str, ...] = ()


@dataclass(frozen=True)
class Exact:
    """A solved position: its moves best first."""

    moves: tuple[ExactMove, ...]
    nodes: int
    seconds: float


@dataclass(frozen=True)
class StyleEffect:
    """What a style does at a position, or why it does nothing there."""

    #: Factors of the priors of root moves, by native move.
    prior_factors: Mapping[int, float] = field(default_factory=dict)
    #: How much the style likes root moves, by native move, from -1 to 1; and the win probability that the
    #: choice of a move may cost for it.
    bonuses: Mapping[int, float] = field(default_factory=dict)
    budget: float = 0.0
    #: Where the network predicts style: the predicted style above the root's mean that is a bonus of 1 (below
    #: 0: the style is disliked; 0: no prediction is asked for), and how strongly priors feel that bonus.
    scale: float = 0.0
    strength: float = 0.0
    #: The style is inactive while the move it likes most is so much win probability behind; 0: always.
    price: float = 0.0
    #: Options for a search that knows styles itself.
    options: Mapping[str, Any] = field(default_factory=dict)
    #: What the report says it changed.
    said: tuple[Sentence, ...] = ()
    #: Why it changes nothing.
    inactive_reason: Sentence | None = None

    @property
    def acts(self) -> bool:
        """Whether it changes the search at this position."""
        return bool(self.prior_factors or self.bonuses or self.scale or self.options)


#: `hook(position, strength, options)`
StyleHook = Callable[[Any, float, Mapping[str, Any]], StyleEffect]


#: Solves a position within so many seconds, or gives up: `solve(position, seconds, should_stop, every_move)`.
Solve = Callable[[Any, float, Callable[[], bool], bool], "Exact | None"]


#: What a game may lack, as contract tests and tools ask for it.
UNSUPPORTED: Mapping[str, str] = {
    "reuse": "a search goes on from the tree of the one before",
    "exact simulations": "a budget of simulations is used up to the last one",
    "transpositions": "three plies can often be played in another order",
}


#: Moves whose scores are exact in an analysis by alpha-beta.
_EXACT_MOVES = 5


@dataclass(frozen=True)
class Searches:
    """How a game is searched."""

    #: `tree(state, options, network)` makes the native tree search, or the game's own search.
    tree: Callable[..., NativeSearch]
    #: `alpha_beta(state, options, own_options, network)` makes the native alpha-beta search.
    alpha_beta: Callable[..., NativeSearch] | None = None
    #: `selfplay(state, rules, network, at_once, threads)`: games that the core plays against itself.
    selfplay: Callable[..., Any] | None = None
    #: Loads what alpha-beta needs, or the tree search in games without it, so that the first request does not
    #: wait for it.
    prepare: Callable[[], object] | None = None
    #: What a report calls `tree` (`Report.search`).
    family: str = "tree"
    #: The code of what the report says of an included move: `audit.got` adds the visits it got to what was
    #: asked, another takes its place; the values are `visits` and `depth`.
    guarantee: str = "audit.got"


@dataclass(frozen=True)
class GameOptions:
    """Search options that are not those of every game."""

    #: Options of this game alone; they become parts of a plan.
    own: OwnOptions | None = None
    #: Adds to a plan what they ask for.
    shape_plan: Callable[[Any, Mapping[str, Any]], None] | None = None
    #: Checks the options of a search that is not the tree search, and their rows by name.
    check: Callable[[Mapping[str, Any]], Any] | None = None
    table: Callable[[], Mapping[str, Any]] = table


@dataclass(frozen=True)
class StyleFiles:
    """Files that hold a style."""

    #: The style that they are, which is nothing without one.
    style: str
    #: The style's name and the options that make it.
    read: Callable[[str], tuple[str, Mapping[str, Any]]]


@dataclass(frozen=True)
class Deals:
    """Games whose set-ups are dealt."""

    #: `openings(pairs, seed, players)`: fair start positions for a match.
    openings: Callable[[int, int, int], Sequence[str]]
    #: `deal(seed, players, seat, layout, save)`: a game for people to play; `save` is the record it will be
    #: written to, if any.
    deal: Callable[[int, int, str, str | None, Path | None], Any]


@dataclass(frozen=True)
class Records:
    """Files and texts of games."""

    #: Reads a file, or the text itself: each game as its last position, which knows its moves.
    load: Callable[[str], Sequence[Any]]
    #: `save(position, path)` writes a game.
    save: Callable[[Any, Path], None] | None = None
    #: How files of this game alone end: those of whole games, which a review reads, and others.
    suffixes: tuple[str, ...] = ()
    other_suffixes: tuple[str, ...] = ()


@dataclass(frozen=True)
class PublicNetwork:
    """A good network that anybody can have: what `kibitz nets get` fetches, or where people find one."""

    #: The Python package whose wheel carries it, with its version; empty where none does.
    package: str = ""
    megabytes: int = 0
    #: Where to look otherwise.
    advice: str = ""


@dataclass(frozen=True)
class GameInfo:
    """A game as the registry knows it."""

    name: str
    title: str
    position: type[Position]
    searches: Searches
    records: Records
    #: Named sets of search options; `default` is the strongest.
    presets: Mapping[str, Mapping[str, Any]]
    #: Presets that need a network; the first takes the default's place when there is one.
    network_presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    #: The one of them for networks that are fast enough to be asked at every position.
    core_preset: str = ""
    options: GameOptions = GameOptions()
    #: Exact solver for positions within reach, if the game has one.
    solve: Solve | None = None
    #: Features, policy, symmetries and targets, in games that can have a network.
    sample: Sample | None = None
    #: Ways of playing: for each name, what it does at a position with a strength and the options in force.
    styles: Mapping[str, StyleHook] = field(default_factory=dict)
    #: Openings on which the cost of the first style is measured for a network; empty where nothing depends
    #: on it.
    style_lines: tuple[tuple[str, ...], ...] = ()
    #: The option that is the strength of the first style where nobody asks for a style.
    style_strength: str = ""
    style_files: StyleFiles | None = None
    deals: Deals | None = None
    #: What one side may know of a position, in games with hidden pieces: all that leaves as plain data.
    view: type[Position] | None = None
    #: Counts lines of play: `perft(position, depth)`.
    perft: Callable[[Any, int], int] | None = None
    #: Finds why a line is good or bad (kibitz/facts.py).
    facts: Extractor | None = None
    #: Moves from the start to a position worth showing, for `kibitz demo`.
    demo: Sequence[str] = ()
    public_network: PublicNetwork | None = None
    #: Settings of the start position where agents learn (kibitz.envs), with their defaults.
    agent_settings: Mapping[str, Any] = field(default_factory=dict)
    #: Strengths for people, weakest first.
    levels: Sequence[Level] = field(default_factory=ladder)
    #: What other games have and this one does not, each of `UNSUPPORTED` with the reason.
    unsupported: Mapping[str, str] = field(default_factory=dict)

    @property
    def analysis_options(self) -> dict[str, Any]:
        """What an analysis for people adds to a preset: the exact result of every move where a solver has
        it, and by alpha-beta exact scores of the first moves instead of upper bounds."""
        options: dict[str, Any] = {}
        if self.solve:
            options["solve_all"] = True
        if self.searches.alpha_beta:
            options["multi_pv"] = _EXACT_MOVES
        return options

    def __post_init__(self) -> None:
        unknown = set(self.unsupported) - set(UNSUPPORTED)
        if unknown:
            raise ValueError(f"{self.name} lacks {', '.join(unknown)}, which is none of UNSUPPORTED")
