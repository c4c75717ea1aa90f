"""Lc0's files around an ONNX model: the same answers as from the weights the model was made of."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz.nets import BadNetwork, load
from kibitz.nets.families import open_network
from tests.nets.lc0_attention_writer import ONNX, VARIANTS, AttentionWriter
from tests.nets.lc0_writer import Lc0Writer, integer, message

NAMES = {
    "input": (3, "planes"),
    "value": (4, ""),
    "wdl": (5, "wdl"),
    "policy": (6, "policy"),
    "left": (7, ""),
}


def wrapped(model: bytes, *, form: int = 1, kind: int = 1, **names: str) -> bytes:
    """The file `lc0 onnx2leela` would make; `names` are those of the model's values."""
    head = b"\x0d\xc0\x01\x00\x00" + message(2, b"a licence")
    network = integer(1, form) + integer(2, 2) + integer(3, ONNX) + integer(4, 1) + integer(5, 2)
    head += message(4, integer(1, 1) + message(2, network + integer(6, int("left" in names))))
    body = message(1, model) + integer(2, kind)
    for key, (field, default) in NAMES.items():
        if name := names.get(key, default):
            body += message(field, name.encode())
    return head + message(11, body)


def written(folder: Path, data: bytes, name: str = "wrapped.pb.gz") -> Path:
    path = folder / name
    path.write_bytes(gzip.compress(data, 1))
    return path


def model_of(path: Path) -> bytes:
    """The network as ONNX, its answers under the names above."""
    pytest.importorskip("onnx")
    made = load(path)
    graph = made.graph(made.shape())
    chances = graph.columns("outcome", 0, 3)
    graph.output("wdl", chances, (3,))
    return graph.model()


def planes(count: int = 2) -> Any:
    random = np.random.default_rng(7)
    return (random.random((count, 112, 8, 8)) < 0.1).astype(np.float32)


def test_a_tower_runs_in_the_core(tmp_path: Path) -> None:
    plain = written(tmp_path, Lc0Writer(mish=True, moves_left=True).file(), "plain.pb.gz")
    network = load(written(tmp_path, wrapped(model_of(plain), left="details")), runtime="native")
    mine, other = network.evaluate(planes()), load(plain).evaluate(planes())
    np.testing.assert_allclose(mine.policy, other.policy, atol=1e-5)
    np.testing.assert_allclose(mine.outcomes, other.outcomes, atol=1e-6)
    np.testing.assert_allclose(mine.details, other.details, atol=1e-5)
    assert network.definition.facts == {"format": "ONNX", "value": "win-draw-loss", "movesLeft": True}
    assert network.definition.channels == 4
    with kibitz.Engine("chess", network=network, threads=1) as engine:
        assert engine.analyze(kibitz.chess.Position(), visits=20).root.visits == 20


def test_attention_runs_in_onnx_runtime(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    plain = written(tmp_path, AttentionWriter(VARIANTS["bt4"]).file(), "plain.pb.gz")
    network = load(written(tmp_path, wrapped(model_of(plain), form=3)))
    mine, other = network.evaluate(planes()), load(plain).evaluate(planes())
    assert network.runtime == "onnxruntime"
    np.testing.assert_allclose(mine.policy, other.policy, atol=1e-4)
    np.testing.assert_allclose(mine.outcomes, other.outcomes, atol=1e-5)
    assert (mine.details == -1).all()
    assert network.definition.facts["input"] == "canonical"


def test_what_is_wrong_is_one_line(tmp_path: Path) -> None:
    plain = written(tmp_path, Lc0Writer().file(), "plain.pb.gz")
    model = model_of(plain)
    for data, text in (
        (wrapped(model, policy="priors"), "no policy 'priors' in the ONNX model"),
        (wrapped(model, wdl=""), "no value '' in the ONNX model"),
        (wrapped(model, kind=3), "an ONNX model of data type 3"),
        (wrapped(model[:-9]), "damaged Lc0 network: the ONNX model ends within"),
        (wrapped(b""), "an ONNX model of opset unknown"),
    ):
        with pytest.raises(BadNetwork, match=text) as caught:
            open_network(written(tmp_path, data))
        assert "\n" not in str(caught.value)
