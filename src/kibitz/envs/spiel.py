"""Every game as a game of OpenSpiel, `kibitz_GAME`.

>>> game = load("othello")
>>> state = game.new_initial_state()
>>> [state.action_to_string(action) for action in state.legal_actions()]
['d3', 'c4', 'f5', 'e6']
"""

from __future__ import annotations

from functools import cache
from typing import Any

from kibitz.envs.coding import Coding
from kibitz.errors import NotInstalled
from kibitz.games import registry

try:
    import pyspiel
except ModuleNotFoundError:  # pragma: no cover
    raise NotInstalled("open-spiel", "a game of OpenSpiel") from None

#: No game is longer; the rules end all of them earlier.
_LONGEST = 20_000


def load(game: str, **settings: Any) -> Any:
    """The game, registered with OpenSpiel at its first use. Junqi takes `players` and `seed`, which deals the
    set-ups; Go takes `size`."""
    _register(game)
    return pyspiel.load_game(f"kibitz_{game}", {**_parameters(game), **settings})


def _parameters(game: str) -> dict[str, Any]:
    """Parameters of a game with their defaults, as OpenSpiel wants to know them."""
    info = registry.get(game)
    return {**info.agent_settings, **({} if info.deals is None else {"seed": 0})}


@cache
def _register(game: str) -> None:
    defaults = _parameters(game)
    coding = Coding(game, **{name: value for name, value in defaults.items() if name != "seed"})
    kinds = pyspiel.GameType
    hides = coding.start(0).hides
    kind = kinds(
        short_name=f"kibitz_{game}",
        long_name=f"Kibitz {coding.info.title}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.IMPERFECT_INFORMATION
        if hides
        else kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=max(2, len(coding.seats)),
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=defaults,
    )
    pyspiel.register_game(kind, _game_class(game, kind))


def _game_class(game: str, kind: Any) -> Any:
    class Game(pyspiel.Game):
        def __init__(self, params: Any = None) -> None:
            settings = dict(params or {})
            self.seed = int(settings.pop("seed", 0))
            self.coding = Coding(game, **settings)
            info = pyspiel.GameInfo(
                num_distinct_actions=self.coding.actions,
                max_chance_outcomes=0,
                num_players=len(self.coding.seats),
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0,
                max_game_length=_LONGEST,
            )
            super().__init__(kind, info, params or {})

        def new_initial_state(self) -> Any:
            return _State(self)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
            return _Observer(self.coding)

    return Game


class _State(pyspiel.State):
    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self._coding: Coding = game.coding
        self.position = game.coding.start(game.seed)

    def current_player(self) -> int:
        if self.position.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return self._coding.seats.index(self._coding.to_move(self.position))

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self._coding.legal(self.position)) if player == self.current_player() else []

    def _apply_action(self, action: int) -> None:
        self.position = self.position.play(self._coding.move(self.position, action))

    def _action_to_string(self, player: int, action: int) -> str:
        return self._coding.legal(self.position).get(action, str(action))

    def is_terminal(self) -> bool:
        return bool(self.position.is_over)

    def returns(self) -> list[float]:
        return list(self._coding.rewards(self.position).values())

    def __str__(self) -> str:
        return str(self.position.notation)


class _Observer:
    """What a player sees, as an array and as text."""

    def __init__(self, coding: Coding) -> None:
        import numpy as np

        self._coding = coding
        shape = coding.shape
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: _State, player: int) -> None:
        seat = self._coding.seats[player]
        self.dict["observation"][:] = self._coding.observation(state.position, seat)

    def string_from(self, state: _State, player: int) -> str:
        return str(state.position.shown_to(self._coding.seats[player], "english"))
