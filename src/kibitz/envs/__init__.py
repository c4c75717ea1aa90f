"""Environments for reinforcement learning over every game: PettingZoo, Gymnasium, OpenSpiel.

>>> from kibitz.envs import aec_env
>>> env = aec_env("othello")
>>> env.reset(seed=1)
>>> env.agent_selection
'black'

`aec_env` needs `kibitz[envs]`, `gym_env` too, `spiel_game` `kibitz[openspiel]`.
"""

from __future__ import annotations

from typing import Any

from kibitz.games.registry import GameName

__all__ = ["aec_env", "gym_env", "spiel_game"]


def aec_env(game: GameName | str, **settings: Any) -> Any:
    """A PettingZoo environment: one agent a seat, who move in turn. `settings` are those of `Coding`.

    >>> env = aec_env("othello")
    >>> env.reset(seed=1)
    >>> env.agent_selection
    'black'
    """
    from kibitz.envs.aec import KibitzAec

    return KibitzAec(game, **settings)


def gym_env(game: GameName | str, opponent: Any = "random", **settings: Any) -> Any:
    """A Gymnasium environment: the agent has the first seat, `opponent` the others (`random`, a level such as
    `casual`, or a function that is given a position and returns a move).

    >>> env = gym_env("uttt")
    >>> observation, info = env.reset(seed=1)
    >>> env.step(int(observation["action_mask"].argmax()))[2]
    False
    """
    from kibitz.envs.single import KibitzGym

    return KibitzGym(game, opponent, **settings)


def spiel_game(game: GameName | str, **settings: Any) -> Any:
    """An OpenSpiel game, `kibitz_GAME` by name.

    >>> spiel_game("othello").num_players()
    2
    """
    from kibitz.envs.spiel import load

    return load(game, **settings)
