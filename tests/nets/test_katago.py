"""KataGo files of every version and kind of block, against a plain evaluation of what they hold."""

from __future__ import annotations

import gzip
import math
from pathlib import Path

import numpy as np
import onnx
import pytest

from kibitz.errors import BadRequest, KibitzError
from kibitz.nets import BadNetwork, Network, load
from kibitz.nets.katago import KataGoModel
from tests.nets import plain_katago
from tests.nets.katago_writer import Writer, katago_file

VERSIONS = (*range(8, 18),)


def random_inputs(rows: int, columns: int, count: int = 1) -> tuple[plain_katago.Array, plain_katago.Array]:
    random = np.random.default_rng(rows * columns)
    planes = (random.random((count, 22, rows, columns)) < 0.3).astype(np.float32)
    planes[:, 0] = 1
    inputs = random.standard_normal((count, 19)).astype(np.float32)
    inputs[:, 6], inputs[:, 9] = 0, 0  # simple ko: a game can end without a result
    return planes, inputs


def network_of(folder: Path, data: bytes, name: str = "net.bin") -> Network:
    path = folder / name
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return load(path, runtime="onnxruntime")


def check(network: Network, rows: int, columns: int) -> None:
    assert isinstance(network.model, KataGoModel)
    planes, inputs = random_inputs(rows, columns)
    plain = plain_katago.evaluate(network.model, planes[0], inputs[0], optimism=0.3)
    said = network.evaluate(planes, inputs, optimism=0.3)
    np.testing.assert_allclose(said.policy[0], plain["policy"], atol=2e-4)
    assert said.ownership is not None
    np.testing.assert_allclose(said.ownership[0], plain["ownership"], atol=2e-4)
    chances = np.exp(plain["value"]) / np.exp(plain["value"]).sum()
    np.testing.assert_allclose(said.outcomes[0, [0, 2, 1]], chances, atol=1e-4)
    factors, score, version = network.model.multipliers, plain["score"], network.version or 0
    certain = 1 - chances[2]
    assert said["lead"][0] == pytest.approx(score[2] * factors.lead * certain, abs=1e-2)
    mean, stdev = score[0] * factors.score_mean, plain_katago.softplus(score[1]) * factors.score_stdev
    assert said["score_mean"][0] == pytest.approx(mean * certain, abs=1e-2)
    variance = certain * (mean * mean + stdev * stdev) - (mean * certain) ** 2
    assert said["score_stdev"][0] == pytest.approx(math.sqrt(variance), abs=1e-2)
    if version < 9:
        assert said["var_time_left"][0] == said["shortterm_winloss_error"][0] == -1
        return
    assert said["var_time_left"][0] == pytest.approx(
        plain_katago.softplus(score[3]) * factors.variance_time, abs=1e-2
    )
    if version < 10:
        errors = plain_katago.softplus(score[4]), plain_katago.softplus(score[5]) * 10
    elif version < 14:
        errors = (
            math.sqrt(plain_katago.softplus(score[4]) * factors.shortterm_value_error),
            math.sqrt(plain_katago.softplus(score[5]) * factors.shortterm_score_error),
        )
    else:
        errors = (
            plain_katago.softplus(score[4] / 2) * math.sqrt(factors.shortterm_value_error),
            plain_katago.softplus(score[5] / 2) * math.sqrt(factors.shortterm_score_error),
        )
    assert said["shortterm_winloss_error"][0] == pytest.approx(errors[0], abs=1e-3)
    assert said["shortterm_score_error"][0] == pytest.approx(errors[1], abs=1e-2)


@pytest.mark.parametrize("version", VERSIONS)
def test_every_version(tmp_path: Path, version: int) -> None:
    network = network_of(tmp_path, katago_file(version), "net.bin.gz")
    assert (network.family, network.game, network.name, network.version) == (
        "katago",
        "go",
        "random-net",
        version,
    )
    check(network, 7, 9)


@pytest.mark.parametrize("version", [15, 16, 17])
def test_transformer_blocks(tmp_path: Path, version: int) -> None:
    network = network_of(tmp_path, katago_file(version, transformer=True))
    check(network, 5, 7)
    check(network, 4, 4)
    check(load(network.path, runtime="native"), 5, 7)


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (9, 9), (13, 2), (19, 19)])
def test_every_board_size_has_a_graph_of_its_own(tmp_path: Path, rows: int, columns: int) -> None:
    check(network_of(tmp_path, katago_file(10)), rows, columns)


@pytest.mark.parametrize("name", ["net.txt", "net.txt.gz"])
def test_text_files_hold_the_same(tmp_path: Path, name: str) -> None:
    binary = network_of(tmp_path, katago_file(11))
    text = network_of(tmp_path, katago_file(11, text=True), name)
    planes, inputs = random_inputs(9, 9, 3)
    for a, b in zip(binary(planes, inputs), text(planes, inputs), strict=True):
        np.testing.assert_allclose(a, b, atol=1e-5)


