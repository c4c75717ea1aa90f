"""Networks that run in the core, beside ONNX Runtime running the same graphs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz import nets
from kibitz.nets.graph import Graph
from kibitz.nets.lowering import lowered
from kibitz.nets.program_builder import Unsupported
from kibitz.nets.quantize import calibrate, collect, divergence, weight_bits
from kibitz.nets.session import open_session
from tests.nets import shared, test_lc0_onnx
from tests.nets.katago_writer import katago_file
from tests.nets.lc0_attention_writer import VARIANTS, AttentionWriter
from tests.nets.lc0_writer import Lc0Writer
from tests.nets.players import go_games
from tests.nets.test_katago import random_inputs


def compared(model: Graph, inputs: dict[str, np.ndarray], tolerance: float = 1e-4) -> None:
    """Every output of both runtimes."""
    exact, native = open_session(model, "onnxruntime"), open_session(model, "native")
    assert native.inputs == exact.inputs
    names = lowered(model).outputs
    for name, a, b in zip(names, exact.run(names, inputs), native.run(names, inputs), strict=True):
        scale = max(1.0, float(np.abs(a).max()))
        assert np.abs(a.reshape(len(a), -1) - b).max() < tolerance * scale, name


def planes_of(count: int, channels: int, rows: int, columns: int) -> np.ndarray:
    random = np.random.default_rng(rows * columns + count)
    planes = (random.random((count, channels, rows, columns)) < 0.2).astype(np.float32)
    planes[:, 0] = 1
    return planes


@pytest.mark.parametrize("version", [8, 9, 10, 12, 14])
@pytest.mark.parametrize("size", [(9, 9), (3, 7), (2, 2)])
def test_katago_networks_of_every_version(tmp_path: Path, version: int, size: tuple[int, int]) -> None:
    file = tmp_path / "net.bin"
    file.write_bytes(katago_file(version))
    network = nets.load(file, runtime="native")
    shape = network.shape(*size)
    inputs = {"planes": planes_of(5, 22, *size), "globals": np.zeros((5, 19), np.float32)}
    model = network.graph(shape)
    if "optimism" in open_session(model, "native").inputs:
        inputs["optimism"] = np.full((5, 1), 0.3, np.float32)
    compared(model, inputs)


@pytest.mark.parametrize(
    "kind",
    [
        {"channels": 16},
        {"channels": 20, "se": False, "mish": True},
        {"channels": 32, "conv_policy": False, "wdl": False, "moves_left": True},
    ],
)
def test_lc0_networks(tmp_path: Path, kind: dict[str, Any]) -> None:
    file = tmp_path / "net.pb"
    file.write_bytes(Lc0Writer(**kind).file())
    network = nets.load(file, runtime="native")
    compared(network.graph(network.shape()), {"planes": planes_of(3, 112, 8, 8)})


def test_what_follows_a_convolution_may_be_used_twice() -> None:
    """A value that two steps read must not be taken into one of them."""
    random = np.random.default_rng(4)
    graph = Graph("forked")
    planes = graph.input("planes", (3, 6, 6))
    start = graph.conv(planes, random.normal(size=(16, 3, 3, 3)).astype(np.float32))
    weights = random.normal(size=(16, 16, 3, 3)).astype(np.float32)
    inner = graph.conv(start, weights)
    relu = graph.activation("relu", inner)  # `inner` is read here and below
    total = graph.add(graph.add(inner, relu), start)
    graph.output("total", graph.flatten(total), (576,))
    graph.output("relu", graph.flatten(relu), (576,))
    compared(graph, {"planes": planes_of(4, 3, 6, 6)})


def test_numbers_with_two_names_may_be_used_twice() -> None:
    graph = Graph("named twice")
    planes = graph.input("planes", (1, 2, 3))
    start = graph.conv(planes, np.ones((1, 1, 1, 1), np.float32))
    chain = graph.scaled(start, 3.0)
    flat = graph.flatten(chain)  # the same numbers, read under both names
    graph.output("more", graph.scaled(flat, 2.0), (6,))
    graph.output("square", graph.flatten(graph.multiply(chain, chain)), (6,))
    graph.output("flat", flat, (6,))
    graph.output("again", flat, (6,))
    compared(graph, {"planes": planes_of(2, 1, 2, 3)})


def test_a_network_it_cannot_run_is_named(tmp_path: Path) -> None:
    plain = test_lc0_onnx.written(tmp_path, AttentionWriter(VARIANTS["plain"]).file(), "plain.pb.gz")
    file = test_lc0_onnx.written(tmp_path, test_lc0_onnx.wrapped(test_lc0_onnx.model_of(plain)))
    with pytest.raises(Unsupported, match="the core cannot run the network itself: it has"):
        nets.load(file, runtime="native").session(8, 8)
    network = nets.load(file)
    assert network.session(8, 8).runtime != "native"
    assert network.direct(8, 8) is None


def test_a_transformer_in_int8_stays_close(tmp_path: Path) -> None:
    file = tmp_path / "net.bin"
    file.write_bytes(katago_file(17, transformer=True))
    exact = nets.load(file, runtime="native")
    planes, inputs = random_inputs(7, 7, 8)
    ranges = calibrate(exact, planes, inputs)
    assert {"trunk.3.queries.in", "trunk.4.first.in"} <= set(ranges)
    graph = exact.graph(exact.shape(7, 7), ranges, round_outputs=False, weight_bits=weight_bits("native"))
    session = open_session(graph, "native")
    policy, outcomes = session.run(("policy", "outcome"), exact.inputs_of(session, planes, inputs))
    same_policy, same_outcomes = exact(planes, inputs)
    assert not np.array_equal(policy, same_policy)
    assert divergence(same_policy, policy) < 0.01
    assert np.abs(outcomes[:, 0] - same_outcomes[:, 0]).mean() < 0.02


def test_int8_stays_close() -> None:
    exact = shared.network(shared.B6)
    planes, inputs = collect(exact, go_games(9), 32)
    ranges = calibrate(nets.load(exact.path, runtime="onnxruntime"), planes, inputs)
    graph = exact.graph(exact.shape(9, 9), ranges, round_outputs=False, weight_bits=weight_bits("native"))
    session = open_session(graph, "native")
    policy, outcomes = session.run(("policy", "outcome"), exact.inputs_of(session, planes, inputs))
    same_policy, same_outcomes = exact(planes, inputs)
    assert not np.array_equal(policy, same_policy)
    assert divergence(same_policy, policy) < 0.01
    assert np.abs(outcomes[:, 0] - same_outcomes[:, 0]).mean() < 0.01


class Watched:
    """A network that counts how often Python is asked."""

    def __init__(self, network: nets.Network, direct: bool) -> None:
        self.network = network
        self.calls = 0
        if direct:
            self.direct = network.direct

    def __call__(self, planes: Any, numbers: Any) -> Any:
        self.calls += 1
        return self.network(planes, numbers)


def test_a_search_needs_no_python() -> None:
    """The same search whether it asks the core or Python, and Python is asked only without `direct`."""
    network = nets.load(shared.network_path("maia-1900.pb.gz"), runtime="native")
    reports = []
    for direct in (True, False):
        watched = Watched(network, direct)
        engine = kibitz.Engine("chess", network=watched, threads=1, seed=3)
        reports.append(engine.analyze(kibitz.chess.Position(), visits=60))
        assert (watched.calls == 0) == direct
    assert [(move.move, move.visits) for move in reports[0].moves] == [
        (move.move, move.visits) for move in reports[1].moves
    ]
