"""Games written in Python: a class with five methods becomes a game like the built-in ones.

>>> class Nim:
...     "Three heaps; who takes the last stick wins."
...     def __init__(self, heaps=(3, 4, 5), side=0):
...         self.heaps, self.side = heaps, side
...     def moves(self):
...         return [f"{heap}:{n}" for heap, size in enumerate(self.heaps) for n in range(1, size + 1)]
...     def play(self, move):
...         heap, n = map(int, move.split(":"))
...         heaps = list(self.heaps)
...         heaps[heap] -= n
...         return Nim(tuple(heaps), 1 - self.side)
...     def to_move(self):
...         return self.side
...     def result(self):
...         return None if any(self.heaps) else float(self.side)
...     def text(self):
...         return f"{'/'.join(map(str, self.heaps))} {self.side}"
>>> game = PythonGame(Nim)
>>> game.Position().play("0:3").legal_moves
('1:1', '1:2', '1:3', '1:4', '2:1', '2:2', '2:3', '2:4', '2:5')

The class is the position: immutable, and made without arguments it is the start. docs/own-game.md has the
contract; `kibitz.register` makes the game known to engines, commands and the page.

Threads: a search calls the class from threads of its own, with the interpreter's lock.
"""

from __future__ import annotations

import copyreg
import re
from abc import ABCMeta
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from kibitz import _native
from kibitz.draw import Mark, Places, Svg, draw_mark
from kibitz.errors import BadPosition, BadRecord, GameError, KibitzError
from kibitz.games import base
from kibitz.games.history import NO_MOVES
from kibitz.games.presets import PLAIN, PUCT
from kibitz.games.sample import Sample

_METHODS = ("moves", "play", "to_move", "result", "text")
_NAME = re.compile(r"[a-z][a-z0-9_]{0,19}")

#: Plain searches that suit any game; docs/options.md has the options.
PRESETS: Mapping[str, Mapping[str, Any]] = {
    # UCT with random playouts; results that the tree has proven are used.
    "default": {"rule": "ucb1", "c": 0.7},
    **PLAIN,
}

NETWORK_PRESETS: Mapping[str, Mapping[str, Any]] = {"puct": PUCT}


class _PositionType(ABCMeta):
    """The type of classes of positions; they travel between processes by the name of their game."""


def _reduced(kind: Any) -> Any:
    return (_position_class, (kind.game,)) if "game" in vars(kind) else kind.__qualname__


copyreg.pickle(_PositionType, _reduced)


class PythonPosition(base.Position, metaclass=_PositionType):
    """A position of a game written in Python; `PythonGame.Position` is the class of one game."""

    rules: ClassVar[Any]
    kind: ClassVar[type]

    __slots__ = ()

    def __init__(self, notation: str | None = None) -> None:
        self._history = NO_MOVES
        if notation is None or notation == "start":
            self.state = _native.PythonState(self.rules, _first(self.kind, self.game))
            return
        if not isinstance(notation, str):
            raise BadPosition(f"a position of {self.game} is text, got {type(notation).__name__}")
        if self._parse is not None:
            self.state = _native.PythonState(self.rules, self._parsed(notation))
            return
        words = notation.split()
        if words[:1] != ["start"]:
            raise BadPosition(f"not a position of {self.game}: expected the word start, then moves")
        try:
            last = type(self)().play(*words[1:])
        except KibitzError as error:
            raise BadPosition(f"not a position of {self.game}: {error}") from None
        self.state, self._history = last.state, last._history

    @property
    def _parse(self) -> Callable[[str], Any] | None:
        parse: Callable[[str], Any] | None = getattr(self.kind, "parse", None)
        return parse

    def _parsed(self, text: str) -> Any:
        try:
            made = self._parse(text)  # type: ignore[misc]
        except ValueError as error:
            line = str(error).partition("\n")[0][:200]
            raise BadPosition(f"not a position of {self.game}: {line}") from error
        except Exception as error:
            raise _failure(self.game, "parse", error, None) from error
        if type(made) is not self.kind:
            raise _failure(
                self.game, "parse", None, f"must give a {self.kind.__name__}, got {type(made).__name__}"
            )
        return made

    @property
    def position(self) -> Any:
        """The object of the game's class."""
        return self.state.position

    @property
    def notation(self) -> str:
        """The text of the class where it can parse it, else the moves from the start."""
        return super().notation if self._parse is not None else " ".join(("start", *self.moves))

    def parse_move(self, text: str) -> int:
        self.state.legal_moves()  # an error of the class is no illegal move
        return super().parse_move(text)

    def __str__(self) -> str:
        if self.is_over:
            state = {1.0: f"{self.side_names[0]} wins", 0.0: f"{self.side_names[1]} wins"}
            last = state.get(self.result or 0.0, "a draw")
        else:
            last = f"{self.mover} to move"
        return "\n".join([*str(self.state.to_text()).split("/"), "", last])

    def places(self, below: str = "") -> Places:
        """Where the picture has the legal moves."""
        return self._drawn()[1]

    def svg(self, marks: Mapping[str, Mark] | None = None, below: str = "") -> str:
        picture, places = self._drawn()
        for move, mark in (marks or {}).items():
            if move in places.at:
                x, y = places.at[move]
                draw_mark(picture, x, y, mark, 0.42 * places.cell, max(6, round(0.3 * places.cell)))
        return picture.render()

    def _drawn(self) -> tuple[Svg, Places]:
        """The picture, and where its moves are."""
        if not hasattr(self.kind, "svg"):
            return _letters(self)
        picture = self._asked("svg")
        if not isinstance(picture, Svg):
            raise _failure(
                self.game, "svg", None, f"must give a kibitz.draw.Svg, got {type(picture).__name__}"
            )
        at: Mapping[str, tuple[float, float]] = self._asked("places") if hasattr(self.kind, "places") else {}
        cell = float(getattr(self.kind, "cell", 40.0))
        return picture.copy(), Places(picture.width, picture.height, cell, dict(at))

    def _asked(self, method: str) -> Any:
        try:
            return getattr(self.position, method)()
        except Exception as error:
            raise _failure(self.game, method, error, None) from error


