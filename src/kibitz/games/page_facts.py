"""What the web page and its server know of a game beside its rules.

A game gives one `PAGE` in its `page.py`. `Descriptor` is plain data and is sent to the page, which decides
by it and by nothing else how to show the game; the server calls the hooks of `GamePage`. Every part has a
default, so a game without a `page.py` is played by clicking the places that its moves name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from kibitz.errors import BadRequest
from kibitz.games.base import Position
from kibitz.games.record_kinds import GameTree, RecordKind
from kibitz.json_form import JsonForm
from kibitz.sentences import Sentence


@dataclass(frozen=True)
class Choice(JsonForm):
    """A value that can be chosen. `text` is a key of the page's texts, or the text itself."""

    value: str
    text: str


@dataclass(frozen=True)
class Field(JsonForm):
    """Something that is asked before a game: one of `choices`, else a number, else yes or no."""

    name: str
    text: str
    initial: str = ""
    kind: Literal["choice", "number", "check"] = "choice"
    choices: tuple[Choice, ...] = ()
    minimum: float = 0.0
    maximum: float = 0.0
    step: float = 1.0


@dataclass(frozen=True)
class Layer(JsonForm):
    """Something that can be shown over the board. `kind` is how it is drawn: who owns the places, or what is
    believed of hidden pieces, which takes a seat that looks."""

    kind: Literal["ownership", "beliefs"]
    #: Search options that the analysis has while it is shown.
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class SetUp(JsonForm):
    """How pieces are set up in secret before a game: cells in rows, some of them marked."""

    columns: int
    rows: int
    marked: tuple[int, ...] = ()


@dataclass(frozen=True)
class Lesson(JsonForm):
    """A step of a game's rules: a text, a position to try it in, and the moves that do it (any without)."""

    text: str
    start: str
    moves: tuple[str, ...] = ()


@dataclass(frozen=True)
class Look:
    """How somebody wants to see a board: who sits below, the language of names on pieces, and the set of
    pieces (one of `Descriptor.piece_sets`)."""

    below: str = ""
    names: Literal["english", "chinese", "traditional", "korean"] = "chinese"
    pieces: str = ""


@dataclass(frozen=True)
class Placed:
    """A piece on a place, as an editor has it; `number` as in the picture."""

    place: str
    kind: str
    side: str
    number: str = ""


@dataclass(frozen=True)
class Descriptor(JsonForm):
    """All that the page knows of a game."""

    #: Place among the games; the lowest comes first.
    rank: int = 100
    #: Plies with one move number.
    numbering: int = 1
    #: Can the board be turned for each seat?
    turns: bool = False
    #: Does the first side play the light pieces?
    light_first: bool = False
    #: Are values also shown in points?
    points: bool = True
    #: How values can be shown; `look.figures.NAME` is the text. And the score of a mate on the board, from
    #: which a mate's score is a hundredth away for every ply; 0 in games without mates.
    figures: tuple[str, ...] = ()
    mate_score: float = 0.0
    #: What is asked before a game, and before a room with a clock.
    new: tuple[Field, ...] = ()
    clock: tuple[Field, ...] = ()
    #: In games that hide something: the seats by a choice of the field `seats_by`; the first is the player's.
    seats_by: str = ""
    seats: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    layers: tuple[Layer, ...] = ()
    set_up: SetUp | None = None
    #: What is asked where several moves have the same places.
    choose: str = "choose"
    #: What pieces are called, by their kind in the picture: keys of the page's texts.
    pieces: Mapping[str, str] = field(default_factory=dict)
    #: How pieces can be drawn, the usual way first; `pieceSet.NAME` is the text.
    piece_sets: tuple[str, ...] = ()
    #: How places are called, where their own names say little: the groups of a regular expression fill the
    #: text `place_text` as {a}, {b}, {c}; a group is worded by `PLACE_TEXT.GROUP` where there is such a text.
    place_form: str = ""
    place_text: str = ""
    #: Are the places that can be played marked?
    mark_legal: bool = False
    #: Does the board open on the seat that plays where the whole of it would be too small for a finger?
    zoom: bool = False
    #: The rules for a newcomer, step by step.
    lessons: tuple[Lesson, ...] = ()
    #: Kinds that a player can note on hidden pieces.
    suspects: tuple[str, ...] = ()
    #: Styles have a strength; otherwise they are on or off.
    style_strength: bool = False
    #: A score of the game's style can be asked for (`GamePage.style_score`).
    style_score: bool = False
    #: What each level of a style does and costs, by style: rows of `level`, `strength`, `measure`, `shift` in
    #: standard deviations, `elo` (None where it was not measured) and the `engine` it was measured with.
    style_facts: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)


