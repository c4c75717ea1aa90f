"""Every game as a PettingZoo environment (AEC: agents move in turn).

>>> env = KibitzAec("uttt")
>>> env.reset(seed=0)
>>> observation, reward, termination, truncation, info = env.last()
>>> int(observation["action_mask"].sum())
81
"""

from __future__ import annotations

from typing import Any

from kibitz.envs.coding import Coding
from kibitz.errors import NotInstalled

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
except ModuleNotFoundError as error:  # pragma: no cover
    raise NotInstalled(error.name or "pettingzoo", "an environment of PettingZoo") from None


class KibitzAec(AECEnv):
    """One agent a seat. An observation has the planes and the mask of legal moves, which is empty for who is
    not to move. `env.position` is the position; an illegal action is an error."""

    def __init__(self, game: str, render_mode: str | None = None, **settings: Any) -> None:
        super().__init__()
        self.coding = Coding(game, **settings)
        self.metadata = {"name": f"kibitz_{game}", "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = render_mode
        self.possible_agents = list(self.coding.seats)
        self.agents = list(self.possible_agents)
        shape, actions = self.coding.shape, self.coding.actions
        self._observations = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(-1e3, 1e3, shape, "float32"),
                    "action_mask": spaces.Box(0, 1, (actions,), "int8"),
                }
            )
            for agent in self.possible_agents
        }
        self._actions = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self.position = self.coding.start(0)

    def observation_space(self, agent: str) -> Any:
        return self._observations[agent]

    def action_space(self, agent: str) -> Any:
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.position = self.coding.start(seed)
        self.agents = list(self.possible_agents)
        zero = dict.fromkeys(self.agents, 0.0)
        self.rewards, self._cumulative_rewards = dict(zero), dict(zero)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.coding.to_move(self.position)

    def observe(self, agent: str) -> dict[str, Any]:
        moves = not self.position.is_over and agent == self.coding.to_move(self.position)
        mask = self.coding.mask(self.position)
        return {
            "observation": self.coding.observation(self.position, agent),
            "action_mask": mask if moves else mask * 0,
        }

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self.position = self.position.play(self.coding.move(self.position, action))
        self._cumulative_rewards[agent] = 0.0
        self.rewards = self.coding.rewards(self.position)
        if self.position.is_over:
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[(self.agents.index(agent) + 1) % len(self.agents)]
        else:
            self.agent_selection = self.coding.to_move(self.position)
        self._accumulate_rewards()

    def render(self) -> str | None:
        return str(self.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is held open."""
