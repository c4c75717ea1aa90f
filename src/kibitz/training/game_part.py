"""What self-play and training know of one game alone. A game gives it as `TRAINING` of the module `training`
in its folder, which builds on this package; nothing here names a game."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kibitz.games import registry
from kibitz.style.tags import tag_of

if TYPE_CHECKING:
    from kibitz.style import Norm
    from kibitz.training.game import PlayedGame
    from kibitz.training.openings import Line
    from kibitz.training.settings import SelfplaySettings
    from kibitz.training.teachers.games import GameSettings
    from kibitz.training.teachers.judgement import Teacher

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class GameStyle:
    """S of a game, and S2 of its first and of its second side."""

    game: float
    sides: tuple[float, float]

    @property
    def tags(self) -> tuple[str, ...]:
        return (tag_of(self.game),)

    def of_game(self, count: int) -> Floats:
        """S at each of its positions."""
        return np.full(count, self.game, np.float32)

    def of_movers(self, sides: Any) -> Floats:
        """S2 of whoever is to move at each of them."""
        return np.array(self.sides, np.float32)[np.asarray(sides, np.int64)]


@dataclass(frozen=True)
class StyleMeasures:
    """A game whose style can be measured."""

    #: Of a game's first native position and its moves; only so many plies are looked at.
    measure: Callable[[Any, Sequence[int]], GameStyle | None]
    plies: int
    #: The native positions of one game with all planes about style, in the order they were played.
    with_planes: Callable[[Sequence[Any]], Iterator[Any]]
    #: Writes a folder of samples to another one with style: games, positions, games of unknown style.
    tag: Callable[[str | Path, str | Path], tuple[int, int, int]]


@dataclass(frozen=True)
class GameTraining:
    #: Texts of played games, by the ending of their file.
    texts: Mapping[str, Callable[[SelfplaySettings, Norm], Callable[[PlayedGame], str]]] = field(
        default_factory=dict
    )
    #: Opening lines with names, of a file or of a name.
    lines: Callable[[str], tuple[Line, ...]] | None = None
    #: Whether a move at a ply makes contact, for `SelfplaySettings.contact_temperature`.
    contact: Callable[[Any, str, int], bool] | None = None
    style: StyleMeasures | None = None
    #: Teachers that are no networks, by the word before their colon.
    teachers: Mapping[str, Callable[..., Teacher]] = field(default_factory=dict)
    #: The native position that a labelled game starts from, where that differs from game to game.
    start: Callable[[GameSettings, random.Random], Any] | None = None
    #: The notation in a line of a file of positions.
    notation: Callable[[str], str] = str
    #: Games that teach, by the ending of their file: the moves of each, None where one is not finished.
    records: Mapping[str, Callable[[Path], Iterator[Sequence[str] | None]]] = field(default_factory=dict)


def training_of(game: str) -> GameTraining:
    module = registry.part_of(game, "training")
    return GameTraining() if module is None else module.TRAINING


def style_of_game(game: str, start: str | None, moves: Sequence[str]) -> GameStyle | None:
    """The style of a game from its notation; None where there is nothing to measure."""
    style = training_of(game).style
    if style is None or not moves:
        return None
    first = state = registry.get(game).position(start).state
    played = []
    for text in moves[: style.plies]:
        played.append(state.parse_move(text))
        state = state.replayed([played[-1]])
    return style.measure(first, played)
