"""int8: how close it stays to fp32, what is kept in the cache, what stays in fp32."""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

import kibitz
from kibitz import nets
from kibitz.errors import BadOption, BadRequest
from kibitz.files.folders import cache_folder
from kibitz.games.networks import load_file
from kibitz.nets import cache, store
from kibitz.nets.family import Shape
from kibitz.nets.layer_range import LayerRange
from kibitz.nets.quantize import best_rounding, calibrate, collect, divergence, positions_for
from kibitz.nets.session import installed_runtimes
from kibitz.nets.tune import Tuning
from tests.nets import shared
from tests.nets.katago_writer import katago_file
from tests.nets.plain_features import Array, Game, features
from tests.nets.plain_go import BLACK, Board
from tests.nets.players import chess_games, go_games
from tests.nets.test_katago_parity import FILES, cases


@functools.cache
def calibration_positions() -> tuple[Array, Array]:
    return collect(shared.network(shared.B6), go_games(9), 48)


@pytest.mark.parametrize("runtime", [name for name in nets.RUNTIMES if name != "torch"])  # it has fp32 only
def test_int8_is_closer_to_fp32_than_its_mirror_image(runtime: str) -> None:
    """Calibrated on games it plays itself, judged on others: below the noise of mirroring the board."""
    if runtime not in installed_runtimes():
        pytest.skip(f"{runtime} is not installed")
    exact = shared.network(shared.B6)
    sizes = [case for case in cases(FILES[1]) if case[0].board.columns == case[0].board.rows == 9]
    planes, inputs = np.stack([case[2] for case in sizes]), np.stack([case[3] for case in sizes])
    quick = nets.load(
        exact.path,
        precision="int8",
        runtime=runtime,
        calibration=lambda network, shape: calibration_positions(),
    )
    policy, outcomes = exact(planes, inputs)
    mirrored, mirrored_outcomes = exact(np.ascontiguousarray(planes[:, :, :, ::-1]), inputs)
    board = mirrored[:, :81].reshape(-1, 9, 9)[:, :, ::-1].reshape(-1, 81)
    mirrored = np.concatenate([board, mirrored[:, 81:]], axis=1)
    rounded, rounded_outcomes = quick(planes, inputs)

    def winrate_error(other: Array) -> float:
        return float(np.abs(other[:, 0] - outcomes[:, 0]).mean())

    assert not np.allclose(rounded, policy, atol=1e-4)
    assert divergence(policy, rounded) < divergence(policy, mirrored) / 2
    assert winrate_error(rounded_outcomes) < winrate_error(mirrored_outcomes)


def test_the_first_layer_and_the_heads_stay_in_fp32(tmp_path: Path) -> None:
    network = nets.load(shared.network_path(shared.TINY), runtime="onnxruntime")
    planes, inputs = positions(9, 8)
    ranges = calibrate(network, planes, inputs)
    assert all(low <= 0 <= high and low < high for low, high in ranges.values())
    model = onnx.load_from_string(network.graph(network.shape(9), ranges).model())
    onnx.checker.check_model(model, full_check=True)
    made_by = {output: node for node in model.graph.node for output in node.output}
    convs = [node for node in model.graph.node if node.op_type == "Conv"]
    kinds = Counter(made_by[node.input[0]].op_type if node.input[0] in made_by else "input" for node in convs)
    # Two blocks, one of them with a pooling branch: five layers in int8, six in fp32.
    assert kinds["DequantizeLinear"] == 5
    assert kinds["input"] == 1
    assert len(convs) == 11
    every = onnx.load_from_string(network.graph(network.shape(9), ranges, edges=True).model())
    assert sum(node.op_type == "QuantizeLinear" for node in every.graph.node) > sum(
        node.op_type == "QuantizeLinear" for node in model.graph.node
    )
    for node in convs:
        inside = made_by.get(node.input[0])
        rounded = inside is not None and inside.op_type == "DequantizeLinear"
        weights = made_by.get(node.input[1])
        assert (weights is not None and weights.op_type == "DequantizeLinear") == rounded


def positions(size: int, count: int) -> tuple[Array, Array]:
    made = [features(Game(Board(size, size), "SIMPLE", "AREA", "NONE", False, 7.0, to_move=BLACK))] * count
    return np.stack([pair[0] for pair in made]), np.stack([pair[1] for pair in made])


def test_the_closer_rounding_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """A runtime that goes wrong where outputs are not rounded is given rounded ones, and only then."""
    network = nets.load(shared.network_path(shared.TINY), runtime="onnxruntime")
    planes, inputs = positions(7, 4)
    ranges = calibrate(network, planes, inputs)
    assert best_rounding(network, "onnxruntime", ranges, planes, inputs)
    wrong = {False: 0.0, True: 0.0}

    class Faulty:
        runtime = "faulty"
        inputs = frozenset({"planes", "globals"})

        def __init__(self, rounded: bool) -> None:
            self.error = wrong[rounded]

        def run(self, outputs: object, inputs: dict[str, Array]) -> list[Array]:
            policy, outcomes = network(inputs["planes"], inputs["globals"])
            return [policy * (1 - self.error), outcomes]

    made = iter([False, True] * 2)
    monkeypatch.setattr("kibitz.nets.quantize.open_session", lambda model, runtime: Faulty(next(made)))
    wrong[False] = 0.9
    assert best_rounding(network, "faulty", ranges, planes, inputs)
    wrong.update({False: 0.01, True: 0.1})
    assert not best_rounding(network, "faulty", ranges, planes, inputs)


