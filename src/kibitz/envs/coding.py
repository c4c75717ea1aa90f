"""Positions as arrays and moves as numbers, the same for all kinds of environments.

>>> coding = Coding("chess")
>>> position = coding.start(seed=0)
>>> coding.actions, coding.shape
(1858, (112, 8, 8))
>>> coding.move(position, coding.action(position, "e2e4"))
'e2e4'
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.errors import BadOption
from kibitz.games import registry
from kibitz.games.base import Position

Array = npt.NDArray[np.float32]


class Coding:
    """How one game is shown to agents.

    Games with networks use their planes and the outputs of their policies (`GameInfo.sample`): both are from
    the mover's side. In a game with hidden pieces an agent sees what its seat may know: for each place whose
    piece stands there, and which kinds it can be. `settings` are those of the start position, such as
    `size=9` in Go or `players=2` in Junqi.
    """

    def __init__(self, game: str, **settings: Any) -> None:
        self.info = registry.get(game)
        self.game = self.info.name
        self._settings = {**self.info.agent_settings, **settings}
        self._first = self.start(0)
        self.seats = self._first.seat_names
        if self.info.sample is None and not self._first.hides:
            raise BadOption(f"{game} has no numbers for its moves")

    def start(self, seed: int | None) -> Position:
        """The position that a game begins with; set-ups are dealt by the seed."""
        deals = self.info.deals
        if deals is None:
            settings = dict(self._settings)
            size = settings.pop("size", None)
            return self.info.position(*([] if size is None else [size]), **settings)
        (notation,) = deals.openings(1, seed or 0, self._settings["players"])
        return self.info.position(notation)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(sorted(self._first.places().at))}

    @cached_property
    def _kinds(self) -> str:
        """Letters of the kinds of pieces that a place can hold."""
        state = self._first.mover_view().state
        return "".join(sorted({kind for *_, piece in state.standing() for kind in state.possible(piece)}))

    @property
    def actions(self) -> int:
        """How many different moves have a number."""
        if self.info.sample is not None:
            return self.info.sample.shape(self._first).policy
        return len(self._places) ** 2

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of an observation."""
        if self.info.sample is not None:
            shape = self.info.sample.shape(self._first)
            return shape.planes, shape.rows, shape.columns
        return len(self.seats) + len(self._kinds), len(self._places)

    def action(self, position: Position, move: str) -> int:
        """The number of a move."""
        if self.info.sample is not None:
            return self.info.sample.policy_index(position, move)
        source, _, target = move.partition("-")
        return self._places[source] * len(self._places) + self._places[target]

    def legal(self, position: Position) -> dict[int, str]:
        """The legal moves by their numbers."""
        if position.is_over:
            return {}
        return {self.action(position, move): move for move in position.legal_moves}

    def move(self, position: Position, action: int) -> str:
        """The legal move of a number."""
        try:
            return self.legal(position)[int(action)]
        except KeyError:
            raise BadOption(f"{action} is the number of no legal move") from None

    def mask(self, position: Position) -> npt.NDArray[np.int8]:
        """1 for the numbers of legal moves."""
        mask = np.zeros(self.actions, np.int8)
        mask[list(self.legal(position))] = 1
        return mask

    def observation(self, position: Position, seat: str) -> Array:
        """What a seat sees."""
        if self.info.sample is not None:
            return np.asarray(position.planes(), np.float32)
        state = position.view(seat).state  # type: ignore[attr-defined]
        planes = np.zeros(self.shape, np.float32)
        own = self.seats.index(seat)
        for place, owner, _, piece in state.standing():
            at = self._places[place]
            relative = (self._seat_index(owner) - own) % len(self.seats)
            planes[relative, at] = 1.0
            for kind in state.possible(piece):
                planes[len(self.seats) + self._kinds.index(kind), at] = 1.0
        return planes

    def _seat_index(self, owner: int) -> int:
        """The number of a seat among those that play."""
        return owner if len(self.seats) == 4 else owner // 2

    def to_move(self, position: Position) -> str:
        """The seat whose turn it is."""
        return position.mover

    def rewards(self, position: Position) -> dict[str, float]:
        """1 for seats of the winning side, -1 for the others, 0 in a draw or while the game goes on."""
        first = 0.0 if position.result is None else 2.0 * position.result - 1.0
        return {seat: first if number % 2 == 0 else -first for number, seat in enumerate(self.seats)}
