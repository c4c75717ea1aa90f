"""A game written in Python goes the whole way: self-play, samples, training, a file, a network that plays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kibitz
from examples.connect_four import ConnectFour
from kibitz.errors import BadOption
from kibitz.games import registry
from kibitz.nets import load
from kibitz.request import Budget
from kibitz.training.selfplay import play_games
from kibitz.training.settings import SelfplaySettings

torch = pytest.importorskip("torch")
pytest.importorskip("pyarrow", reason="samples need pyarrow")

from kibitz.nets.own.file import write_own  # noqa: E402
from kibitz.training.loop import TrainingLoop  # noqa: E402
from kibitz.training.loop_config import GatePart, LoopConfig, LoopPlace, TrainPart  # noqa: E402
from kibitz.training.loop_trainer import LoopTrainer  # noqa: E402
from kibitz.training.model.tensors import file_tensors  # noqa: E402
from kibitz.training.samples.searched import samples_of_game  # noqa: E402
from kibitz.training.train.config import ModelConfig, architecture_of  # noqa: E402
from tests.training.test_model import SMALL, chances, inputs, shaken  # noqa: E402


class TwoPlanes(ConnectFour):
    """The same game with two outputs for each cell and one for a pass; even columns use the second plane."""

    name = "two_planes"
    policy_size = 2 * 42 + 1

    def play(self, move: str) -> TwoPlanes:
        return type(self)(*super().play(move).stones)

    def policy_index(self, move: str) -> int:
        return super().policy_index(move) + 42 * ("abcdefg".index(move) % 2)


@pytest.fixture(autouse=True)
def two_planes(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(registry, "_python_games", dict(registry._python_games))
    return kibitz.register(TwoPlanes)


@pytest.mark.parametrize(("game", "policy"), [("connect_four", 42), ("two_planes", 85)])
def test_the_core_runs_networks_of_any_policy_and_board(tmp_path: Path, game: str, policy: int) -> None:
    net = shaken(game, "fixed")
    assert (net.arch.rows, net.arch.columns, net.arch.policy_planes) == (6, 7, policy // 42)
    path = tmp_path / "a.knet"
    path.write_bytes(write_own(net.arch, file_tensors(net), {"name": "a"}, "fp32"))
    network = load(path, game=game, runtime="native")
    assert str(network.definition.boards) == "6x7"
    planes, numbers = inputs(net, 3, 6, 7)
    said = network.evaluate(planes, None)
    with torch.no_grad():
        outputs = net(torch.from_numpy(planes), torch.from_numpy(numbers))
    assert said.policy.shape == (3, policy)
    np.testing.assert_allclose(said.policy, outputs["policy"].numpy(), atol=2e-4)
    np.testing.assert_allclose(said.outcomes[:, :3], chances(outputs, "pooling"), atol=1e-4)


def test_the_second_plane_is_where_the_game_says(tmp_path: Path, two_planes: Any) -> None:
    """What a search takes for priors is the policy at the index of each move."""
    net = shaken("two_planes", "fixed")
    path = tmp_path / "a.knet"
    path.write_bytes(write_own(net.arch, file_tensors(net), {"name": "a"}, "fp32"))
    position = two_planes.Position()
    with kibitz.Engine("two_planes", network=path) as engine:
        report = engine.analyze(position, visits=10, unvisited=True)
    logits = load(path, runtime="native").evaluate(position.state.encode()[0][None], None).policy[0]
    shares = np.exp([logits[position.state.position.policy_index(move)] for move in "abcdefg"])
    for info in report.moves:
        expected = shares["abcdefg".index(info.move)] / shares.sum()
        assert info.prior == pytest.approx(expected, abs=2e-3)


def test_a_policy_that_fits_no_board_is_refused() -> None:
    kibitz.register(
        type(
            "Odd",
            (TwoPlanes,),
            {"name": "odd", "policy_size": 50, "policy_index": lambda self, move: ord(move) - 97},
        )
    )
    with pytest.raises(BadOption, match="has 50 outputs; this layout has some for each of the 42 points"):
        architecture_of(ModelConfig(game="odd", **SMALL))


def test_samples_say_what_was_played() -> None:
    settings = SelfplaySettings("connect_four", games=3, budget=Budget(visits=16), seed=1)
    for game in play_games(settings, range(3), processes=0):
        rows = samples_of_game(game, "a")
        assert rows is not None
        assert game.result is not None
        position = registry.get("connect_four").position()
        assert len(rows.planes) == len(game.moves)
        for row, (move, search) in enumerate(zip(game.moves, game.searches, strict=True)):
            assert search is not None
            own, other = rows.planes[row]
            cells = np.array([list(line) for line in position.notation.split("/")])
            np.testing.assert_array_equal(own, cells == "xo"[position.to_move])
            np.testing.assert_array_equal(other, cells == "ox"[position.to_move])
            shares = dict(zip(*rows.policy[row], strict=True))
            total = sum(search.visits.values())
            assert sum(shares.values()) == pytest.approx(1.0, abs=1e-3)
            for tried, visits in search.visits.items():
                # The lowest free cell of the column.
                column = "abcdefg".index(tried)
                lowest = max(at for at in range(6) if cells[at][column] == ".")
                assert shares[7 * lowest + column] == pytest.approx(visits / total, abs=1e-3)
            won = game.result if position.to_move == 0 else 1 - game.result
            assert rows.value[row].tolist() == [float(won == 1), float(won == 0.5), float(won == 0)]
            position = position.play(move)


def test_a_loop_makes_a_network_that_plays(tmp_path: Path) -> None:
    config = LoopConfig(
        SelfplaySettings("connect_four", games=4, budget=Budget(visits=8), options={"rule": "gumbel"}),
        seed=1,
        generations=1,
        model=SMALL,
        train=TrainPart(steps=3, batch=8),
        gate=GatePart(games=2, visits=4, opening_plies=2),
        fleet=LoopPlace(parallel=4),
    )
    steps = list(TrainingLoop(config, tmp_path, LoopTrainer(config)).run())
    assert [step.generation for step in steps if step.stage == "finished"] == [1]
    network = tmp_path / "gen-0001" / "net.knet"
    with kibitz.Engine("connect_four", network=network) as engine:
        assert engine.preset == "puct"
        report = engine.analyze(registry.get("connect_four").position().play("d"), visits=40)
    assert report.best in "abcdefg"
    assert sum(info.prior for info in report.moves) == pytest.approx(1.0, abs=1e-3)