def test_calibration_is_done_once(tmp_path: Path) -> None:
    asked = []

    def calibration(network: nets.Network, shape: Shape) -> tuple[Array, Array]:
        asked.append((network.precision, shape.rows))
        return positions(shape.rows, 4)

    def load(calibrated: bool = True) -> nets.Network:
        return nets.load(
            shared.network_path(shared.TINY),
            precision="int8",
            runtime="onnxruntime",
            calibration=calibration if calibrated else None,
        )

    first = load()(*positions(7, 2))
    assert asked == [("fp32", 7)]
    again = load(calibrated=False)(*positions(7, 2))
    np.testing.assert_array_equal(first[0], again[0])
    load()(*positions(5, 2))
    assert asked == [("fp32", 7), ("fp32", 5)]
    with pytest.raises(BadRequest, match="is not calibrated for int8 on 6x6; use fp32 or calibrate it first"):
        load(calibrated=False).session(6)
    load(calibrated=False).calibrate(*positions(6, 2))
    assert load(calibrated=False)(*positions(6, 1))[0].shape == (1, 37)


def test_a_damaged_cache_is_made_again(tmp_path: Path) -> None:
    def load() -> nets.Network:
        return nets.load(
            shared.network_path(shared.TINY),
            precision="int8",
            runtime="onnxruntime",
            calibration=lambda network, shape: positions(shape.rows, 4),
        )

    first = load()(*positions(7, 2))
    files = [item for item in (cache_folder() / "int8").iterdir() if item.is_file()]
    assert {item.suffix for item in files} == {".json"}
    for file in files:
        data = bytearray(file.read_bytes())
        data[len(data) // 2] ^= 1
        file.write_bytes(data)
    np.testing.assert_array_equal(first[0], load()(*positions(7, 2))[0])


def test_a_cache_that_cannot_be_written_is_no_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path / "file"))
    assert not cache.write("a/b", b"data")
    assert cache.read("a/b") is None


def test_collect_plays_games(tmp_path: Path) -> None:
    network = shared.network(shared.TINY)
    planes, inputs = collect(network, go_games(5), 30, seed=3)
    assert planes.shape == (30, 22, 5, 5)
    assert inputs.shape == (30, 19)
    stones = planes[:, 1:3].sum(axis=(1, 2, 3))
    assert len(set(stones.tolist())) >= 5  # from every part of the game
    same, _ = collect(network, go_games(5), 30, seed=3)
    np.testing.assert_array_equal(planes, same)
    other, _ = collect(network, go_games(5), 30, seed=4)
    assert not np.array_equal(planes, other)


def test_collect_plays_chess() -> None:
    network = shared.network("maia-1100.pb.gz")
    planes, inputs = collect(network, chess_games(), 20, seed=5)
    assert planes.shape == (20, 112, 8, 8)
    assert inputs.shape == (20, 0)
    assert set(planes[:, 108].reshape(20, -1).max(axis=1).tolist()) == {0.0, 1.0}  # either side to move


def test_calibration_by_games_of_the_core() -> None:
    path = shared.network_path("maia-1100.pb.gz")
    calibration = nets.self_play(lambda shape: kibitz.chess.Position().state)
    quick = nets.load(path, precision="int8", runtime="onnxruntime", calibration=calibration)
    planes, inputs = collect(shared.network("maia-1100.pb.gz"), chess_games(), 20, seed=6)
    exact, rounded = (network(planes, inputs)[1] for network in (shared.network(path.name), quick))
    assert 1e-6 < np.abs(exact - rounded).mean() < 0.02


def test_calibration_says_how_far_it_is(tmp_path: Path) -> None:
    path = tmp_path / "net.bin"
    path.write_bytes(katago_file(8))
    heard: list[tuple[str, int, int]] = []
    network = load_file("go", str(path), precision="int8", progress=lambda *step: heard.append(step))
    network.session(9, 9)
    count = positions_for(network.shape(9, 9))
    assert [step for step, _ in itertools.groupby(heard, lambda item: item[0])] == [
        "playing",
        "watching layers",
    ]
    for step in ("playing", "watching layers"):
        done = [item[1] for item in heard if item[0] == step]
        assert done == sorted(done)
        assert done[-1] == count
    assert {item[2] for item in heard} == {count}


