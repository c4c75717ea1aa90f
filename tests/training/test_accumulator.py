"""The accumulator layout: what PyTorch trains is what the core asks at every position of a search."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz import _native
from kibitz.errors import BadOption
from kibitz.nets import load
from kibitz.nets.files import BadNetwork
from kibitz.request import Budget
from kibitz.training.samples import SampleWriter
from kibitz.training.selfplay import run_selfplay
from kibitz.training.settings import SelfplaySettings
from kibitz.training.train.config import (
    DataConfig,
    ModelConfig,
    OptimizerConfig,
    RunConfig,
    TrainConfig,
)
from tests.training.test_samples import samples

torch = pytest.importorskip("torch")

from kibitz.nets.own.core import core_network  # noqa: E402
from kibitz.nets.own.file import write_own  # noqa: E402
from kibitz.training.export import export_network  # noqa: E402
from kibitz.training.model.tensors import file_tensors  # noqa: E402
from kibitz.training.train.trainer import Trainer  # noqa: E402
from tests.training.test_model import shaken  # noqa: E402

MODEL = {"layout": "accumulator", "filters": 32, "policy_filters": 16}


def positions(count: int, seed: int = 4) -> list[Any]:
    dice = random.Random(seed)
    usable: list[Any] = []
    while len(usable) < count:
        position = kibitz.chess.Position()
        for _ in range(dice.randint(0, 60)):
            if position.is_over:
                break
            position = position.play(dice.choice(position.legal_moves))
        # Planes do not tell of en passant.
        if not position.is_over and position.fen.split()[3] == "-":
            usable.append(position)
    return usable


KINDS: dict[str, dict[str, bool]] = {
    "correction": {},
    "terms": {"terms": True},
    "layer": {"terms": True, "term_layer": True},
}


@pytest.fixture(scope="module", params=KINDS)
def net(request: pytest.FixtureRequest) -> Any:
    net = shaken("chess", "", **MODEL, **KINDS[request.param])
    if net.terms is not None:
        # What labels lean to is not part of the file; here it is what the move is worth.
        with torch.no_grad():
            net.lean.copy_(net.terms.weight[_native.chess_term_kinds()["move"]])
    return net


@pytest.fixture
def file(net: Any, tmp_path: Path) -> Path:
    path = tmp_path / "a.knet"
    path.write_bytes(write_own(net.arch, file_tensors(net), {"name": "sums"}, "fp32"))
    return path


def test_the_core_says_what_was_trained(net: Any, file: Path) -> None:
    """To what 16 bits make of the sums."""
    shown = positions(20)
    planes = np.stack([position.state.encode()[0] for position in shown])
    network = load(file, game="chess")
    with torch.no_grad():
        outputs = net(torch.from_numpy(planes), torch.zeros(len(planes), 0))
    win, draw, _ = outputs["outcome"].exp().numpy().T
    expected = win + draw / 2
    core = network.definition.core
    said = [1 / (1 + np.exp(-core.logit(position.state))) for position in shown]
    np.testing.assert_allclose(said, expected, atol=0.01)
    policy = network.evaluate(planes).policy
    for row, position in enumerate(shown):
        moves = [position.state.policy_index(move) for move in position.state.board_moves()]
        np.testing.assert_allclose(policy[row, moves], outputs["policy"][row, moves], atol=0.02)
        assert (np.delete(policy[row], moves) < -1000).all()
        priors = np.exp(policy[row, moves] - policy[row, moves].max())
        np.testing.assert_allclose(core.priors(position.state), priors / priors.sum(), atol=1e-4)


def test_only_quiet_positions_teach_a_value(net: Any) -> None:
    fens = (
        "6k1/p7/8/8/8/8/P3R3/6K1 w - - 0 1",
        "6k1/p7/8/3q4/8/3R4/P7/6K1 w - - 0 1",
        "4k3/p7/8/8/4r3/8/P7/4K3 w - - 0 1",
    )
    planes = np.stack([kibitz.chess.Position(fen).state.encode()[0] for fen in fens])
    with torch.no_grad():
        outputs = net(torch.from_numpy(planes), torch.zeros(3, 0))
    assert outputs["value_weight"].tolist() == [1, 0, 0]


def test_a_mirrored_board_is_worth_the_same(net: Any) -> None:
    core = core_network(net.arch, file_tensors(net))
    one = kibitz.chess.Position("3r2k1/5ppp/8/3P4/8/2N5/1P3PPP/6K1 w - - 0 1").state
    other = kibitz.chess.Position("1k2r3/ppp5/8/4P3/8/5N2/PPP3P1/1K6 w - - 0 1").state
    assert core is not None
    assert core.logit(one) == core.logit(other)
    assert sorted(core.priors(one)) == pytest.approx(sorted(core.priors(other)), abs=1e-6)
    turned = kibitz.chess.Position("6k1/1p3ppp/2n5/8/3p4/8/5PPP/3R2K1 b - - 0 1").state
    assert core.logit(one) == core.logit(turned)


def test_a_search_asks_it(file: Path) -> None:
    """Its priors are the network's, and so is the value of a position that is quiet."""
    start = kibitz.chess.Position()
    with kibitz.Engine("chess", network=file, threads=1, seed=1) as engine:
        assert engine.network_name == "sums"
        report = engine.analyze(start, visits=50)
    core = load(file).definition.core
    moves = [start.state.move_text(move) for move in start.state.board_moves()]
    priors = dict(zip(moves, core.priors(start.state), strict=True))
    for info in report.moves:
        assert info.prior == pytest.approx(priors[info.move], abs=0.01)
    with kibitz.Engine("chess", network="none", threads=1, seed=1) as engine:
        plain = engine.analyze(start, visits=50)
    assert [info.prior for info in plain.moves] != [info.prior for info in report.moves]


