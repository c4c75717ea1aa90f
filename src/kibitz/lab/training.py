"""The training phases of a lab: the style network by a loop with a curriculum, and the same samples trained
again for the grid and for the ablation of planes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from kibitz import _native
from kibitz.errors import BadOption
from kibitz.files.whole_file import read_json, write_json, write_whole
from kibitz.lab.config import LabConfig
from kibitz.nets.files import read_network_file
from kibitz.nets.own.architecture import CHESS_PLANES, tensor_shapes
from kibitz.nets.own.file import read_own, write_own
from kibitz.request import Budget
from kibitz.training.loop import TrainingLoop
from kibitz.training.loop_config import LoopConfig, TrainPart
from kibitz.training.loop_stages import LoopStep
from kibitz.training.loop_trainer import LoopTrainer
from kibitz.training.settings import SelfplaySettings


@dataclass(frozen=True)
class StyleLoop:
    """The loop of a lab in its folder."""

    config: LabConfig
    folder: Path

    @property
    def start(self) -> str:
        """What training begins with: empty for random weights."""
        own = self.config.lab.network.endswith(".knet") and self.config.lab.network
        return self.config.training.start or own or ""

    def model(self, planes: tuple[str, ...] | None = None) -> dict[str, Any]:
        part = self.config.training
        return {
            "filters": part.filters,
            "blocks": part.blocks,
            "policy_filters": part.policy_filters,
            "value_hidden": part.value_hidden,
            "style": True,
            "style_outputs": 2,
            "style_planes": list(part.planes if planes is None else planes),
            "start": self.start,
        }

    def loop_config(self) -> LoopConfig:
        part, seed = self.config.training, self.config.lab.seed
        return LoopConfig(
            SelfplaySettings("chess", games=part.games, budget=Budget(visits=part.visits), plies=part.plies),
            seed=seed,
            generations=part.generations,
            window=part.generations,
            curriculum=self.config.curriculum,
            train=TrainPart(part.steps, part.batch, threads=1, holdout=0, data=part.data),
            model=self.model(),
            optimizer={"rate": part.rate, "warmup": min(50, part.steps // 4), "average": 0.99},
            loss={"style": part.style_weight, "q_ratio": 0.5},
            gate=self.config.gate,
        )

    def run(self) -> Iterator[LoopStep]:
        config = self.loop_config()
        yield from TrainingLoop(config, self.folder, LoopTrainer(config)).run()

    def network(self) -> Path:
        """The network of the last generation that was promoted."""
        promoted = [report["generation"] for report in self.reports() if report["promoted"]]
        return self.folder / f"gen-{promoted[-1]:04d}" / "net.knet"

    def first_network(self) -> Path:
        return self.folder / "gen-0000" / "net.knet"

    def reports(self) -> list[Mapping[str, Any]]:
        config = self.loop_config()
        return list(TrainingLoop(config, self.folder, LoopTrainer(config)).reports())

    def samples(self) -> list[str]:
        return [
            *(str(path) for path in sorted(self.folder.glob("gen-*/samples"))),
            *self.config.training.data,
        ]


def retrain(
    loop: StyleLoop,
    folder: Path,
    *,
    steps: int,
    style_weight: float,
    planes: tuple[str, ...] | None = None,
    seed: int = 0,
) -> tuple[Path, dict[str, float]]:
    """Train on the loop's samples from its start, with another weight of the style or other planes; the
    network, and the last terms of the loss. `seed` is added to the lab's. What is there is not trained
    again."""
    from kibitz.training.export import export_network
    from kibitz.training.train.checkpoint import latest
    from kibitz.training.train.config import TrainConfig
    from kibitz.training.train.trainer import Trainer

    network, losses = folder / "network.knet", folder / "losses.json"
    if network.is_file() and losses.is_file():
        return network, read_json(losses)
    part = loop.config.training
    config = TrainConfig.from_dict(
        {
            "run": {
                "folder": str(folder),
                "steps": steps,
                "seed": loop.config.lab.seed + seed,
                "threads": 1,
                "log_every": max(1, steps // 4),
                "evaluate_every": 0,
            },
            "data": {
                "folders": loop.samples(),
                "batch": part.batch,
                "holdout": 0,
                "ratios": loop.config.curriculum.ratios,
            },
            "model": {"game": "chess", **loop.model(planes)},
            "optimizer": {"rate": part.rate, "warmup": min(50, steps // 4), "average": 0.99},
            "loss": {"style": style_weight, "q_ratio": 0.5},
        }
    )
    rows: list[dict[str, Any]] = []
    Trainer(config, resume=latest(folder) is not None if folder.is_dir() else False).run(rows.append)
    if not rows:
        raise BadOption(f"{folder}: nothing was trained")
    last = {name: float(rows[-1][name]) for name in ("policy", "value", "style", "policy_accuracy")}
    export_network(folder, network, name=folder.name)
    write_json(losses, last)
    return network, last


def without(planes: tuple[str, ...], gone: str) -> tuple[str, ...]:
    """All planes of a choice but one."""
    named = tuple(_native.STYLE_PLANES) if planes == ("all",) else planes
    return tuple(name for name in named if name != gone)


def planes_of(config: LabConfig) -> tuple[str, ...]:
    return without(config.training.planes, "")


def timing_pair(source: Path, folder: Path) -> tuple[Path, Path]:
    """The network without planes about style and style head, and with both but planes that weigh nothing: the
    two search the same tree, so that their times can be compared."""
    model = read_own(read_network_file(source))
    weights = model.tensors["first.weights"][:, :CHESS_PLANES]
    bare = replace(model.arch, planes=CHESS_PLANES, style_planes="", style=False, style_outputs=1)
    more = model.arch.planes - CHESS_PLANES
    wide = np.pad(weights, ((0, 0), (0, more), (0, 0), (0, 0)))
    paths = (folder / "bare.knet", folder / "whole.knet")
    for path, arch, first in zip(paths, (bare, model.arch), (weights, wide), strict=True):
        tensors = {name: model.tensors[name] for name in tensor_shapes(arch)} | {"first.weights": first}
        write_whole(path, write_own(arch, tensors, {"name": path.stem}, "fp16"))
    return paths
