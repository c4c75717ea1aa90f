"""The runtime of PyTorch on the CPU: the numbers of the core, with networks of every family."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz import nets
from kibitz.errors import BadOption, NotInstalled
from kibitz.nets.devices import AUTO, TORCH_DEVICES, runtime_for, torch_device
from tests.nets import test_lc0_onnx
from tests.nets.katago_writer import katago_file
from tests.nets.lc0_attention_writer import AttentionWriter
from tests.nets.lc0_writer import Lc0Writer
from tests.nets.test_lc0_attention import ALL

BUNDLED = Path(kibitz.__file__).parent / "nets" / "files"


#: Files of every family, by what writes them.
FILES: dict[str, Callable[[], bytes]] = {
    **{f"katago {version}": partial(katago_file, version) for version in (8, 10, 14)},
    "katago transformer": partial(katago_file, 17, transformer=True),
    "lc0": Lc0Writer(channels=16).file,
    "lc0 plain": Lc0Writer(channels=32, conv_policy=False, wdl=False, moves_left=True).file,
    **{f"lc0 {name}": AttentionWriter(variant).file for name, variant in ALL.items()},
}


def written(folder: Path, name: str) -> Path:
    if name not in FILES:
        return BUNDLED / name
    path = folder / ("net.bin" if name.startswith("katago") else "net.pb")
    path.write_bytes(FILES[name]())
    return path


def compared(path: Path, reference: str) -> int:
    """Every output of a network's graph, by PyTorch and by another runtime."""
    network, checked = nets.load(path, runtime=reference), 0
    shape = network.shape()
    random = np.random.default_rng(5)
    planes = (random.random((3, shape.planes, shape.rows, shape.columns)) < 0.2).astype(np.float32)
    planes[:, 0] = 1
    numbers = random.random((3, shape.globals)).astype(np.float32) if shape.globals else None
    sessions = [network.open(shape, reference), nets.load(path, runtime="torch").open(shape, "torch")]
    assert sessions[1].runtime == "torch"
    names = sorted(network.graph(shape).outputs)
    answers = (session.run(names, network.inputs_of(session, planes, numbers)) for session in sessions)
    for name, theirs, ours in zip(names, *answers, strict=True):
        assert ours.dtype == np.float32
        theirs = theirs.reshape(ours.shape)
        np.testing.assert_allclose(ours, theirs, atol=2e-4, rtol=1e-3, err_msg=name)
        checked += 1
    return checked


@pytest.mark.parametrize("name", [*FILES, "go.knet", "style/chess.knet"])
def test_the_numbers_of_the_core(tmp_path: Path, name: str) -> None:
    pytest.importorskip("torch")
    assert compared(written(tmp_path, name), "native") >= 1


def test_the_numbers_of_onnx_runtime(tmp_path: Path) -> None:
    """A file of ONNX inside Lc0's format, with operations that our own graphs do not have."""
    pytest.importorskip("torch")
    pytest.importorskip("onnxruntime")
    model = test_lc0_onnx.model_of(written(tmp_path, "lc0 bt4"))
    assert compared(test_lc0_onnx.written(tmp_path, test_lc0_onnx.wrapped(model)), "onnxruntime") >= 2


def test_a_search_with_it(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    network = nets.load(BUNDLED / "go.knet", runtime="torch")
    report = kibitz.analyze(kibitz.go.Position(9), network=network, visits=20)
    assert report.root.visits == 20
    assert network.runtime == "torch"


def test_int8_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="the runtime torch computes in fp32, not in int8"):
        nets.load(written(tmp_path, "katago 8"), runtime="torch", precision="int8")


def test_where_torch_is_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.nets.session._is_there", lambda package: False)
    network = nets.load(written(tmp_path, "katago 8"), runtime="torch")
    with pytest.raises(NotInstalled, match=r"kibitz\[train\]"):
        network.session(9, 9)


def pytorch(*here: str) -> Any:
    """A PyTorch with these devices."""
    parts = {name: SimpleNamespace(is_available=lambda name=name: name in here) for name in TORCH_DEVICES}
    return SimpleNamespace(cuda=parts["cuda"], xpu=parts["xpu"], backends=SimpleNamespace(mps=parts["mps"]))


def test_the_devices_of_pytorch() -> None:
    for device in TORCH_DEVICES:
        assert torch_device(device, pytorch(device)) == device
    assert torch_device(AUTO, pytorch()) == "cpu"
    assert torch_device(AUTO, pytorch("xpu", "cuda")) == "cuda"
    with pytest.raises(BadOption, match="this PyTorch has no mps, only cpu, cuda"):
        torch_device("mps", pytorch("cuda"))


@pytest.mark.parametrize(
    ("device", "runtime", "used"),
    [
        ("cpu", "auto", "auto"),
        ("cuda", "auto", "onnxruntime"),
        ("auto", "auto", "onnxruntime"),
        ("mps", "auto", "torch"),
        ("xpu", "torch", "torch"),
        ("cuda", "torch", "torch"),
    ],
)
def test_which_runtime_computes_on_a_device(device: str, runtime: str, used: str) -> None:
    assert runtime_for(device, runtime) == used


def test_a_device_that_no_runtime_has_is_named_at_once(tmp_path: Path) -> None:
    path = written(tmp_path, "katago 8")
    with pytest.raises(BadOption, match=r"unknown device 'abacus'; expected one of cpu, cuda, .*mps, auto"):
        nets.load(path, device="abacus")
    with pytest.raises(BadOption, match="unknown device 'mps' of onnxruntime"):
        nets.load(path, runtime="onnxruntime", device="mps")
    with pytest.raises(BadOption, match="the runtime openvino computes on the CPU"):
        nets.load(path, runtime="openvino", device="cuda")
