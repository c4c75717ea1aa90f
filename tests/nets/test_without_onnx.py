"""The core runs networks by itself: without onnx, onnxruntime and openvino, which are extras."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.nets import shared, test_lc0_onnx
from tests.nets.katago_writer import katago_file
from tests.nets.lc0_attention_writer import VARIANTS, AttentionWriter
from tests.nets.lc0_writer import Lc0Writer

#: Imports of these fail as they do where they are not installed.
PROGRAM = """
import json, sys
for name in ("onnx", "onnxruntime", "openvino"):
    sys.modules[name] = None
import kibitz
from kibitz import nets
from kibitz.errors import KibitzError
game, path, precision = sys.argv[1:]
try:
    position = kibitz.go.Position(9) if game == "go" else kibitz.chess.Position()
    with kibitz.Engine(game, network=path, precision=precision, threads=1, seed=3) as engine:
        report = engine.analyze(position, visits=24)
    state = position.state.as_root("root") if game == "go" else position.state
    planes, numbers = state.encode()
    value = nets.load(path).evaluate(planes[None], numbers[None]).outcomes[0].tolist()
    print(json.dumps({"best": report.best, "visits": report.root.visits, "value": value,
                      "runtimes": list(nets.runtimes())}))
except KibitzError as error:
    print(json.dumps({"error": str(error)}))
"""


def run(game: str, path: Path, precision: str, folder: Path) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, game, str(path), precision],
        capture_output=True,
        text=True,
        timeout=250,
        check=False,
        env={**os.environ, "KIBITZ_CACHE": str(folder)},
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.mark.parametrize("precision", ["fp32", "int8"])
@pytest.mark.parametrize("game", ["go", "chess"])
def test_small_networks(game: str, precision: str, tmp_path: Path) -> None:
    path = tmp_path / "net"
    path.write_bytes(katago_file(14) if game == "go" else Lc0Writer().file())
    said = run(game, path, precision, tmp_path)
    assert said.get("visits") == 24, said
    assert said["runtimes"] == ["native"]
    assert sum(said["value"][:3]) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("precision", ["fp32", "int8"])
@pytest.mark.parametrize(("game", "name"), [("go", shared.B6), ("chess", "maia-1900.pb.gz")])
def test_real_networks(game: str, name: str, precision: str, tmp_path: Path) -> None:
    said = run(game, shared.network_path(name), precision, tmp_path)
    assert said.get("visits") == 24, said


def test_what_needs_onnx_says_what_to_install(tmp_path: Path) -> None:
    plain = test_lc0_onnx.written(tmp_path, AttentionWriter(VARIANTS["plain"]).file(), "plain.pb.gz")
    wrapped = test_lc0_onnx.wrapped(test_lc0_onnx.model_of(plain))
    said = run("chess", test_lc0_onnx.written(tmp_path, wrapped), "fp32", tmp_path)
    assert "the core cannot run the network itself" in said["error"]
    assert said["error"].endswith("pip install 'kibitz[onnx]'")
    path = tmp_path / "net.bin"
    path.write_bytes(katago_file(14))
    exported = subprocess.run(
        [sys.executable, "-c", EXPORT, str(path)], capture_output=True, text=True, timeout=60, check=False
    )
    assert exported.stdout.strip() == "an ONNX model needs the package onnx: pip install 'kibitz[onnx]'"


def test_onnx_runtime_sends_nothing(tmp_path: Path) -> None:
    """Where its telemetry is on, it keeps the machine's identity in the home folder."""
    pytest.importorskip("onnxruntime")
    path = tmp_path / "net.bin"
    path.write_bytes(katago_file(14))
    home = tmp_path / "home"
    home.mkdir()
    env = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    env |= {"HOME": str(home), "XDG_CACHE_HOME": str(home), "KIBITZ_CACHE": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(path)],
        capture_output=True,
        text=True,
        timeout=120,
        env=env,
        check=False,
    )
    assert done.stdout.strip() == "onnxruntime", done.stderr
    assert [found.name for found in home.rglob("*")] == []


RUN = """
import sys
import kibitz
from kibitz import nets
network = nets.load(sys.argv[1], runtime="onnxruntime")
planes, numbers = kibitz.go.Position(9).state.as_root("root").encode()
network.evaluate(planes[None], numbers[None])
print(*(name for name in ("onnxruntime",) if name in sys.modules))
"""

EXPORT = """
import sys
sys.modules["onnx"] = None
from kibitz import nets
from kibitz.errors import BadOption
network = nets.load(sys.argv[1])
try:
    network.graph(network.shape(9)).model()
except BadOption as error:
    print(error)
"""