def test_the_graph_is_sound_onnx(tmp_path: Path) -> None:
    network = network_of(tmp_path, katago_file(17, transformer=True))
    model = onnx.load_from_string(network.graph(network.shape(9, 9)).model())
    onnx.checker.check_model(model, full_check=True)
    assert [item.name for item in model.graph.input] == ["planes", "globals", "optimism"]


def test_optimism_is_one_number_or_one_each(tmp_path: Path) -> None:
    network = network_of(tmp_path, katago_file(14))
    planes, inputs = random_inputs(9, 9, 2)
    hopeful, plain = network.evaluate(planes, inputs, 1.0), network.evaluate(planes, inputs, 0.0)
    mixed = network.evaluate(planes, inputs, np.array([1.0, 0.0], np.float32))
    assert not np.allclose(hopeful.policy, plain.policy)
    np.testing.assert_allclose(mixed.policy[0], hopeful.policy[0], atol=1e-5)
    np.testing.assert_allclose(mixed.policy[1], plain.policy[1], atol=1e-5)
    network.optimism = 0.0
    np.testing.assert_allclose(network(planes, inputs)[0], plain.policy, atol=1e-5)


def test_superko_and_area_scoring_leave_no_game_without_result(tmp_path: Path) -> None:
    network = network_of(tmp_path, katago_file(10))
    planes, inputs = random_inputs(9, 9, 3)
    inputs[0, 6], inputs[1, 6], inputs[1, 9] = 1, 1, 1
    nothing = network(planes, inputs)[1][:, 1]
    assert nothing[0] == 0
    assert nothing[1] > 0
    assert nothing[2] > 0


def test_a_board_size_that_is_none(tmp_path: Path) -> None:
    network = network_of(tmp_path, katago_file(10))
    with pytest.raises(BadRequest, match="plays on 2x2 to 19x19, not on 20x20"):
        network.session(20)
    planes, _ = random_inputs(9, 9)
    with pytest.raises(BadRequest, match="needs the global inputs too"):
        network(planes)


def replaced(data: bytes, old: bytes, new: bytes) -> bytes:
    assert old in data
    return data.replace(old, new, 1)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the file is empty"),
        (b"random-net 7 22 19\n", "model version 7 is too old; 8 to 17 are read"),
        (b"random-net 18 22 19\n", "model version 18 is not supported; 8 to 17 are"),
        (b"random-net 8 23 19\n", "23 planes and 19 global inputs; expected 22 and 19"),
        (b"random-net eight", "text that is no network; expected an Lc0 network"),
        (b"random-net", "text that is no network"),
        (b"\x00\xff\x12 8 22 19 ", "not a network that is known, or a damaged one"),
        (b"x" * 5000, "text that is no network"),
        (katago_file(8)[:-10], "the file ends within the weights of conv"),
        (katago_file(8) + b"x", "1 bytes too many after the network"),
        (replaced(katago_file(8), b"gpool_block", b"strange_one"), "unknown kind of block 'strange_one'"),
        (replaced(katago_file(8), b"trunk 3", b"trunk 3000000"), "the number of blocks is 3000000"),
        (replaced(katago_file(8), b"conv 3 3 22 6", b"conv 3 3 22 16000"), "16000 channels; expected 6"),
        (
            replaced(katago_file(8), b"conv 3 3 22", b"conv 4 3 22"),
            "conv is 4x3; a convolution has odd sizes",
        ),
        (
            replaced(katago_file(11), b"ACTIVATION_MISH", b"ACTIVATION_ODD"),
            "act: unknown activation ACTIVATION_ODD",
        ),
        (replaced(katago_file(15), b"150\n0", b"150\n2"), "metadata encoders of version 2 are not supported"),
        (katago_file(8, text=True)[:-30], "the file ends within the weights|not a number"),
    ],
)
def test_a_wrong_file_is_one_clear_line(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "net.bin"
    path.write_bytes(data)
    with pytest.raises(BadNetwork, match=message) as caught:
        load(path)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_weight_that_is_not_a_number(tmp_path: Path) -> None:
    writer = Writer(8)
    writer.words("random-net", 8, 22, 19)
    writer.words("trunk", 1, 6, 6, 6, 6, 2)
    writer.words("conv", 1, 1, 22, 6, 1, 1)
    writer.data += b"@BIN@" + np.full(132, np.nan, "<f4").tobytes()
    path = tmp_path / "net.bin"
    path.write_bytes(writer.data)
    with pytest.raises(BadNetwork, match="conv has a weight that is not a number"):
        load(path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(KibitzError, match="there is no such network file"):
        load(tmp_path / "none.bin.gz")
    with pytest.raises(KibitzError, match="a folder, and not one with"):
        load(tmp_path)


def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "bomb.bin.gz"
    path.write_bytes(gzip.compress(bytes(200 << 20), 9))
    with pytest.raises(BadNetwork, match="unpacks to more than 64 MiB; that is no network"):
        load(path)
