"""Measures of style: of one game, or of every game of a PGN file, computed natively in one pass.

>>> import kibitz
>>> reti = kibitz.chess.Position().play("Nf3", "d5", "g3", "Nf6", "Bg2")
>>> metrics = measure(reti)
>>> metrics.fch, metrics.co
(1, 0.8)

The definitions are in docs/style-measures.md.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from kibitz import _native
from kibitz.errors import BadOption, BadRecord
from kibitz.games.chess.pgn import open_pgn
from kibitz.games.chess.position import Position

#: The measures in the order of a row.
METRICS = ("co", "dcc", "fch", "pb_delay", "cl", "si")
#: The measures of one side, of which S2 is made.
SIDE_METRICS = ("co", "dcc", "fch", "tension", "cl")
#: The measures of the styles aggressive and solid.
CHARACTER = ("ka", "ex")
#: What a style of chess is measured by.
MEASURE_OF_STYLE = {"aggressive": "ka", "solid": "ex"}

_NAMES = {
    "co": "central occupation",
    "dcc": "distant central control",
    "fch": "fianchettoes",
    "pb_delay": "pawn break delay",
    "cl": "closedness",
    "si": "space imbalance",
    "ka": "king attack",
    "ex": "exchanges",
    "s": "style score",
    "s2": "style score by sides",
}

#: A measure's values, one a game.
Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Window:
    """How far into a game each measure looks, in plies from the record's first move."""

    plies: int = 24
    occupation: int = 12
    fianchetto: int = 14

    def native(self) -> _native.StyleWindow:
        for name, value in vars(self).items():
            if not 1 <= value <= 1000:
                raise BadOption(f"the window's {name} must be from 1 to 1000 plies, got {value}")
        return _native.StyleWindow(self.plies, self.occupation, self.fianchetto)


@dataclass(frozen=True)
class Metrics:
    """The measures of one game.

    >>> measure(kibitz.chess.Position().play("g1f3", "d7d5")).plies
    2
    """

    plies: int
    co: float
    dcc: float
    fch: int
    pb_delay: int
    cl: float
    si: float


def name_of(metric: str) -> str:
    """A measure in words: `name_of("cl")` is `closedness`."""
    return _NAMES[metric]


def _record(position: Position) -> tuple[_native.Chess, list[int]]:
    """The first position of a game, and its moves."""
    start = position.start.state
    state, moves = start, []
    for text in position.moves:
        moves.append(state.parse_move(text))
        state = state.replayed([moves[-1]])
    return start, moves


def measure_sides(position: Position, window: Window | None = None) -> Array:
    """The measures of White and of Black in the game that led to a position, in the order of SIDE_METRICS.

    >>> measure_sides(kibitz.chess.Position().play("g1f3", "d7d5")).shape[0]
    2
    """
    return np.array(_native.style_measure_sides(*_record(position), (window or Window()).native()))


def measure_character(position: Position) -> tuple[float, float]:
    """KA and EX of the game that led to a position."""
    return _native.style_measure_character(*_record(position))


def measure(position: Position, window: Window | None = None) -> Metrics:
    """The measures of the game that led to a position.

    >>> measure(kibitz.chess.Position().play("g1f3", "d7d5")).plies
    2
    """
    native = _native.style_measure(*_record(position), (window or Window()).native())
    return Metrics(native.plies, native.co, native.dcc, native.fch, native.pb_delay, native.cl, native.si)


@dataclass(frozen=True)
class Games:
    """Measures of many games as columns: `games["cl"].mean()`. Games without a move are left out.

    >>> games = measure_pgn(b"1. Nf3 d5 2. g3 Nf6 3. Bg2 *")
    >>> len(games["cl"])
    1
    """

    #: Place in the file, from 1, and plies seen of each game.
    number: npt.NDArray[np.int64]
    plies: npt.NDArray[np.int64]
    values: Array
    #: The measures of White and of Black, in the order of SIDE_METRICS: games x 2 x 5.
    sides: Array
    #: KA and EX of each game, in the order of CHARACTER.
    character: Array
    #: White, Black, result, problem of each game, if asked for.
    names: tuple[tuple[str, str, str, str], ...] = ()
    #: Games of the file that broke off, measured as far as they went.
    broken: int = 0
    #: Games of the file without a single move.
    empty: int = 0
    window: Window = field(default_factory=Window)

    def __len__(self) -> int:
        return len(self.number)

    def __getitem__(self, metric: str) -> Array:
        if metric in CHARACTER:
            return self.character[:, CHARACTER.index(metric)]
        return self.values[:, METRICS.index(metric)]


def measure_pgn(
    source: str | os.PathLike[str] | bytes, *, window: Window | None = None, named: bool = False
) -> Games:
    """The measures of every game of a PGN file (also `.gz` and `.zst`), or of a PGN's bytes.

    >>> measure_pgn(b"1. b3 e5 2. Bb2 *")["fch"]
    array([1.])
    """
    return join(list(measure_pgn_parts(source, window=window, named=named)), window or Window())


def measure_pgn_parts(
    source: str | os.PathLike[str] | bytes,
    *,
    window: Window | None = None,
    named: bool = False,
    part: int = 2000,
) -> Iterator[Games]:
    """`measure_pgn`, so many games at a time: for files that take long and for those who watch."""
    chosen = window or Window()
    native = chosen.native()
    with open_pgn(source) as reader:
        while True:
            rows, names = reader.call(
                lambda pgn: _native.style_measure_pgn(pgn, part, window=native, named=named)
            )
            if not len(rows):
                return
            yield _games(rows, names, chosen)
            if len(rows) < part:
                return


def _games(rows: Array, names: list[tuple[str, str, str, str]], window: Window) -> Games:
    played = rows[:, 1] > 0
    kept = rows[played]
    return Games(
        number=kept[:, 0].astype(np.int64),
        plies=kept[:, 1].astype(np.int64),
        values=np.ascontiguousarray(kept[:, 2:8]),
        sides=kept[:, 9:19].reshape(len(kept), 2, len(SIDE_METRICS)),
        character=np.ascontiguousarray(kept[:, 19:]),
        names=tuple(name for name, keep in zip(names, played, strict=True) if keep) if names else (),
        broken=int(rows[:, 8].sum()),
        empty=int((~played).sum()),
        window=window,
    )


def join(parts: list[Games], window: Window | None = None) -> Games:
    """Several sets of games as one."""
    if not parts:
        nothing = np.empty(0, np.int64)
        sides, character = np.empty((0, 2, len(SIDE_METRICS))), np.empty((0, len(CHARACTER)))
        return Games(
            nothing, nothing, np.empty((0, len(METRICS))), sides, character, window=window or Window()
        )
    return Games(
        number=np.concatenate([part.number for part in parts]),
        plies=np.concatenate([part.plies for part in parts]),
        values=np.concatenate([part.values for part in parts]),
        sides=np.concatenate([part.sides for part in parts]),
        character=np.concatenate([part.character for part in parts]),
        names=tuple(name for part in parts for name in part.names),
        broken=sum(part.broken for part in parts),
        empty=sum(part.empty for part in parts),
        window=parts[0].window,
    )


def check_games(games: Games, name: str) -> Games:
    """The games, if there are any; BadRecord if not."""
    if not len(games):
        raise BadRecord(f"{name}: no game with moves in it")
    return games
