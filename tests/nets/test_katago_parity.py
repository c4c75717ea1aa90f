"""KataGo's own answers at one visit against our graph, from features made by an independent oracle."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

from kibitz.nets import RUNTIMES, Evaluation, load
from kibitz.nets.session import installed_runtimes
from tests.nets import shared
from tests.nets.plain_features import Array, Game, features
from tests.nets.plain_go import BLACK

FILES = (
    "katago-b6c96-19x19-visits1.jsonl.gz",
    "katago-b6c96-boards-and-rules-visits1.jsonl.gz",
)

#: What KataGo's analysis mixes into the policy at the root, where a network has an optimistic policy.
ROOT_OPTIMISM = 0.2

Case = tuple[Game, dict[str, Any], Array, Array]


@functools.cache
def cases(file: str) -> tuple[Case, ...]:
    return tuple(
        (game := Game.of_query(line["query"]), line["answer"], *features(game))
        for line in shared.references(file)
    )


def check(game: Game, answer: dict[str, Any], said: Evaluation) -> None:
    """KataGo reported black's view: winrate, score and ownership are turned when white is to move."""
    sign = 1 if game.to_move == BLACK else -1
    policy = np.array(answer["policy"])
    legal = policy >= 0
    mine = np.zeros(len(policy), bool)
    mine[[*game.legal_points(), -1]] = True
    assert (mine == legal).all()
    weights = np.exp(said.policy[0] - said.policy[0].max()) * legal
    np.testing.assert_allclose((weights / weights.sum())[legal], policy[legal], atol=1e-5)
    root = answer["rootInfo"]
    win, nothing, loss, score = said.outcomes[0]
    assert (win if sign == 1 else loss) + nothing / 2 == pytest.approx(root["rawWinrate"], abs=1e-5)
    assert nothing == pytest.approx(root["rawNoResultProb"], abs=1e-6)
    assert sign * score == pytest.approx(root["rawScoreSelfplay"], abs=3e-4)
    assert sign * said["score_mean"][0] == pytest.approx(root["rawScoreSelfplay"], abs=3e-4)
    assert said["score_stdev"][0] == pytest.approx(root["rawScoreSelfplayStdev"], abs=3e-4)
    assert sign * said["lead"][0] == pytest.approx(root["rawLead"], abs=3e-4)
    assert said["var_time_left"][0] == pytest.approx(root["rawVarTimeLeft"], abs=1e-3)
    assert said["shortterm_winloss_error"][0] / 2 == pytest.approx(root["rawStWrError"], abs=1e-5)
    assert said["shortterm_score_error"][0] == pytest.approx(root["rawStScoreError"], abs=1e-4)
    if "ownership" in answer:
        np.testing.assert_allclose(sign * said.ownership[0], answer["ownership"], atol=1e-4)  # type: ignore[index]


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("file", FILES)
def test_every_reference_position(file: str, runtime: str) -> None:
    if runtime == "torch":
        pytest.importorskip("torch")
    elif runtime not in installed_runtimes():
        pytest.skip(f"{runtime} is not installed")
    network = load(shared.network_path(shared.B6), runtime=runtime)
    checked = 0
    for game, answer, planes, inputs in cases(file):
        check(game, answer, network.evaluate(planes[None], inputs[None]))
        checked += 1
    assert checked >= 50


@pytest.mark.parametrize(
    "name",
    [
        "katago-tiny-b2c16",
        "g170e-b15c192-s1672170752-d466197061",
        "kata1-b18c384nbt-s9996604416-d4316597426",
        "b10c384h6nbttflrs",
    ],
)
def test_other_networks(name: str) -> None:
    """Versions 9, 8, 14 (nested bottlenecks, Mish) and 15 (transformer), each as KataGo ran it."""
    network = shared.network(f"{name}.bin.gz")
    checked = 0
    for game, answer, planes, inputs in cases(f"{name}.jsonl.gz"):
        check(game, answer, network.evaluate(planes[None], inputs[None], ROOT_OPTIMISM))
        checked += 1
    assert checked == 13


def test_a_batch_says_what_single_positions_say() -> None:
    network = shared.network(shared.B6)
    batch = cases(FILES[0])[:16]
    policy, outcomes = network(np.stack([c[2] for c in batch]), np.stack([c[3] for c in batch]))
    assert policy.shape == (16, 362)
    assert outcomes.shape == (16, 4)
    assert policy.dtype == outcomes.dtype == np.float32
    assert policy.flags.c_contiguous
    assert outcomes.flags.c_contiguous
    for row, (_, _, planes, inputs) in enumerate(batch):
        alone = network(planes[None], inputs[None])
        np.testing.assert_allclose(policy[row], alone[0][0], atol=1e-4)
        np.testing.assert_allclose(outcomes[row, :3], alone[1][0, :3], atol=1e-5)
