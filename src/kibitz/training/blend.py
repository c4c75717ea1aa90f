"""The weighted mean of networks of the same shape, weight by weight, with what went into it.

Planes about style that one network has and another lacks weigh nothing in the other; a head that only some
have is the mean of theirs.
"""

from __future__ import annotations

import hashlib
import math
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.errors import BadOption
from kibitz.files.whole_file import write_whole
from kibitz.nets.own.architecture import CHESS_PLANES, Architecture, tensor_shapes
from kibitz.nets.own.file import Array, OwnModel, write_own
from kibitz.training.export import model_of

_FIRST = "first.weights"


def blend_networks(
    sources: Sequence[tuple[str | os.PathLike[str], float]], output: str | os.PathLike[str]
) -> int:
    """Write the mean of runs, checkpoints or `.knet` files with their weights, which add up to 1; returns the
    file's size. `about.blend` of the file names them by check sum."""
    target = Path(output)
    if target.suffix != ".knet":
        raise BadOption(f"{target.name}: a blend is written to .knet; export it from there")
    models = [model_of(Path(path)) for path, _ in sources]
    weights = [weight for _, weight in sources]
    parts = [{"name": Path(path).name, "weight": weight, **_digest(Path(path))} for path, weight in sources]
    model = blend(models, weights)
    about = {**model.about, "name": target.stem, "blend": parts}
    data = write_own(model.arch, model.tensors, about, "fp16")
    write_whole(target, data)
    return len(data)


def _digest(path: Path) -> dict[str, Any]:
    return {"sha256": hashlib.sha256(path.read_bytes()).hexdigest()} if path.is_file() else {}


def blend(models: Sequence[OwnModel], weights: Sequence[float]) -> OwnModel:
    """The mean; what a file says about itself is that of the network with the most planes and heads."""
    if len(models) < 2 or len(models) != len(weights):
        raise BadOption("a blend needs two networks at least, each with its weight")
    if min(weights) < 0 or not math.isclose(sum(weights), 1.0, abs_tol=1e-6):
        raise BadOption(f"weights of a blend must be 0 or more and add up to 1, got {list(weights)}")
    whole = max(models, key=lambda model: len(tensor_shapes(model.arch)) + model.arch.planes)
    for model in models:
        if _trunk(model.arch) != _trunk(whole.arch) or not _within(model.arch, whole.arch):
            raise BadOption("networks of a blend must be of the same shape")
    out: dict[str, Array] = {}
    for name in tensor_shapes(whole.arch):
        own = [
            (model, weight) for model, weight in zip(models, weights, strict=True) if name in model.tensors
        ]
        total = sum(weight for _, weight in own)
        if total == 0.0:
            raise BadOption(f"no network with a weight above 0 has the tensor {name}")
        # A head that some lack is the mean of the others; the sums of all the others are 1 already.
        share = 1.0 if len(own) == len(models) else total
        out[name] = sum(
            (np.float32(weight / share) * _wide(model, name, whole.arch) for model, weight in own),
            start=np.zeros((), np.float32),
        )
    return OwnModel(whole.arch, out, whole.about)


def _trunk(arch: Architecture) -> Architecture:
    """The shape without what a network may lack."""
    planes = CHESS_PLANES if arch.style_planes else arch.planes
    return replace(arch, planes=planes, style_planes="", style=False, style_outputs=1)


def _within(arch: Architecture, whole: Architecture) -> bool:
    """Can it lack nothing but planes and head?"""
    return arch.style_planes in ("", whole.style_planes) and (
        not arch.style or arch.style_outputs == whole.style_outputs
    )


def _wide(model: OwnModel, name: str, whole: Architecture) -> Array:
    tensor: Array = np.asarray(model.tensors[name], np.float32)
    if name != _FIRST or model.arch.planes == whole.planes:
        return tensor
    return np.pad(tensor, ((0, 0), (0, whole.planes - model.arch.planes), (0, 0), (0, 0)))
