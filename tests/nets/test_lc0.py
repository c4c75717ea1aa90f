"""Lc0 files of every supported form, against a plain evaluation of what they hold."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.errors import BadRequest
from kibitz.nets import BadNetwork, load
from kibitz.nets.lc0 import Lc0Model
from kibitz.nets.lc0_export import lc0_bytes
from kibitz.nets.lc0_layers import FoldedConv
from tests.nets import plain_lc0
from tests.nets.lc0_writer import BFLOAT16, FLOAT16, FLOAT32, LINEAR16, Lc0Writer, integer, message

FORMS: list[dict[str, Any]] = [
    {},
    {"se": False},
    {"conv_policy": False},
    {"wdl": False},
    {"moves_left": True},
    {"mish": True, "batch_norm": True},
    {"batch_norm": True, "se": False, "conv_policy": False, "wdl": False},
]


def planes(count: int = 1) -> Any:
    random = np.random.default_rng(7)
    return (random.random((count, 112, 8, 8)) < 0.2).astype(np.float32)


def path_of(folder: Path, data: bytes, name: str = "net.pb") -> Path:
    path = folder / name
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return path


@pytest.mark.parametrize("form", FORMS)
def test_every_form(tmp_path: Path, form: dict[str, Any]) -> None:
    network = load(path_of(tmp_path, Lc0Writer(**form).file(), "small.pb.gz"), runtime="onnxruntime")
    assert (network.family, network.game, network.name, network.version) == ("lc0", "chess", "small", None)
    assert isinstance(network.model, Lc0Model)
    assert network.model.training_steps == 1234
    x = planes()
    plain, said = plain_lc0.evaluate(network.model, x[0]), network.evaluate(x)
    np.testing.assert_allclose(said.policy[0], plain["policy"], atol=1e-4)
    if network.model.wdl:
        chances = np.exp(plain["value"]) / np.exp(plain["value"]).sum()
    else:
        value = np.tanh(plain["value"][0])
        chances = np.array([(1 + value) / 2, 0, (1 - value) / 2])
    np.testing.assert_allclose(said.outcomes[0], [*chances, 0], atol=1e-5)
    left = plain["moves_left"][0] if form.get("moves_left") else -1
    assert said["moves_left"][0] == pytest.approx(left, abs=1e-4)
    assert said.ownership is None


@pytest.mark.parametrize(("encoding", "error"), [(LINEAR16, 1e-3), (FLOAT16, 5e-3), (BFLOAT16, 5e-2)])
def test_every_encoding_of_weights(tmp_path: Path, encoding: int, error: float) -> None:
    exact = load(path_of(tmp_path, Lc0Writer(encoding=FLOAT32).file()), runtime="onnxruntime")
    other = load(path_of(tmp_path, Lc0Writer(encoding=encoding).file()), runtime="onnxruntime")
    np.testing.assert_allclose(other(planes())[0], exact(planes())[0], atol=error)


def test_a_file_from_before_the_format_was_written_down(tmp_path: Path) -> None:
    data = Lc0Writer(se=False, conv_policy=False, wdl=False).file(form=integer(1, 1))
    network = load(path_of(tmp_path, data), runtime="onnxruntime")
    assert isinstance(network.model, Lc0Model)
    assert not network.model.wdl


def test_chess_has_one_board(tmp_path: Path) -> None:
    network = load(path_of(tmp_path, Lc0Writer().file()))
    assert network.shape() == network.shape(8, 8)
    assert network.shape().policy == 1858
    with pytest.raises(BadRequest, match="plays on 8x8, not on 9x9"):
        network.shape(9, 9)


def form(**fields: int) -> bytes:
    names = {"input": 1, "structure": 3, "policy": 4, "value": 5, "activation": 7}
    values = {"input": 1, "structure": 4, "policy": 2, "value": 2, **fields}
    return integer(1, 1) + message(2, b"".join(integer(names[name], value) for name, value in values.items()))


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"structure": 6}, "the format and the weights disagree about encoder layers"),
        ({"structure": 99}, "unknown structure 99"),
        ({"input": 6}, "unknown input format 6"),
        ({"policy": 3}, "the policy head has 0 outputs"),
        ({"policy": 4}, "policy format 4 is not supported"),
        ({"value": 3}, "value format 3 is not supported"),
        ({"activation": 4}, "unknown activation 4"),
        ({"policy": 1}, "the policy head has 80 values for 720 channels"),
    ],
)
def test_what_is_not_supported_is_named(tmp_path: Path, fields: dict[str, int], text: str) -> None:
    path = path_of(tmp_path, Lc0Writer().file(form(**fields)))
    with pytest.raises(BadNetwork, match=text) as caught:
        load(path)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\x0d\xc1\x01\x00\x00", "not a network that is known, or a damaged one"),
        (b"\x0d\xc0\x01\x00\x00", "an Lc0 file without weights"),
        (b"\x0d\xc0\x01\x00\x00" + message(11, b"onnx"), "the ONNX model has a field of unknown kind 7"),
        (b"\x0d\xc0\x01\x00\x00" + message(10, b""), "0 residual blocks"),
        (b"\x0d\xc0\x01\x00\x00\x52\xff\xff\xff\xff\x7f", "ends within field 10"),
        (b"\x0d\xc0\x01\x00\x00" + b"\xff" * 11, "a number of more than 64 bits"),
        (b"\x0d\xc0\x01\x00\x00\x57", "a field of unknown kind 7"),
        (Lc0Writer().file()[:-7], "damaged Lc0 network: the file ends within field 10"),
        (Lc0Writer().file().replace(integer(4, FLOAT32), integer(4, 9), 1), "unknown encoding 9"),
    ],
)
def test_a_wrong_file_is_one_clear_line(tmp_path: Path, data: bytes, text: str) -> None:
    with pytest.raises(BadNetwork, match=text) as caught:
        load(path_of(tmp_path, data))
    assert "\n" not in str(caught.value)


def test_an_export_has_a_policy_as_wide_as_the_tower(tmp_path: Path) -> None:
    """Lc0 takes it for granted, and reads another width as something else."""
    model = load(path_of(tmp_path, Lc0Writer(channels=6).file())).model
    random = np.random.default_rng(3)
    narrow = FoldedConv(random.standard_normal((2, 6, 3, 3)).astype(np.float32), np.ones(2, np.float32))
    after = FoldedConv(random.standard_normal((80, 2, 3, 3)).astype(np.float32), model.policy_conv.bias)
    model = replace(model, policy_first=narrow, policy_conv=after)
    path = tmp_path / "written.pb.gz"
    path.write_bytes(lc0_bytes(model))
    network = load(path, runtime="native")
    assert network.model.policy_first.weights.shape == (6, 6, 3, 3)
    plain = plain_lc0.evaluate(model, planes()[0])["policy"]
    np.testing.assert_allclose(network(planes())[0][0], plain, atol=0.02)
    wide = FoldedConv(np.ones((7, 6, 3, 3), np.float32), np.ones(7, np.float32))
    with pytest.raises(BadNetwork, match="no policy of 7 channels in a network of 6"):
        lc0_bytes(replace(model, policy_first=wide))
