"""Devices: which provider of ONNX Runtime is chosen, with stand-ins for hardware that is not here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz import nets
from kibitz.errors import BadOption
from kibitz.nets.devices import AUTO, CPU, DEVICES, providers
from tests.nets.katago_writer import katago_file

CUDA = "CUDAExecutionProvider"


@pytest.fixture
def network(tmp_path: Path) -> Path:
    path = tmp_path / "small.bin"
    path.write_bytes(katago_file(8))
    return path


@pytest.mark.parametrize("device", DEVICES)
def test_a_device_is_its_providers_then_the_cpu(device: str) -> None:
    assert providers(device, [*DEVICES[device], CPU]) == [*DEVICES[device], CPU]


def test_the_best_device_that_is_there() -> None:
    assert providers(AUTO, [CPU]) == [CPU]
    assert providers(AUTO, [CPU, "DmlExecutionProvider"]) == ["DmlExecutionProvider", CPU]
    assert providers("tensorrt", [CUDA, CPU]) == [CUDA, CPU]  # without TensorRT, on the same device


def test_a_device_that_is_not_there_is_named() -> None:
    with pytest.raises(BadOption, match="this ONNX Runtime has no cuda, only cpu"):
        providers("cuda", [CPU])
    with pytest.raises(BadOption, match="unknown device 'abacus'"):
        providers("abacus", [CPU])


def test_a_network_on_a_device(network: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    onnxruntime = pytest.importorskip("onnxruntime")
    made: list[Any] = []
    session = onnxruntime.InferenceSession

    def stand_in(model: bytes, options: Any, providers: list[str]) -> Any:
        made.append(providers)
        return session(model, options, providers=[CPU])

    monkeypatch.setattr(onnxruntime, "InferenceSession", stand_in)
    monkeypatch.setattr(onnxruntime, "get_available_providers", lambda: [CUDA, CPU])
    there = nets.load(network, device="cuda")
    planes = np.zeros((1, 22, 9, 9), np.float32)
    numbers = np.zeros((1, 19), np.float32)
    planes[:, 0] = 1
    policy = there(planes, numbers)[0]
    assert made == [[CUDA, CPU]]
    assert np.allclose(policy, nets.load(network)(planes, numbers)[0], atol=1e-4)


def test_the_core_computes_on_the_cpu(network: Path) -> None:
    with pytest.raises(BadOption, match="the runtime native computes on the CPU"):
        nets.load(network, runtime="native", device="cuda").session(9, 9)