class PythonGame:
    """A class as a game: `PythonGame(ConnectFour)` checks it and says in one line what is missing.

    `Position` is the game's class of positions, `info` what the registry knows of it. `kibitz.register` makes
    the game known to everything else.

    >>> class Nim:
    ...     def __init__(self, left=7, side=0): self.left, self.side = left, side
    ...     def moves(self): return [str(count) for count in range(1, min(3, self.left) + 1)]
    ...     def play(self, move): return Nim(self.left - int(move), 1 - self.side)
    ...     def to_move(self): return self.side
    ...     def result(self): return None if self.left else float(self.side)
    ...     def text(self): return f"{self.left} {self.side}"
    >>> kibitz.PythonGame(Nim).Position().play("3").legal_moves
    ('1', '2', '3')
    """

    def __init__(self, kind: type, name: str | None = None) -> None:
        if not isinstance(kind, type):
            raise GameError(f"a game is a class, got {type(kind).__name__}")
        self.kind = kind
        self.name = name or getattr(kind, "name", None) or _snake_case(kind.__name__)
        _check_class(kind, self.name)
        shape, features = _samples(kind, self.name)
        self.rules = _native.PythonRules(_Failure(self.name), features, shape)
        sides = tuple(getattr(kind, "sides", ("first", "second")))
        if (
            len(sides) != 2
            or not all(isinstance(side, str) and side for side in sides)
            or sides[0] == sides[1]
        ):
            raise GameError(f"{self.name}: sides must be two different names, got {sides!r}")
        made: Any = _PositionType(
            "Position",
            (PythonPosition,),
            {
                "__slots__": (),
                "__doc__": kind.__doc__,
                "__module__": f"kibitz.{self.name}",
                "game": self.name,
                "side_names": sides,
                "rules": self.rules,
                "kind": kind,
            },
        )
        #: The class of its positions.
        self.Position: type[PythonPosition] = made
        self._check_start()
        #: What the registry knows of it.
        self.info = self._info(with_network=shape[-1] > 0)

    def __repr__(self) -> str:
        return f"PythonGame({self.kind.__name__})"

    def _info(self, with_network: bool) -> base.GameInfo:
        lacks = {}
        if not hasattr(self.kind, "parse"):
            lacks["transpositions"] = "its notation is the moves of the game"
        return base.GameInfo(
            name=self.name,
            title=str(getattr(self.kind, "title", self.name.replace("_", " ").capitalize())),
            position=self.Position,
            searches=base.Searches(self._search, selfplay=_native.PythonSelfplay),
            records=base.Records(self._load),
            presets=PRESETS,
            network_presets=NETWORK_PRESETS if with_network else {},
            sample=Sample() if with_network else None,
            demo=tuple(getattr(self.kind, "demo", ())),
            perft=_perft,
            unsupported=lacks,
        )

    def _search(self, state: Any, options: Any, network: Any = None) -> Any:
        if network is not None and not self.info.sample:
            raise GameError(f"{self.name} has no features(), so no network can play it")
        return _native.PythonSearch(state, options, network)

    def _load(self, source: str) -> Sequence[PythonPosition]:
        """Games as lines of moves, from a file or as they are."""
        try:
            path = Path(source)
            text = path.read_text(encoding="utf-8") if path.is_file() else source
        except (OSError, ValueError) as error:
            raise BadRecord(f"{source[:80]}: {error}") from None
        lines = [line.split("#")[0].split() for line in text.splitlines()]
        return [self.Position().play(*moves) for moves in lines if moves]

    def _check_start(self) -> None:
        """Plays a move, so that most mistakes are found here and not in a search."""
        start = self.Position()
        if start.is_over:
            raise GameError(f"{self.name}: result() must be None at the start")
        before = str(start.state.to_text())
        if start.state.sample_shape[-1] > 0:
            start.state.policy_index(start.state.legal_moves()[0])
        start.play(start.legal_moves[0])
        again = _native.PythonState(self.rules, start.position)
        if again.to_text() != before or again.to_move != start.to_move:
            raise GameError(
                f"{self.name}: play() changed the position it was called on; it must give a new one"
            )
        if hasattr(self.kind, "parse") and (read := self.Position(before).notation) != before:
            raise GameError(f"{self.name}: parse() must read text(): {before!r} became {read!r}")


