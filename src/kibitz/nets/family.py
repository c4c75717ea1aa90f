"""The interface of a network family: what a file declares, what goes in, what comes out.

A family is one file beside this one (`katago_family.py`, `lc0_family.py`) with a `FAMILY`, listed in
`families.py`. Runtimes, int8, tuning, the store and the commands know only what stands here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.errors import BadOption, BadRequest
from kibitz.nets.files import NetworkFile
from kibitz.nets.graph import Graph, Range


@dataclass(frozen=True)
class Shape:
    """The sizes of inputs and outputs for one board size."""

    planes: int
    rows: int
    columns: int
    globals: int
    policy: int


@dataclass(frozen=True)
class Boards:
    """The board sizes a network plays on: `least` to `most` rows and columns, `usual` when none is named.
    With `columns` that is one board only, of `usual` rows."""

    usual: int
    least: int
    most: int
    columns: int = 0

    def check(self, name: str, rows: int | None, columns: int | None) -> tuple[int, int]:
        """(rows, columns), with what was not given filled in."""
        if self.columns:
            rows, columns = rows or self.usual, columns or self.columns
            fits = (rows, columns) == (self.usual, self.columns)
        else:
            rows = rows or columns or self.usual
            columns = columns or rows
            sizes = range(self.least, self.most + 1)
            fits = rows in sizes and columns in sizes
        if not fits:
            raise BadRequest(f"{name} plays on {self}, not on {rows}x{columns}")
        return rows, columns

    def __str__(self) -> str:
        if self.columns:
            return f"{self.usual}x{self.columns}"
        least, most = (f"{size}x{size}" for size in (self.least, self.most))
        return least if least == most else f"{least} to {most}"


class Definition(ABC):
    """A network as its file defines it: weights in memory, nothing that runs yet.

    Threads: immutable once it is made.
    """

    family: str
    game: str
    boards: Boards
    #: Inputs beside `planes`: `globals`, `optimism`.
    inputs: tuple[str, ...] = ()
    #: Outputs beside `policy` [n, policy] (logits), `outcome` [n, 4] (win, draw, loss, score) and `details`.
    heads: tuple[str, ...] = ()
    #: The columns of `details`.
    details: tuple[str, ...] = ()

    def __init__(self, file: NetworkFile, model: Any) -> None:
        self.path: Path = file.path
        #: SHA-256 of the file, hex.
        self.digest = file.digest
        #: What the family's reader made of the file.
        self.model = model

    @property
    @abstractmethod
    def name(self) -> str:
        """The network's own name, or the file's."""

    @property
    def version(self) -> int | None:
        """The version of the file format, where the family counts them."""
        return None

    @property
    @abstractmethod
    def depth(self) -> int:
        """How many blocks the tower has."""

    @property
    @abstractmethod
    def blocks(self) -> Mapping[str, int]:
        """How many blocks there are of each kind."""

    @property
    @abstractmethod
    def channels(self) -> int:
        """The width of the tower."""

    @property
    def facts(self) -> Mapping[str, Any]:
        """What else `kibitz nets info` shows."""
        return {}

    @property
    def profile(self) -> str | None:
        """The players that a human network imitates (`rank_5k`); None where it is no such network."""
        return None

    def imitating(self, profile: str, side: int) -> Definition:
        """The same human network for other players, with that side to move."""
        raise BadOption(f"{self.name} is no human network: it knows no profiles")

    def with_heads(self, **heads: str) -> Definition:
        """The same network with other heads of a file that has several: `policy="optimistic", value="q"`."""
        raise BadOption(f"{self.name} has one head of each kind")

    def written(self, state: Any) -> Any:
        """A native position that is written for networks the way this one wants it, and what is played from
        it."""
        return state

    def shown(self, position: Any) -> Any:
        """The native position of a `Position` as this network sees it."""
        first = position.start.state
        state = self.written(first)
        if state is first:
            return position.state
        for text in position.moves:
            state = state.replayed([state.parse_move(text)])
        return state

    @property
    def first(self) -> npt.NDArray[np.float32] | None:
        """Weights of the first convolution when it may be computed outside the graph: planes are mostly
        zeros, so the core does that by the points that are set."""
        return None

    @property
    def core(self) -> Any:
        """What a search in the core asks without planes; None where the network is a graph."""
        return None

    def core_session(self) -> Any:
        """The session of a network that is no graph, else None."""
        return None

    @abstractmethod
    def sizes(self, rows: int, columns: int) -> Shape:
        """The sizes for a board that `boards` allows."""

    @abstractmethod
    def graph(
        self,
        shape: Shape,
        ranges: Mapping[str, Range] | None = None,
        *,
        stem: bool = False,
        **quantization: bool | int,
    ) -> Graph:
        """The network for one board size. With `stem` the input `stem` [n, rows, columns, channels], what
        the `first` convolution gives, takes the place of `planes`."""

    def shape(self, rows: int | None = None, columns: int | None = None) -> Shape:
        return self.sizes(*self.boards.check(self.name, rows, columns))


@dataclass(frozen=True)
class Family:
    """A kind of network file. `recognizes` looks at the first bytes, unpacked, and does not parse."""

    name: str
    #: As an error names it: "a KataGo network".
    title: str
    #: Endings of its files, the usual one first; for names that `kibitz nets add` makes.
    suffixes: tuple[str, ...]
    #: The games its networks are for; empty where a file may be for any game and names it.
    games: tuple[str, ...]
    recognizes: Callable[[bytes], bool]
    read: Callable[[NetworkFile], Definition]

    def __str__(self) -> str:
        return f"{self.title} ({self.suffixes[0]})"
