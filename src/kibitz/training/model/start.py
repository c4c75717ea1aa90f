"""Beginning a training with the weights of another network: of a run's checkpoint, or of a `.knet` file.

What the other one does not have begins as it is made: a style head at random, planes that are new at zero, so
that a network with more planes says at first what the other one said.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import torch

from kibitz.errors import BadOption
from kibitz.nets.files import read_network_file
from kibitz.nets.own.architecture import CHESS_PLANES
from kibitz.nets.own.file import read_own
from kibitz.training.model.tensors import module_state
from kibitz.training.train.checkpoint import latest, load_checkpoint

#: Weights of the first convolution, whose inputs are planes.
_FIRST = "first.conv.weight"


def begin_with(net: Any, source: str | os.PathLike[str]) -> None:
    """Copies what both networks have; BadOption when the towers differ."""
    place = Path(source)
    own = net.state_dict()
    if place.is_file() and place.suffix == ".knet":
        model = read_own(read_network_file(place))
        given = module_state(net, model.arch, model.tensors)
        old_planes = model.arch.style_planes.split()
    else:
        checkpoint = latest(place) if place.is_dir() else place
        if checkpoint is None or not checkpoint.is_file():
            raise BadOption(f"{place}: neither a run with checkpoints nor a network file")
        tensors, progress = load_checkpoint(checkpoint)
        prefix = "average."
        given = {
            name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)
        }
        named = progress.config.get("model", {}).get("style_planes", ())
        old_planes = list(named)
    missing = [name for name in own if name not in given and not name.startswith("style.")]
    if missing:
        raise BadOption(f"{place} has no {missing[0]}: another kind of network")
    with torch.no_grad():
        for name, value in own.items():
            if name not in given:
                continue
            start = given[name].to(value.dtype)
            if name == _FIRST and start.shape != value.shape:
                start = _widened(start, value, old_planes, net.arch.style_planes.split(), place)
            if start.shape != value.shape:
                raise BadOption(
                    f"{place}: {name} has shape {tuple(start.shape)}, expected {tuple(value.shape)}"
                )
            value.copy_(start)


def _widened(given: Any, own: Any, before: list[str], now: list[str], place: Path) -> Any:
    """The weights of the first convolution for more planes; those of new ones are zero."""
    if given.shape[0] != own.shape[0] or given.shape[1] != CHESS_PLANES + len(before):
        raise BadOption(f"{place}: the first convolution has shape {tuple(given.shape)}")
    wide = torch.zeros_like(own)
    wide[:, :CHESS_PLANES] = given[:, :CHESS_PLANES]
    for at, name in enumerate(now):
        if name in before:
            wide[:, CHESS_PLANES + at] = given[:, CHESS_PLANES + before.index(name)]
    return wide