def test_one_look_gives_several_moves_of_go() -> None:
    network = shared.network(shared.TINY)
    asked = 0

    class Counted:
        game = "go"

        def __call__(self, planes: Any, inputs: Any) -> Any:
            nonlocal asked
            asked += len(planes)
            return network(planes, inputs)

    planes, _ = collect(Counted(), go_games(9), 48, seed=1)  # type: ignore[arg-type]
    # Two moves a look, one position in five taken.
    assert len(planes) == 48
    assert asked < 1.5 * 48 / 0.2
    stones = planes[:, 1:3].sum(axis=(1, 2, 3))
    assert stones.max() > 20


def test_the_bundled_network_plays_for_large_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A large network is asked about the positions it is watched on, and about no others."""
    path = tmp_path / "net.bin"
    path.write_bytes(katago_file(8))
    asked: Counter[str] = Counter()
    whole = nets.Network.__call__

    def counted(network: nets.Network, planes: Array, inputs: Array | None = None) -> Any:
        asked[network.name] += len(planes)
        return whole(network, planes, inputs)

    monkeypatch.setattr(nets.Network, "__call__", counted)
    load_file("go", str(path), precision="int8", runtime="native").session(9, 9)
    assert len(asked) == 1
    assert "random-net" not in asked
    assert asked.total() >= positions_for(nets.load(path).shape(9, 9))


def test_layers_that_read_one_value_share_its_range() -> None:
    """Watching adds an output for each value, not for each layer."""
    network = nets.load(shared.network_path(shared.TINY), runtime="native")
    graph = network.graph(network.shape(9))
    watched = graph.watch_outputs()
    assert set(watched) == set(graph.watched)
    assert len(set(watched.values())) == len(set(graph.watched.values())) < len(watched)
    ranges = calibrate(network, *positions(9, 2))
    for name, output in watched.items():
        assert ranges[name] == ranges[output]


@pytest.mark.parametrize("sign", [1, -1])
def test_rare_large_values_count(sign: int) -> None:
    """One value in a hundred thousand, far outside the others: cutting it off costs more than coarse steps,
    unless it is alone."""
    random = np.random.default_rng(1)
    values = np.abs(random.normal(size=400_000)).astype(np.float32)
    values[::100_000] = 40.0
    layer, plain = LayerRange(), LayerRange()
    for part in np.split(sign * values, 8):
        layer.add(part)
    plain.add(sign * np.minimum(values, 4.0))
    low, high = layer.best()
    assert 11.9 < high - low < 40.0
    low, high = plain.best()
    assert 3.0 < high - low <= 4.0
    assert (low == 0) == (sign > 0)

    def error(limit: float) -> float:
        step = limit / 255
        rounded = np.minimum(np.rint(values / step), 255) * step
        return float(np.square(rounded - values).mean())

    low, high = layer.best()
    tried = [share * 40.0 for share in np.linspace(0.3, 1.0, 36)]
    assert error(high - low) <= 1.02 * min(error(limit) for limit in tried)


def test_wrong_options_are_named(tmp_path: Path) -> None:
    path = tmp_path / "net.bin"
    path.write_bytes(katago_file(8))
    with pytest.raises(BadOption, match="unknown precision 'int4'; expected one of fp32, int8, int8-all"):
        nets.load(path, precision="int4")
    with pytest.raises(BadOption, match="unknown runtime 'abacus'"):
        nets.load(path, runtime="abacus")
    network = nets.load(path)
    with pytest.raises(BadRequest, match="calibration needs planes"):
        calibrate(network, np.zeros((0, 22, 9, 9), np.float32))
    assert positions_for(network.shape(19)) == 24
    assert positions_for(network.shape(5)) == 64


def test_tuning_is_measured_once_and_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.nets.tune._is_busy", lambda cores: False)
    network = nets.load(shared.network_path(shared.TINY))
    seen: list[Tuning] = []
    best = network.tune(5, progress=seen.append)
    assert best in seen
    assert best.per_second > 0
    assert best.batch in (1, 2, 4, 8, 16, 32)
    assert str(best).startswith(f"{best.runtime}, {best.streams} x {best.threads} thread")
    assert (network.runtime, network.threads, network.streams) == (best.runtime, best.threads, best.streams)
    count = len(seen)
    assert network.tune(5, progress=seen.append) == best
    assert len(seen) == count
    assert network(*positions(5, 3))[0].shape == (3, 26)


def test_networks_are_found_by_name(tmp_path: Path) -> None:
    assert store.names() == []
    source = tmp_path / "some.bin"
    source.write_bytes(katago_file(8))
    network = store.add(source, "mine")
    assert store.names() == ["mine.bin"]
    assert nets.find("mine") == nets.find("mine.bin") == network.path
    assert nets.load(nets.find("mine")).name == "random-net"
    assert nets.find(source) == source
    with pytest.raises(BadOption, match="the name of a network is a file name"):
        store.add(source, "../elsewhere")
    with pytest.raises(nets.BadNetwork, match="there is no such network file"):
        nets.load(nets.find("yours"))