def test_it_plays_with_itself(file: Path, tmp_path: Path) -> None:
    settings = SelfplaySettings("chess", games=2, budget=Budget(visits=4), plies=6, network=str(file))
    assert list(run_selfplay(settings, tmp_path / "games.jsonl")) == [0, 1, 2]


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_of_it(tmp_path: Path, kind: str) -> None:
    with SampleWriter(tmp_path / "data", "chess", shard_positions=60) as writer:
        for seed in range(6):
            writer.add(samples("chess", seed))
    config = TrainConfig(
        RunConfig(str(tmp_path / "run"), steps=20, threads=1, log_every=5, precision="fp32"),
        DataConfig((str(tmp_path / "data"),), batch=32, holdout=0, shards_at_once=4),
        ModelConfig(game="chess", **MODEL, **KINDS[kind]),
        OptimizerConfig(rate=1e-2, warmup=2, average=0.9),
    )
    rows: list[dict[str, Any]] = []
    Trainer(config).run(rows.append)
    assert rows[-1]["total"] < rows[0]["total"]
    export_network(tmp_path / "run", tmp_path / "a.knet")
    about = load(tmp_path / "a.knet", game="chess").model.about
    assert about["configuration"]["model"]["layout"] == "accumulator"


@pytest.mark.parametrize("name", ["a.pb.gz", "a.onnx"])
def test_other_programs_do_not_know_it(file: Path, tmp_path: Path, name: str) -> None:
    with pytest.raises(BadOption, match="accumulator"):
        export_network(file, tmp_path / name)


def test_sizes_that_the_core_does_not_run(net: Any) -> None:
    tensors = file_tensors(net)
    odd = replace(net.arch, filters=24)
    with pytest.raises(BadNetwork, match="multiple of 32"):
        core_network(odd, {**tensors, "pieces.bias": np.zeros(24, np.float32)})
    part = "terms.weights" if net.arch.terms else "value.bias"
    with pytest.raises(BadNetwork, match="another size"):
        core_network(net.arch, {**tensors, part: np.zeros(3, np.float32)})
    with pytest.raises(BadNetwork, match="terms are of the accumulator layout"):
        replace(net.arch, terms=7)
    with pytest.raises(BadNetwork, match="term_filters are of a score of terms, 32, got 8"):
        replace(net.arch, term_filters=8)
    if net.arch.term_filters:
        with pytest.raises(BadNetwork, match="another size"):
            core_network(net.arch, {**tensors, "terms.output": np.zeros(3, np.float32)})
    with pytest.raises(ValueError, match="0 kings, expected 1"):
        _native.chess_hand_view(np.zeros((1, 112, 8, 8), np.float32))
