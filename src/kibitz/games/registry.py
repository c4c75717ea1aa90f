"""The games there are. A built-in game registers itself by its folder here, a game written in Python by an
entry point or by `register`; everything else asks.

>>> from kibitz.games import registry
>>> registry.get("othello").title
'Othello'
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from kibitz.errors import BadPosition, BadRequest, GameError, KibitzError
from kibitz.games.base import GameInfo, Position

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from kibitz.games.page_facts import GamePage
    from kibitz.games.python_game import PythonGame

__all__ = ["BUILT_IN", "get", "names", "register"]

#: Installed packages name their games in this group of entry points: `connect_four = "package:ConnectFour"`.
ENTRY_POINTS = "kibitz.games"

#: The built-in games in the order in which they are listed, and the presets of all of them, for editors to
#: complete. Any other text is accepted too, since a game may be written in Python.
GameName: TypeAlias = Literal["othello", "chess", "go", "uttt", "junqi"]
PresetName: TypeAlias = Literal[
    "default",
    "uct",
    "flat",
    "puct",
    "lc0",
    "own",
    "katago",
    "classic",
    "classic-pruned",
    "one-ply",
    "greedy",
    "random",
]


def games_in(folder: Path) -> tuple[str, ...]:
    """The games of `GameName`, then other packages in the folder."""
    packages = (file.parent.name for file in sorted(folder.glob("*/__init__.py")))
    return tuple(dict.fromkeys((*get_args(GameName), *packages)))


#: The games that come with Kibitz: the folders here, each with an `info()`; imported when first asked for.
BUILT_IN = games_in(Path(__file__).parent)

#: Games written in Python that were loaded, by name. A second thread waits instead of making a second class.
_python_games: dict[str, PythonGame] = {}
_loading = threading.RLock()


@cache
def _installed() -> Mapping[str, EntryPoint]:
    """Games of installed packages, none of them imported yet."""
    from importlib.metadata import entry_points  # slow to import, and only wanted here

    return {point.name: point for point in entry_points(group=ENTRY_POINTS) if point.name not in BUILT_IN}


def names() -> tuple[str, ...]:
    """Every game: the built-in ones, those of installed packages, those that were registered. What one of
    them lacks, its `GameInfo.unsupported` says.

    >>> names()[:5]
    ('othello', 'chess', 'go', 'uttt', 'junqi')
    """
    return tuple(dict.fromkeys((*BUILT_IN, *_installed(), *_python_games)))


def get(name: GameName | str) -> GameInfo:
    """What there is to know of a game by its name; BadRequest names the games there are.

    >>> get("uttt").title
    'Ultimate tic-tac-toe'
    """
    if name in BUILT_IN:
        return _built_in(name)
    game = find_python_game(name)
    if game is None:
        known = names()
        near = get_close_matches(name, known, 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise BadRequest(f"unknown game {name!r}, expected one of {', '.join(known)}{hint}")
    return game.info


@cache
def _built_in(name: str) -> GameInfo:
    info: GameInfo = import_module(f"kibitz.games.{name}").info()
    return info


def page_of(name: str) -> GamePage:
    """What the web page and its server know of a game: `PAGE` of its `page.py`, or the defaults.

    Loaded by name: a page builds on layers above the games, and nothing but a server asks for it.
    """
    from kibitz.games.page_facts import Descriptor, GamePage

    if name not in BUILT_IN:
        get(name)
        # A game written in Python is played by clicking where its moves are, and has no points.
        return GamePage(Descriptor(points=False))
    module = part_of(name, "page")
    return GamePage() if module is None else module.PAGE


@cache
def part_of(name: str, part: str) -> Any:
    """A module of a built-in game's folder that builds on layers above the games, such as `page`; None where
    it has none."""
    module = f"kibitz.games.{name}.{part}"
    return import_module(module) if name in BUILT_IN and find_spec(module) else None


def find_python_game(name: str) -> PythonGame | None:
    """A game written in Python; None where there is no such game."""
    with _loading:
        if name not in _python_games and name in _installed():
            _python_games[name] = _loaded(_installed()[name])
        return _python_games.get(name)


def _loaded(point: EntryPoint) -> PythonGame:
    from kibitz.games.python_game import PythonGame  # it knows this module

    package = point.dist.name if point.dist else point.value
    try:
        loaded = point.load()
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise GameError(f"cannot load the game {point.name} of the package {package}: {reason}") from error
    game = loaded if isinstance(loaded, PythonGame) else PythonGame(loaded)
    if game.name != point.name:
        raise GameError(f"the package {package} names a game {point.name}, but its class says {game.name}")
    return game


def register(kind: type | PythonGame) -> PythonGame:
    """Makes a class a game (docs/own-game.md), for this process. A class of the same name that was registered
    before is replaced. Packages name theirs as entry points instead.

    >>> class Nim:
    ...     def __init__(self, left=7, side=0): self.left, self.side = left, side
    ...     def moves(self): return [str(count) for count in range(1, min(3, self.left) + 1)]
    ...     def play(self, move): return Nim(self.left - int(move), 1 - self.side)
    ...     def to_move(self): return self.side
    ...     def result(self): return None if self.left else float(self.side)
    ...     def text(self): return f"{self.left} {self.side}"
    >>> nim = kibitz.register(Nim)
    >>> kibitz.analyze(nim.Position(), simulations=200, options={"seed": 1}).best
    '3'
    """
    from kibitz.games.python_game import PythonGame  # it knows this module

    game = kind if isinstance(kind, PythonGame) else PythonGame(kind)
    if game.name in BUILT_IN or game.name in _installed():
        raise GameError(f"there is a game {game.name} already; give the class another name")
    with _loading:
        _python_games[game.name] = game
    return game


def position_from_text(text: str) -> Position:
    """The position of a notation (a FEN), or the last one of a record (an SGF, a PGN), of whichever built-in
    game reads it.

    >>> position_from_text("8/8/8/8/8/5k2/6q1/7K w - - 0 1").game
    'chess'
    >>> position_from_text("(;GM[1]SZ[9];B[ee];W[gc])").moves
    ('E5', 'G7')
    """
    # A record begins with a bracket; everything else is one position. The name of a file is neither.
    is_record = text.lstrip()[:1] in ("(", "[")
    for name in BUILT_IN:
        info = get(name)
        try:
            if not is_record:
                return info.position(text)
            (position,) = info.records.load(text)
            return position  # type: ignore[no-any-return]
        except (KibitzError, OSError, ValueError):
            continue
    raise BadPosition(f"no game reads this text as a position or as a record of one game: {text[:60]!r}")


def position_from_dict(data: Mapping[str, Any]) -> Position:
    """The position that `Position.to_dict` described, of whichever game.

    >>> position_from_dict({"game": "othello", "moves": ["d3"]}).mover
    'white'
    """
    game = data.get("game") if isinstance(data, Mapping) else None
    if not isinstance(game, str):
        raise BadPosition("a position is a table with game, start and moves; it has no game")
    info = get(game)
    return (info.view or info.position).from_dict(data)
