"""Checkpoints of a run: weights, their average, the optimizer's state and the place in the data, in one
safetensors file. A run that goes on from one ends with the weights of a run that was never interrupted."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from kibitz.errors import BadRecord

_FORMAT = "kibitz-checkpoint"
_VERSION = 1


@dataclass
class Progress:
    """Where a run is, beside its tensors."""

    step: int = 0
    #: The shards that are read, and the step at which reading them began.
    shards: list[list[str]] = field(default_factory=list)
    data_from: int = 0
    #: Check sums of the shards that were ever read, for the network's history.
    digests: list[str] = field(default_factory=list)
    positions: int = 0
    seconds: float = 0.0
    commit: str = ""
    config: dict[str, Any] = field(default_factory=dict)
    #: Evaluations: step and terms.
    evaluations: list[dict[str, float]] = field(default_factory=list)


def latest(folder: str | os.PathLike[str]) -> Path | None:
    """The newest whole checkpoint of a run."""
    checkpoints = sorted(Path(folder).glob("step-*.safetensors"))
    return checkpoints[-1] if checkpoints else None


def save_checkpoint(
    folder: Path, net: Any, average: dict[str, Any], optimizer: Any, progress: Progress, keep: int
) -> Path:
    from safetensors.torch import save_file

    tensors = {f"net.{name}": value for name, value in net.state_dict().items()}
    tensors |= {f"average.{name}": value for name, value in average.items()}
    for number, state in optimizer.state_dict()["state"].items():
        for name, value in state.items():
            tensors[f"optimizer.{number}.{name}"] = value
    metadata = {"format": _FORMAT, "version": str(_VERSION), "progress": json.dumps(asdict(progress))}
    path = folder / f"step-{progress.step:09d}.safetensors"
    draft = path.with_name(path.name + ".tmp")
    save_file({name: value.detach().contiguous() for name, value in tensors.items()}, draft, metadata)
    with draft.open("rb") as file:
        os.fsync(file.fileno())
    draft.replace(path)
    for old in sorted(folder.glob("step-*.safetensors"))[: -1 - keep]:
        old.unlink()
    return path


def load_checkpoint(path: Path) -> tuple[dict[str, Any], Progress]:
    """Tensors and progress; BadRecord when the file is no checkpoint of a run."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, "pt") as file:
            metadata = file.metadata() or {}
            if metadata.get("format") != _FORMAT or metadata.get("version") != str(_VERSION):
                raise BadRecord(f"{path}: no checkpoint of a training run")
            progress = Progress(**json.loads(metadata["progress"]))
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (SafetensorError, OSError, ValueError, TypeError, KeyError) as error:
        if isinstance(error, BadRecord):
            raise
        raise BadRecord(f"{path}: damaged checkpoint ({error})") from None
    return tensors, progress
