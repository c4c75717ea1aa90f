"""Blends: the weighted mean of networks of the same shape."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kibitz.errors import BadOption
from kibitz.nets import load
from kibitz.nets.files import read_network_file
from kibitz.nets.own.architecture import CHESS_PLANES, tensor_shapes
from kibitz.nets.own.file import OwnModel, read_own, write_own
from kibitz.training.blend import blend, blend_networks
from tests.paths import ROOT


def style_model() -> OwnModel:
    return read_own(read_network_file(ROOT / "src/kibitz/nets/files/style/chess.knet"))


def bare(model: OwnModel, factor: float) -> OwnModel:
    """Its trunk alone, with other weights."""
    arch = replace(model.arch, planes=CHESS_PLANES, style_planes="", style=False, style_outputs=1)
    tensors = {
        name: np.float32(factor) * model.tensors[name]
        for name in tensor_shapes(arch)
        if name != "first.weights"
    }
    return OwnModel(
        arch,
        tensors | {"first.weights": np.float32(factor) * model.tensors["first.weights"][:, :CHESS_PLANES]},
        {},
    )


def test_means_and_missing_parts() -> None:
    model = style_model()
    mixed = blend([bare(model, 3.0), model], [0.75, 0.25])
    assert mixed.arch == model.arch
    for name, tensor in mixed.tensors.items():
        if name.startswith("style"):
            np.testing.assert_array_equal(tensor, model.tensors[name])
        elif name != "first.weights":
            np.testing.assert_allclose(tensor, 2.5 * model.tensors[name], rtol=1e-6)
    first, own = mixed.tensors["first.weights"], model.tensors["first.weights"]
    np.testing.assert_allclose(first[:, :CHESS_PLANES], 2.5 * own[:, :CHESS_PLANES], rtol=1e-6)
    np.testing.assert_allclose(first[:, CHESS_PLANES:], 0.25 * own[:, CHESS_PLANES:], rtol=1e-6)


def test_the_file_names_what_went_into_it(tmp_path: Path) -> None:
    model = style_model()
    paths = [tmp_path / "trunk.knet", tmp_path / "tuned.knet"]
    for path, source in zip(paths, (bare(model, 1.0), model), strict=True):
        path.write_bytes(write_own(source.arch, source.tensors, {"name": path.stem}, "fp16"))
    target = tmp_path / "mixed.knet"
    assert blend_networks([(paths[0], 0.5), (paths[1], 0.5)], target) == target.stat().st_size
    about = read_own(read_network_file(target)).about
    digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in paths]
    assert about["blend"] == [
        {"name": "trunk.knet", "weight": 0.5, "sha256": digests[0]},
        {"name": "tuned.knet", "weight": 0.5, "sha256": digests[1]},
    ]
    assert load(target).details == ("moves_left", "style", "mover_style")


def test_wrong_blends_are_refused(tmp_path: Path) -> None:
    model = style_model()
    other = replace(model, arch=replace(model.arch, filters=32))
    with pytest.raises(BadOption, match="same shape"):
        blend([model, other], [0.5, 0.5])
    with pytest.raises(BadOption, match="add up to 1"):
        blend([model, model], [0.5, 0.4])
    with pytest.raises(BadOption, match="two networks"):
        blend([model], [1.0])
    with pytest.raises(BadOption, match="no network with a weight above 0"):
        blend([bare(model, 1.0), model], [1.0, 0.0])
    with pytest.raises(BadOption, match="a blend is written to"):
        blend_networks([("a.knet", 0.5), ("b.knet", 0.5)], tmp_path / "mixed.onnx")
