"""Samples of a game: what a network is shown and taught, written once for all games.

The native core owns the facts (native/games/sample.h); every game that can have a network has them in
`GameInfo.sample`.

>>> from kibitz.games import registry
>>> sample, position = registry.get("othello").sample, registry.get("othello").position()
>>> sample.shape(position)
SampleShape(planes=3, rows=8, columns=8, globals=0, policy=65)
>>> index = sample.policy_index(position, "d3")
>>> sample.policy_move(position, index)
'd3'
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from kibitz.errors import BadRequest

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float32]


class Position(Protocol):
    """What is needed of a `kibitz.games.base.Position`."""

    @property
    def state(self) -> Any: ...
    @property
    def is_over(self) -> bool: ...
    def parse_move(self, text: str) -> int: ...


class SampleShape(NamedTuple):
    """Planes on a board of rows x columns, numbers that belong to no point, outputs of the policy."""

    planes: int
    rows: int
    columns: int
    globals: int
    policy: int


class SampleTargets(NamedTuple):
    """What a finished game teaches about one of its positions, for the side that was to move there.

    `value` is (win, draw, loss); the middle one is what it is in the game's networks, in Go a game without a
    result. `score` is the margin, `ownership` [rows, columns] goes from -1 (the opponent's) to 1; None in
    games that do not have them.
    """

    value: tuple[float, float, float]
    score: float | None
    ownership: Array | None


@dataclass(frozen=True)
class Sample:
    """Features, policy, symmetries and targets of a game's positions; see `GameInfo.sample`."""

    #: Whether margins mean anything, and whether points have owners.
    has_score: bool = False
    has_ownership: bool = False
    #: The state a network's own games start from, for a board of (rows, columns), in games with boards of
    #: several sizes.
    start: Callable[[int, int], Any] | None = None
    #: How networks of the game are built where nobody says (`kibitz.nets.own.architecture`).
    layout: str = "pooling"

    def shape(self, position: Position) -> SampleShape:
        return SampleShape(*position.state.sample_shape)

    def encode(self, position: Position) -> tuple[Array, Array]:
        """Planes [planes, rows, columns] and globals, from the mover's side."""
        planes, numbers = position.state.encode()
        return planes, numbers

    def policy_index(self, position: Position, move: str) -> int:
        """Which output of the policy is a legal move's."""
        return int(position.state.policy_index(position.parse_move(move)))

    def policy_move(self, position: Position, index: int) -> str:
        """The legal move that an output of the policy stands for."""
        try:
            return str(position.state.move_text(position.state.policy_move(index)))
        except ValueError as error:
            raise BadRequest(f"{error}: {index}") from None

    def symmetries(self, position: Position) -> range:
        """The symmetries of the board; 0 changes nothing. Positions that they turn into each other are
        equally good, and a network may be taught with any of them."""
        return range(position.state.symmetry_count)

    def turned_planes(self, position: Position, planes: Array, symmetry: int) -> Array:
        """Planes [..., rows, columns] through a symmetry; ownership too."""
        rows, columns = planes.shape[-2:]
        flat = planes.reshape(*planes.shape[:-2], rows * columns)
        return _moved(flat, position.state.symmetric_points(symmetry)).reshape(planes.shape)

    def turned_policy(self, position: Position, policy: Array, symmetry: int) -> Array:
        """A policy [..., policy] through a symmetry."""
        return _moved(policy, position.state.symmetric_policy(symmetry))

    def targets(self, last: Position, side: int) -> SampleTargets:
        """What the finished game `last` teaches about its positions with `side` to move."""
        if not last.is_over:
            raise BadRequest("the game is not over; targets come from its end")
        return SampleTargets(*last.state.targets(side))


def _moved(values: Array, to: list[int]) -> Array:
    import numpy as np  # slow to import, and only wanted here

    out: Any = np.empty_like(values)
    out[..., to] = values
    return out  # type: ignore[no-any-return]