@dataclass(frozen=True)
class GameChoices:
    """What was chosen for a new game. `seed` deals what is dealt."""

    seed: int
    chosen: Mapping[str, Any] = field(default_factory=dict)

    def text(self, name: str, default: str, allowed: Sequence[str] = ()) -> str:
        """A choice that is a word; BadRequest where it is none of the allowed ones."""
        value = self.chosen.get(name, default)
        if not isinstance(value, str) or (allowed and value not in allowed):
            raise BadRequest(f"{name} must be {' or '.join(allowed) or 'text'}, got {str(value)[:40]!r}")
        return value

    def number(self, name: str, low: float, high: float) -> float | None:
        """A choice that is a number, None where it was left out; BadRequest where it is out of bounds."""
        value = self.chosen.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
            raise BadRequest(f"{name} must be from {low:g} to {high:g}, got {str(value)[:40]!r}")
        return value


@dataclass(frozen=True)
class TableMove:
    """A move and what it leads to, for who plays it: 1, 0 or -1, and in how many plies (0: not known)."""

    move: str
    result: int
    distance: int


@dataclass(frozen=True)
class TableRows:
    """What exact tables say of a position, best move first, and whose tables they are."""

    source: str
    moves: tuple[TableMove, ...]


class TableSource(Protocol):
    """Exact tables of a game. Threads: used from one at a time."""

    def look_up(self, position: Any) -> TableRows | None: ...
    def close(self) -> None: ...


@dataclass(frozen=True)
class SecretGame:
    """Rooms of a game whose seats set up in secret."""

    #: Players and options of the rules that were chosen.
    rules: Callable[[GameChoices], tuple[int, str]]
    #: `table(players, options=, clock=, now=)`: a `BaseTable`, nobody at it.
    table: Callable[..., Any]


def _no_notes(position: Any) -> tuple[Sentence, ...]:
    return ()


@dataclass(frozen=True)
class GamePage:
    """A game for the server: what is sent to the page, and hooks. Threads: hooks are called from any."""

    descriptor: Descriptor = field(default_factory=Descriptor)
    #: A regular expression (of Python and of JavaScript) whose groups are the places that a move names: one,
    #: or where from and where to.
    move_places: str = "^(.+)$"
    secret: SecretGame | None = None
    #: The module of further requests (`router`), which is loaded by a server.
    requests: str = ""
    #: The first position of a new game; by default the game's own.
    new: Callable[[GameChoices], Position] | None = None
    #: `shown(position, seat)`: what a seat may know of a position, in games that hide something.
    shown: Callable[[Any, str], Position] = lambda position, seat: position
    #: `svg(position, look)` draws it.
    svg: Callable[[Any, Look], str] = lambda position, look: str(position.svg(below=look.below))
    #: Places that need a look, with the reason: `check` or `mate`.
    warned: Callable[[Any], Mapping[str, str]] = lambda position: {}
    #: `palette(look)`: what an editor can put on the board: kinds, sides and pictures around (0, 0).
    palette: Callable[[Look], Sequence[tuple[str, str, str]]] = lambda look: ()
    #: `edit(position, pieces, mover)`: a position with exactly these pieces; BadPosition says why it is none.
    edit: Callable[[Any, Sequence[Placed], str], Position] | None = None
    #: The name of the opening.
    opening: Callable[[Any], str] = lambda position: ""
    #: What everybody saw of the last moves, oldest first, in games whose moves alone do not say it.
    log: Callable[[Any], Sequence[Sequence[Sentence]]] = lambda position: ()
    #: Pieces that are off the board by the side that had them, `?` for kinds that the viewer does not know.
    captured: Callable[[Any], Mapping[str, Sequence[str]]] = lambda position: {}
    #: Figures of a position, for programs.
    facts: Callable[[Any], Mapping[str, Any]] = lambda position: {}
    #: What stands beside the board.
    notes: Callable[[Any], Sequence[Sentence]] = _no_notes
    #: Why a finished game is over and who won, in the game's own words; the last says it in short.
    ending: Callable[[Any], Sequence[Sentence]] = _no_notes
    #: Who owns each place as the board stands: 1 the first side, -1 the second; in the order of `Places.at`.
    owners: Callable[[Any], Sequence[float]] | None = None
    #: Kinds of records that are opened.
    records: Sequence[RecordKind] = ()
    #: Kinds of file that the game can be saved as, and `save(tree, kind)`.
    saves: Callable[[Any], Sequence[str]] = lambda position: ()
    save: Callable[[GameTree, str], bytes] | None = None
    #: `beliefs(position, seat)`: the chance of each kind for every hidden piece, by its place.
    beliefs: Callable[[Any, str], Mapping[str, Mapping[str, float]]] | None = None
    #: `tables(folder)` opens exact tables, None where there are none; `in_tables` is a quick look whether
    #: they may have a position.
    tables: Callable[[str], TableSource | None] | None = None
    in_tables: Callable[[Any], bool] = lambda position: False
    #: Measures of the style of a game, `s` among them.
    style_score: Callable[[Any], Mapping[str, float]] | None = None
    #: `style_report(a, b)`: two collections of games as text; the comparison as plain data, and its picture.
    style_report: Callable[[str, str], tuple[Mapping[str, Any], str]] | None = None
