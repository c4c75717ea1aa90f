"""A run's network as a file: ours, KataGo's, Lc0's, ONNX; or as a folder that Hugging Face takes."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from kibitz.errors import BadOption
from kibitz.files.whole_file import write_whole
from kibitz.nets.files import read_network_file
from kibitz.nets.hugging_face import is_model_folder, write_model_folder
from kibitz.nets.katago_export import katago_bytes
from kibitz.nets.katago_family import FAMILY as KATAGO
from kibitz.nets.lc0_export import lc0_bytes
from kibitz.nets.own.architecture import Architecture
from kibitz.nets.own.file import OwnModel, read_own, write_own
from kibitz.nets.own.models import katago_model, lc0_model
from kibitz.training.train.checkpoint import Progress, latest, load_checkpoint


def export_network(
    source: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    name: str = "",
    stored: str = "fp16",
    board: int = 19,
) -> int:
    """Write the network of a run's folder, of a checkpoint or of a `.knet` file; returns the file's size. The
    ending of `output` says how; without one it is a folder in Hugging Face's layout."""
    target = Path(output)
    model = model_of(Path(source))
    name = name or str(model.about.get("name") or "") or target.name.split(".")[0]
    model = replace(model, about={**model.about, "name": name})
    if not target.suffix:
        return write_model_folder(model, target, stored)
    data = _bytes(model, target, name, stored, board)
    write_whole(target, data)
    return len(data)


def _bytes(model: OwnModel, target: Path, name: str, stored: str, board: int) -> bytes:
    arch = model.arch
    if target.name.endswith(".knet"):
        return write_own(arch, model.tensors, model.about, stored)
    if arch.layout == "accumulator":
        raise BadOption(
            f"{target.name}: no other program knows the layout accumulator; it is written to .knet"
        )
    if target.name.endswith(".bin.gz"):
        if arch.game not in KATAGO.games:
            raise BadOption(f"KataGo's files hold networks for Go, not for {arch.game}")
        if arch.activation != "relu":
            raise BadOption(f"an export to KataGo has ReLUs; this network has {arch.activation}")
        return katago_bytes(katago_model(arch, model.tensors, name))
    if target.name.endswith(".pb.gz"):
        if arch.layout != "residual":
            raise BadOption(f"Lc0's files hold networks for chess, not for {arch.game}")
        if arch.style_planes:
            raise BadOption(f"Lc0's networks see 112 planes, this one {arch.planes}: it is written to .knet")
        return lc0_bytes(lc0_model(arch, model.tensors, int(model.about.get("steps", 0))))
    if target.name.endswith(".onnx"):
        return _onnx(model, board)
    raise BadOption(
        f"{target.name}: expected an ending .knet, .bin.gz, .pb.gz or .onnx, or none for a folder"
    )


def _onnx(model: OwnModel, board: int) -> bytes:
    from kibitz.nets.own.graph import own_graph

    arch = model.arch
    rows, columns = (arch.rows, arch.columns) if arch.rows else (board, board)
    return own_graph(arch, model.tensors, str(model.about.get("name")), rows, columns).model()


def model_of(place: Path) -> OwnModel:
    """The network of a run's folder, a checkpoint, a `.knet` file or a folder in Hugging Face's layout."""
    if (place.is_file() and place.suffix == ".knet") or is_model_folder(place):
        return read_own(read_network_file(place))
    return model_of_run(place)


def model_of_run(place: Path) -> OwnModel:
    """The averaged weights of a run's last checkpoint, with what made them."""
    from kibitz.training.model.tensors import file_tensors, make_net
    from kibitz.training.train.config import TrainConfig, architecture_of

    path = latest(place) if place.is_dir() else place
    if path is None or not path.is_file():
        raise BadOption(f"{place}: neither a run with checkpoints nor a network file")
    tensors, progress = load_checkpoint(path)
    config = TrainConfig.from_dict(progress.config)
    arch = architecture_of(config.model)
    net = make_net(arch, config.model.norm or ("batch" if arch.layout == "residual" else "fixed"), 0)
    prefix = "average."
    net.load_state_dict(
        {key.removeprefix(prefix): value for key, value in tensors.items() if key.startswith(prefix)}
    )
    return OwnModel(arch, file_tensors(net), _about(arch, progress))


def _about(arch: Architecture, progress: Progress) -> dict[str, Any]:
    config = {key: value for key, value in progress.config.items() if key != "run"}
    data = dict(config.get("data", {}))
    # Folders say where files lay on a machine; the digests say what they were.
    data.pop("folders", None)
    config["model"] = {**config.get("model", {}), "start": ""}
    last = progress.evaluations[-1] if progress.evaluations else {}
    return {
        "steps": progress.step,
        "positions": progress.positions,
        "hours": round(progress.seconds / 3600, 2),
        "commit": progress.commit,
        "configuration": {**config, "data": data},
        "data": progress.digests,
        "evaluation": last,
    }
