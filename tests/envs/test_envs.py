"""Environments over every game, tried by PettingZoo's, Gymnasium's and OpenSpiel's own tests."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz.envs.coding import Coding
from kibitz.errors import BadOption
from kibitz.games import registry

SETTINGS: list[tuple[str, dict[str, Any]]] = [
    *((game, {}) for game in registry.BUILT_IN),
    ("go", {"size": 5}),
    ("junqi", {"players": 2}),
]
IDS = [" ".join([game, *map(str, settings.values())]) for game, settings in SETTINGS]
every = pytest.mark.parametrize(("game", "settings"), SETTINGS, ids=IDS)


@every
def test_every_legal_move_has_a_number_of_its_own(game: str, settings: dict[str, Any]) -> None:
    coding = Coding(game, **settings)
    position, chance = coding.start(1), np.random.default_rng(1)
    for _ in range(60):
        if position.is_over:
            break
        legal = coding.legal(position)
        assert len(legal) == len(position.legal_moves)
        assert max(legal) < coding.actions
        assert coding.observation(position, coding.seats[0]).shape == coding.shape
        position = position.play(legal[int(chance.choice(list(legal)))])


@every
def test_pettingzoo_api(game: str, settings: dict[str, Any]) -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test, seed_test

    from kibitz.envs import aec_env

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its advice about shapes and ranges
        api_test(aec_env(game, **settings), num_cycles=60)
        seed_test(lambda: aec_env(game, **settings), num_cycles=20)


@every
def test_gymnasium_api(game: str, settings: dict[str, Any]) -> None:
    pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    from kibitz.envs import gym_env

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(gym_env(game, **settings), skip_render_check=True)


# A whole game with what four seats see at every step takes too long.
@pytest.mark.parametrize(("game", "settings"), [row for row in SETTINGS if row != ("junqi", {})])
def test_openspiel_api(game: str, settings: dict[str, Any]) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from kibitz.envs import spiel_game

    pyspiel.random_sim_test(spiel_game(game, **settings), num_sims=1, serialize=False, verbose=False)


def test_a_seat_of_junqi_is_not_shown_what_it_may_not_know() -> None:
    coding = Coding("junqi")
    one, other = coding.start(1), coding.start(2)
    mine = [piece for piece in one.view("S").state.standing() if piece[1] == 0]  # type: ignore[attr-defined]
    assert mine != [piece for piece in other.view("S").state.standing() if piece[1] == 0]  # type: ignore[attr-defined]
    # Two deals that differ in hidden pieces alone look the same to a seat.
    layouts = [one.layout(seat) for seat in "SENW"]  # type: ignore[attr-defined]
    swapped = [layouts[0], *(other.layout(seat) for seat in "ENW")]  # type: ignore[attr-defined]
    same = kibitz.junqi.Position.deal(swapped)
    assert swapped != layouts
    assert np.array_equal(coding.observation(one, "S"), coding.observation(same, "S"))
    assert not np.array_equal(coding.observation(one, "S"), coding.observation(one, "E"))


def test_a_gymnasium_game_is_played_to_its_end_against_a_level() -> None:
    pytest.importorskip("gymnasium")
    from kibitz.envs import gym_env

    env = gym_env("uttt", opponent="beginner")
    seen, _ = env.reset(seed=4)
    reward, over = 0.0, False
    while not over:
        seen, reward, over, _, _ = env.step(int(np.flatnonzero(seen["action_mask"])[0]))
    assert reward in (-1.0, 0.0, 1.0)
    assert env.position.is_over
    seen, _ = env.reset(seed=4)
    illegal = int(np.flatnonzero(seen["action_mask"] == 0)[0]) if not seen["action_mask"].all() else -1
    assert env.step(illegal)[1:3] == (-1.0, True)


def test_a_number_of_no_legal_move_is_named() -> None:
    coding = Coding("othello")
    with pytest.raises(BadOption, match="0 is the number of no legal move"):
        coding.move(coding.start(0), 0)
