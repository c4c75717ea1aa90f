"""What trains the networks of a loop: one training run (training/train) that reads other samples in each
generation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kibitz.errors import BadOption
from kibitz.training.loop_config import LoopConfig


class LoopTrainer:
    """`[model]`, `[optimizer]`, `[loss]` are those of `kibitz train`; `[train]` the steps of a generation,
    the batch and the threads."""

    suffix = ".knet"

    def __init__(self, config: LoopConfig) -> None:
        self._config = config
        self._settings((), Path("run"))  # refuses what is wrong

    def first(self, network: Path, seed: int) -> None:
        """Write a network with random weights."""
        from kibitz.files.whole_file import write_whole
        from kibitz.nets.own.file import write_own
        from kibitz.training.model.start import begin_with
        from kibitz.training.model.tensors import file_tensors, make_net
        from kibitz.training.train.config import architecture_of

        model = self._settings((), Path("run")).model
        arch = architecture_of(model)
        norm = model.norm or ("batch" if arch.layout == "residual" else "fixed")
        about = {"name": f"{arch.game}-0", "steps": 0, "seed": seed, "configuration": {"model": vars(model)}}
        net = make_net(arch, norm, seed)
        if model.start:
            begin_with(net, model.start)
            about["configuration"] = {"model": {**vars(model), "start": ""}}
        write_whole(network, write_own(arch, file_tensors(net), about, "fp16"))

    def train(
        self, data: Sequence[Path], number: int, folder: Path, network: Path, seed: int
    ) -> Mapping[str, Any]:
        """Train as many steps as a network has. A training that was interrupted within them goes on with
        the samples it began with."""
        from kibitz.training.export import export_network
        from kibitz.training.train.checkpoint import latest, load_checkpoint
        from kibitz.training.train.trainer import Trainer

        steps = self._config.train.steps
        checkpoint = latest(folder) if folder.is_dir() else None
        done = load_checkpoint(checkpoint)[1].step if checkpoint else 0
        begun = done > (number - 1) * steps
        if done > number * steps:
            raise BadOption(f"{folder} was trained beyond network {number}")
        trainer = Trainer(self._settings(data, folder), resume=True, new_data=not begun)
        trainer.run(stop_after=number * steps - done)
        export_network(folder, network, name=f"{self._config.game}-{number}")
        return {
            "losses": trainer.evaluate(),
            "steps": trainer.progress.step,
            "positions": trainer.progress.positions,
            "shards": len(trainer.progress.shards),
            "seed": seed,
        }

    def _settings(self, data: Sequence[Path], folder: Path) -> Any:
        from kibitz.training.train.config import TrainConfig

        part = self._config.train
        return TrainConfig.from_dict(
            {
                "run": {
                    "folder": str(folder),
                    "steps": part.steps * self._config.generations,
                    "seed": self._config.seed,
                    "threads": part.threads or int(self._config.fleet.gate > 0),  # beside others, one
                    "checkpoint_minutes": part.checkpoint_minutes,
                    "evaluate_every": 0,
                    "evaluate_batches": part.evaluate_batches,
                },
                "data": {
                    "folders": [*(str(path) for path in data), *part.data],
                    "batch": part.batch,
                    "holdout": part.holdout,
                    "shards_at_once": part.shards_at_once,
                    "ratios": self._config.curriculum.ratios,
                },
                "model": {"game": self._config.game, **self._config.model},
                "optimizer": dict(self._config.optimizer),
                "loss": dict(self._config.loss),
            }
        )
