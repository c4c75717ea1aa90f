"""Exports: readers of KataGo's and Lc0's files say what the network said; damage to our own file is found."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.errors import BadOption
from kibitz.nets import load, store
from kibitz.nets.files import BadNetwork
from kibitz.training.export import export_network, model_of

torch = pytest.importorskip("torch")

from kibitz.nets.own.file import write_own  # noqa: E402
from kibitz.training.model.tensors import file_tensors  # noqa: E402
from tests.training.test_model import inputs, shaken  # noqa: E402


def own(folder: Path, game: str, stored: str = "fp32", **more: Any) -> Path:
    net = shaken(game, "batch", **more)
    path = folder / f"{game}.knet"
    about = {"name": "ours", "steps": 7, "commit": "abc", "data": ["d1"]}
    path.write_bytes(write_own(net.arch, file_tensors(net), about, stored))
    return path


@pytest.mark.parametrize("size", [7, 9])
def test_katago_reads_the_export(tmp_path: Path, size: int) -> None:
    path = own(tmp_path, "go")
    target = tmp_path / "go.bin.gz"
    export_network(path, target)
    ours, theirs = load(path, runtime="native"), load(target, runtime="native")
    assert theirs.family == "katago"
    assert theirs.version == 8
    planes, numbers = inputs(shaken("go", "batch"), 4, size, size)
    a, b = ours.evaluate(planes, numbers), theirs.evaluate(planes, numbers)
    np.testing.assert_allclose(a.policy, b.policy, atol=1e-4)
    np.testing.assert_allclose(a.outcomes, b.outcomes, atol=1e-4)
    assert a.ownership is not None
    assert b.ownership is not None
    np.testing.assert_allclose(a.ownership, b.ownership, atol=1e-5)


@pytest.mark.parametrize("moves_left", [False, True])
def test_lc0_reads_the_export(tmp_path: Path, moves_left: bool) -> None:
    path = own(tmp_path, "chess", moves_left=moves_left)
    target = tmp_path / "chess.pb.gz"
    export_network(path, target)
    ours, theirs = load(path, runtime="native"), load(target, runtime="native")
    assert theirs.family == "lc0"
    assert theirs.model.training_steps == 7
    planes, _ = inputs(shaken("chess", "batch"), 4, 8, 8)
    a, b = ours.evaluate(planes), theirs.evaluate(planes)
    np.testing.assert_allclose(a.policy, b.policy, atol=2e-3)
    np.testing.assert_allclose(a.outcomes, b.outcomes, atol=1e-3)
    np.testing.assert_allclose(a["moves_left"], b["moves_left"], atol=2e-2)


@pytest.mark.parametrize(("game", "size"), [("go", 9), ("chess", 8), ("othello", 8)])
def test_onnxruntime_reads_the_export(tmp_path: Path, game: str, size: int) -> None:
    runtime = pytest.importorskip("onnxruntime")
    path = own(tmp_path, game)
    target = tmp_path / "net.onnx"
    export_network(path, target, board=size)
    session = runtime.InferenceSession(str(target), providers=["CPUExecutionProvider"])
    planes, numbers = inputs(shaken(game, "batch"), 3, size, size)
    given = {"planes": planes, "globals": numbers}
    names = [item.name for item in session.get_outputs()]
    wanted = {item.name: given[item.name] for item in session.get_inputs()}
    theirs = dict(zip(names, session.run(names, wanted), strict=True))
    ours = load(path, runtime="native").evaluate(planes, numbers if numbers.shape[1] else None)
    np.testing.assert_allclose(theirs["policy"], ours.policy, atol=1e-3)
    np.testing.assert_allclose(theirs["outcome"], ours.outcomes, atol=1e-3)


def test_exports_that_cannot_be(tmp_path: Path) -> None:
    othello, chess = own(tmp_path, "othello"), own(tmp_path, "chess")
    with pytest.raises(BadOption, match="for Go, not for othello"):
        export_network(othello, tmp_path / "a.bin.gz")
    with pytest.raises(BadOption, match="for chess, not for othello"):
        export_network(othello, tmp_path / "a.pb.gz")
    with pytest.raises(BadOption, match="expected an ending"):
        export_network(chess, tmp_path / "a.txt")
    with pytest.raises(BadOption, match="ReLUs"):
        export_network(own(tmp_path, "go", activation="mish"), tmp_path / "a.bin.gz")
    with pytest.raises(BadOption, match="neither a run"):
        export_network(tmp_path / "nothing", tmp_path / "a.knet")


@pytest.mark.parametrize(("stored", "near"), [("fp32", 0.0), ("fp16", 2e-3), ("int8", 0.3)])
def test_own_file_keeps_weights_and_history(tmp_path: Path, stored: str, near: float) -> None:
    exact = load(own(tmp_path, "othello"), runtime="native")
    rounded = load(own(tmp_path / ".." / tmp_path.name, "othello", stored), runtime="native")
    assert rounded.family == "kibitz"
    assert rounded.name == "ours"
    assert rounded.definition.facts["commit"] == "abc"
    assert rounded.model.about["data"] == ["d1"]
    for name, values in exact.model.tensors.items():
        np.testing.assert_allclose(rounded.model.tensors[name], values, atol=near)


def test_the_same_network_gives_the_same_bytes(tmp_path: Path) -> None:
    path = own(tmp_path, "go", "fp16")
    for ending in (".knet", ".bin.gz"):
        for number in (1, 2):
            export_network(path, tmp_path / f"{number}{ending}", name="same")
        assert (tmp_path / f"1{ending}").read_bytes() == (tmp_path / f"2{ending}").read_bytes()


def test_a_changed_byte_is_found(tmp_path: Path) -> None:
    path = own(tmp_path, "uttt")
    whole = path.read_bytes()
    for place in range(0, len(whole), 997):
        data = bytearray(whole)
        data[place] ^= 1
        path.write_bytes(data)
        with pytest.raises(BadNetwork):
            load(path)
    for size in (0, 7, 20, 500, len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(BadNetwork):
            load(path)


def rewritten(whole: bytes, old: bytes, new: bytes) -> bytes:
    """The file with a text of the same length replaced, and a check sum that is right again."""
    assert len(old) == len(new)
    assert old in whole
    data = whole[:-32].replace(old, new)
    return data + hashlib.sha256(data).digest()


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (b'"blocks": 3', b'"blocks": 4', "missing"),
        (b'"blocks": 3', b'"blocks": 0', "blocks must be"),
        (b'"filters": 12', b'"filters": 13', "shape"),
        (b'"type": "fp32"', b'"type": "fp99"', "stored as"),
        (b'"layout": "pooling"', b'"layout": "sliding"', "unknown layout"),
        (b'"offset": 0', b'"offset":-1', "outside"),
        (b'"game": "uttt"', b'"gime": "uttt"', "unknown field"),
    ],
)
def test_a_header_is_not_believed(tmp_path: Path, old: bytes, new: bytes, why: str) -> None:
    path = own(tmp_path, "uttt")
    path.write_bytes(rewritten(path.read_bytes(), old, new))
    with pytest.raises(BadNetwork, match=why):
        load(path)


def test_int8_in_the_core(tmp_path: Path) -> None:
    """A network of ours runs in int8 as others do."""
    from kibitz.games.networks import load_file

    path = own(tmp_path, "othello", filters=16)
    network = load_file("othello", str(path), precision="int8", runtime="native")
    planes, _ = inputs(shaken("othello", "batch"), 4, 8, 8)
    exact = load(path, runtime="native").evaluate(planes)
    small = network.evaluate(planes)
    assert np.abs(small.outcomes[:, :3] - exact.outcomes[:, :3]).max() < 0.15


@pytest.mark.parametrize(("game", "stored"), [("othello", "fp32"), ("chess", "fp16")])
def test_a_folder_as_hugging_face_has_it(tmp_path: Path, game: str, stored: str) -> None:
    """The safetensors package reads the weights, and the folder is a network like its file."""
    safetensors = pytest.importorskip("safetensors.numpy")
    path, folder = own(tmp_path, game, stored), tmp_path / "ours-1"
    size = export_network(path, folder, stored=stored, name="ours")
    assert {item.name for item in folder.iterdir()} == {"config.json", "model.safetensors", "README.md"}
    assert size == (folder / "model.safetensors").stat().st_size
    theirs = safetensors.load_file(folder / "model.safetensors")
    model = model_of(path)
    assert set(theirs) == set(model.tensors)
    for name, values in model.tensors.items():
        np.testing.assert_array_equal(theirs[name].astype(np.float32), values)
    planes, _ = inputs(shaken(game, "batch"), 4, 8, 8)
    file, loaded = load(path, runtime="native"), load(folder, runtime="native")
    np.testing.assert_array_equal(file.evaluate(planes).policy, loaded.evaluate(planes).policy)
    assert (loaded.name, loaded.game) == ("ours", game)
    back = tmp_path / "back.knet"
    export_network(folder, back, stored=stored)
    assert back.read_bytes() == path.read_bytes()
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert card.startswith("---\nlibrary_name: kibitz\n")
    assert "ours" in card


def test_a_folder_of_another_kind_is_refused(tmp_path: Path) -> None:
    path, folder = own(tmp_path, "othello"), tmp_path / "net"
    export_network(path, folder)
    weights, config = folder / "model.safetensors", folder / "config.json"
    whole, said = weights.read_bytes(), config.read_text(encoding="utf-8")
    for data in (
        b"",
        whole[:7],
        whole[:100],
        whole[:-1],
        b"\xff" * 8 + whole[8:],
        whole.replace(b'"F16"', b'"I16"'),
    ):
        weights.write_bytes(data)
        with pytest.raises(BadNetwork, match=r"net: "):
            load(folder)
    weights.write_bytes(whole)
    for text in ("", "[]", "{}", said.replace('"kibitz"', '"bert"'), said.replace('"blocks"', '"block"')):
        config.write_text(text, encoding="utf-8")
        with pytest.raises(BadNetwork, match=r"net: "):
            load(folder)
    config.unlink()
    with pytest.raises(BadNetwork, match=r"config\.json"):
        load(folder)
    with pytest.raises(BadOption, match="other files"):
        export_network(path, folder)
    with pytest.raises(BadOption, match="fp16 or fp32"):
        export_network(path, tmp_path / "int8", stored="int8")


def test_a_folder_is_added_as_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_DATA", str(tmp_path / "data"))
    folder = tmp_path / "ours"
    export_network(own(tmp_path, "othello"), folder)
    added = store.add(folder)
    assert added.path.name == "ours.knet"
    assert load(store.find("ours")).game == "othello"