def _check_class(kind: type, name: str) -> None:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise GameError(
            f"a game's name has up to 20 small letters, digits and _, and begins with a letter; got {name!r}"
        )
    for method in _METHODS:
        if not callable(getattr(kind, method, None)):
            raise GameError(f"{name}: the class {kind.__name__} has no method {method}()")
    if hasattr(kind, "features") and not hasattr(kind, "policy_index"):
        raise GameError(f"{name}: features() needs policy_index(move), the policy's output for a move")


def _first(kind: type, name: str) -> Any:
    """The position a game starts from."""
    try:
        return kind()
    except Exception as error:
        raise _failure(name, kind.__name__, error, None) from error


class _Failure:
    """Makes the error of a game, for the core."""

    def __init__(self, game: str) -> None:
        self._game = game

    def __call__(self, method: str, error: BaseException | None, complaint: str | None) -> GameError:
        return _failure(self._game, method, error, complaint)


def _failure(game: str, method: str, error: BaseException | None, complaint: str | None) -> GameError:
    if isinstance(error, GameError):
        return error
    if error is not None:
        line = str(error).partition("\n")[0][:200]
        complaint = f"raised {type(error).__name__}" + (f": {line}" if line else "")
    made = GameError(f"{game}: {method}() {complaint}")
    made.__cause__ = error
    return made


def _samples(kind: type, name: str) -> tuple[tuple[int, int, int, int, int], Callable[[Any], Any] | None]:
    """The sizes of a network's input and output, and what writes the input; all 0 without `features`."""
    if not hasattr(kind, "features"):
        return (0, 0, 0, 0, 0), None
    import numpy as np  # slow to import, and only wanted here

    def encoded(position: Any) -> Any:
        try:
            return np.ascontiguousarray(position.features(), np.float32)
        except Exception as error:
            raise _failure(name, "features", error, None) from error

    shape = encoded(_first(kind, name)).shape
    if len(shape) != 3 or not all(shape):
        raise GameError(
            f"{name}: features() must give an array of planes, rows and columns, got shape {shape}"
        )
    size = getattr(kind, "policy_size", shape[1] * shape[2])
    if not isinstance(size, int) or not 1 <= size <= 1 << 20:
        raise GameError(f"{name}: policy_size must be a number of outputs, got {size!r}")

    def features(position: Any) -> Any:
        array = encoded(position)
        if array.shape != shape:
            raise GameError(f"{name}: features() gave shape {array.shape}, at the start it was {shape}")
        return array

    return (shape[0], shape[1], shape[2], 0, size), features


def _letters(position: PythonPosition) -> tuple[Svg, Places]:
    """The text as a picture, the legal moves below it."""
    cell, edge = 40.0, 10.0
    rows = str(position.state.to_text()).split("/")
    legal = position.legal_moves
    width = max(8, *map(len, rows))
    moves_a_row = max(1, width // (1 + max((len(move) for move in legal), default=0) // 3))
    lines = -(-len(legal) // moves_a_row)
    picture = Svg(width * cell + 2 * edge, (len(rows) + lines) * cell + 3 * edge)
    picture.rect(0, 0, picture.width, picture.height, fill="#fdfaf3", rx=6)
    for row, text in enumerate(rows):
        for column, letter in enumerate(text):
            picture.text(edge + (column + 0.5) * cell, edge + (row + 0.5) * cell, letter, 24, fill="#0b1d26")
    at: dict[str, tuple[float, float]] = {}
    step = width * cell / moves_a_row
    for number, move in enumerate(legal):
        x = edge + (number % moves_a_row + 0.5) * step
        y = 2 * edge + (len(rows) + number // moves_a_row + 0.5) * cell
        picture.rect(x - 0.45 * step, y - 0.4 * cell, 0.9 * step, 0.8 * cell, fill="#d5d9dc", rx=4)
        picture.text(x, y, move, 15, fill="#0b1d26")
        at[move] = (x, y)
    return picture, Places(picture.width, picture.height, cell, at)


def _perft(position: Any, depth: int) -> int:
    """Lines of play of `depth` plies."""

    def count(state: Any, left: int) -> int:
        moves = state.legal_moves()
        if left <= 1:
            return len(moves) if left == 1 else 1
        return sum(count(state.play(move), left - 1) for move in moves)

    return count(position.state, depth)


def _position_class(game: str) -> Any:
    """A class of positions that was pickled."""
    from kibitz.games import registry  # it knows this module

    return registry.get(game).position


def _snake_case(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
