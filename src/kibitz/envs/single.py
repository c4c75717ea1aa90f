"""Every game as a Gymnasium environment: one agent against an opponent.

>>> env = KibitzGym("othello")
>>> observation, info = env.reset(seed=0)
>>> info["moves"]
['d3', 'c4', 'f5', 'e6']
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from kibitz.engine import Engine
from kibitz.envs.coding import Coding
from kibitz.errors import NotInstalled
from kibitz.games.base import Position
from kibitz.levels import get_level, play_at

try:
    import gymnasium
    from gymnasium import spaces
except ModuleNotFoundError as error:  # pragma: no cover
    raise NotInstalled(error.name or "gymnasium", "an environment of Gymnasium") from None

Opponent = Callable[[Position], str]


class KibitzGym(gymnasium.Env):
    """The agent has the first seat. An illegal action loses the game, and `info["illegal"]` says so."""

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012

    def __init__(
        self, game: str, opponent: str | Opponent = "random", render_mode: str | None = None, **settings: Any
    ) -> None:
        self.coding = Coding(game, **settings)
        self.render_mode = render_mode
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(-1e3, 1e3, self.coding.shape, "float32"),
                "action_mask": spaces.MultiBinary(self.coding.actions),
            }
        )
        self.action_space = spaces.Discrete(self.coding.actions)
        self.position = self.coding.start(0)
        self._random = random.Random(0)
        self._opponent = self._named(game, opponent) if isinstance(opponent, str) else opponent

    def _named(self, game: str, name: str) -> Opponent:
        if name == "random":
            return lambda position: self._random.choice(position.legal_moves)
        level, engine = get_level(game, name), Engine(game)
        return lambda position: play_at(engine, position, level, self._random)[0]

    @property
    def seat(self) -> str:
        """The agent's seat."""
        return self.coding.seats[0]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        super().reset(seed=seed)
        self._random = random.Random(int(self.np_random.integers(2**31)))
        self.position = self.coding.start(self._random.randrange(10**6))
        self._answer()
        return self._seen(), self._info()

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        legal = self.coding.legal(self.position)
        if int(action) not in legal:
            return self._seen(), -1.0, True, False, {**self._info(), "illegal": True}
        self.position = self.position.play(legal[int(action)])
        self._answer()
        reward = self.coding.rewards(self.position)[self.seat]
        return self._seen(), reward, self.position.is_over, False, self._info()

    def render(self) -> str | None:
        return self.position.shown_to(self.seat, "english") if self.render_mode == "ansi" else None

    def _answer(self) -> None:
        """The others move until it is the agent's turn."""
        while not self.position.is_over and self.coding.to_move(self.position) != self.seat:
            self.position = self.position.play(self._opponent(self.position))

    def _seen(self) -> dict[str, Any]:
        return {
            "observation": self.coding.observation(self.position, self.seat),
            "action_mask": self.coding.mask(self.position),
        }

    def _info(self) -> dict[str, Any]:
        return {"moves": list(self.coding.legal(self.position).values())}
