"""One training run: batches in, checkpoints, a log and evaluations out.

Threads: a trainer belongs to one thread; torch uses as many as the configuration says. Where several
processes train together (parallel.py), each has a trainer; the first one writes.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import distributed
from torch.nn.parallel import DistributedDataParallel

from kibitz.errors import BadOption
from kibitz.training.commit import source_commit
from kibitz.training.model.layers import over_all, shared
from kibitz.training.model.loss import losses
from kibitz.training.model.start import begin_with
from kibitz.training.model.tensors import make_net
from kibitz.training.samples import SampleReader, Window
from kibitz.training.samples.schema import Batch
from kibitz.training.train.checkpoint import Progress, latest, load_checkpoint, save_checkpoint
from kibitz.training.train.config import TrainConfig, architecture_of, planes_seen
from kibitz.training.train.schedule import rate_at

LOG = "log.jsonl"

#: What happened at a step: its number, the terms of the loss, the rate, samples a second.
Report = Callable[[dict[str, Any]], None]


class Trainer:
    """A run that begins or goes on.

    >>> trainer = Trainer(TrainConfig.read("go.toml"), resume=True)                    # doctest: +SKIP
    >>> trainer.run(print)                                                             # doctest: +SKIP

    With `new_data` a run that goes on reads the samples that are there now; without, those it began with.
    """

    def __init__(self, config: TrainConfig, *, resume: bool = False, new_data: bool = False) -> None:
        self.config = config
        self.folder = Path(config.run.folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        checkpoint = latest(self.folder)
        if checkpoint is not None and not resume:
            raise BadOption(f"{self.folder} holds a run already; resume=True goes on with it")
        if config.run.threads:
            torch.set_num_threads(config.run.threads)
        self.device = _device(config.run.device)
        self.autocast = _wants_bf16(config.run.precision, self.device)
        self.arch = architecture_of(config.model)
        norm = config.model.norm or ("batch" if self.arch.layout == "residual" else "fixed")
        self.net = make_net(self.arch, norm, config.run.seed).to(self.device)
        self.net = self.net.to(memory_format=torch.channels_last)
        if config.model.start and checkpoint is None:
            begin_with(self.net, config.model.start)
        #: Which of a sample's planes the network sees, where it is not shown all of them.
        self._planes = planes_seen(self.arch)
        self.average = {name: value.detach().clone() for name, value in self.net.state_dict().items()}
        self.optimizer = _optimizer(self.net, config)
        self.weights = config.loss
        self.progress = Progress(commit=source_commit(), config=config.to_dict())
        if checkpoint is not None:
            self._restore(checkpoint)
        #: Which of the processes that train together this is, and how many there are.
        self._rank: int = distributed.get_rank() if shared() else 0
        self._world: int = distributed.get_world_size() if shared() else 1
        self._net: Any = self.net
        if self._world > 1:
            # Norms that need the whole batch's statistics add them up themselves (model/layers.py).
            self._net = DistributedDataParallel(self.net)
        self.reader = self._reader(new_data)

    # -- the run -------------------------------------------------------------------------------------------

    def run(self, report: Report | None = None, stop_after: int | None = None) -> Path:
        """Train to the last step, or for `stop_after` steps; returns the last checkpoint."""
        config, progress = self.config.run, self.progress
        say = self._logged(report)
        last = config.steps if stop_after is None else min(config.steps, progress.step + stop_after)
        batches = self.reader.batches(progress.step - progress.data_from)
        started = saved = noted = time.monotonic()
        before, seconds = progress.step, progress.seconds
        sums: dict[str, float] = {}
        while progress.step < last and self._spent() < 1.0:
            terms = self._step(next(batches))
            progress.step += 1
            progress.positions += self.config.data.batch
            for name, value in terms.items():
                sums[name] = sums.get(name, 0.0) + value
            now = time.monotonic()
            progress.seconds = self._agreed(seconds + now - started)
            ended = progress.step == last or self._spent() >= 1.0
            if progress.step % config.log_every == 0 or ended:
                count = progress.step - before
                line = {name: value / count for name, value in sums.items()}
                speed = count * self.config.data.batch / max(1e-9, now - noted)
                say({"step": progress.step, "rate": self._rate(), "perSecond": round(speed, 1), **line})
                before, noted, sums = progress.step, now, {}
            if config.evaluate_every and progress.step % config.evaluate_every == 0:
                self._evaluated(say)
            if now - saved >= 60 * config.checkpoint_minutes:
                self.save()
                saved = now
        if progress.step == config.steps or self._spent() >= 1.0:
            self._evaluated(say)
        return self.save()

    def save(self) -> Path:
        if self._rank:
            return self.folder
        return save_checkpoint(
            self.folder, self.net, self.average, self.optimizer, self.progress, self.config.run.keep
        )

    def evaluate(self) -> dict[str, float]:
        """The mean terms on held-back shards, of the averaged weights; empty when nothing is held back."""
        reader = replace(self.reader, held=True, shuffle=False, symmetries=False, part=(0, 1))
        if not reader.shards:
            return {}
        kept = {name: value.clone() for name, value in self.net.state_dict().items()}
        self.net.load_state_dict(self.average)
        self.net.eval()
        rows: list[dict[str, float]] = []
        try:
            with torch.no_grad():
                for batch in _some(reader.batches(), self.config.run.evaluate_batches):
                    rows.append(_numbers(self._terms(batch, self.net)))
        finally:
            self.net.load_state_dict(kept)
            self.net.train()
        return {name: float(np.mean([row[name] for row in rows])) for name in rows[0]}

    # -- steps ---------------------------------------------------------------------------------------------

    def _spent(self) -> float:
        """The part of the run's time that is over; 0 where it has no limit."""
        limit = 60 * self.config.run.minutes
        return min(1.0, self.progress.seconds / limit) if limit else 0.0

    def _rate(self) -> float:
        settings, step, steps = self.config.optimizer, self.progress.step, self.config.run.steps
        if step >= settings.warmup:
            step = max(step, round(self._spent() * steps))
        return rate_at(settings, step, steps)

    def _agreed(self, seconds: float) -> float:
        """The first process's clock, where all must stop at the same step."""
        if self._world == 1 or not self.config.run.minutes:
            return seconds
        shared = torch.tensor(seconds, dtype=torch.float64)
        distributed.broadcast(shared, 0)
        return float(shared)

    def _terms(self, batch: Batch, net: Any) -> dict[str, Any]:
        arrays = {
            item.name: torch.from_numpy(getattr(batch, item.name)).to(self.device)
            for item in fields(batch)
            if item.name != "uniform"
        }
        planes = self._shown(arrays.pop("planes")).contiguous(memory_format=torch.channels_last)
        mask = None if batch.uniform else arrays["mask"]
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.autocast):
            outputs = net(planes, arrays["globals"], mask)
        return losses(outputs, arrays, self.weights, self.arch.layout)

    def _shown(self, planes: Any) -> Any:
        """The planes that the network sees: samples may have all of those about style, a network has some."""
        if planes.shape[1] == self.arch.planes and self._planes is None:
            return planes
        if self._planes is None:
            return planes[:, : self.arch.planes] if self.arch.layout != "pooling" else planes
        if planes.shape[1] <= max(self._planes):
            raise BadOption(
                f"the samples have {planes.shape[1]} planes, none about style; `kibitz train tag` adds them"
            )
        return planes[:, self._planes]

    def _step(self, batch: Batch) -> dict[str, float]:
        for group in self.optimizer.param_groups:
            group["lr"] = self._rate()
        self.net.train()
        terms = self._terms(batch, self._net)
        self.optimizer.zero_grad(set_to_none=True)
        # The terms are parts of a sum over the processes; of their gradients torch takes the mean.
        (terms["total"] * self._world).backward()
        if self.config.optimizer.clip:
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), self.config.optimizer.clip)
        self.optimizer.step()
        self._averaged()
        return _numbers(terms)

    def _averaged(self) -> None:
        """The average is young at first: it forgets the random weights it began with."""
        decay = self.config.optimizer.average
        decay = min(decay, (1 + self.progress.step) / (10 + self.progress.step)) if decay else 0.0
        with torch.no_grad():
            for name, value in self.net.state_dict().items():
                self.average[name].lerp_(value, 1.0 - decay)

    def _evaluated(self, say: Report) -> None:
        terms = self.evaluate()
        if terms:
            row = {"step": float(self.progress.step), **terms}
            if not self.progress.evaluations or self.progress.evaluations[-1] != row:
                self.progress.evaluations.append(row)
                say({"step": self.progress.step, "evaluation": terms})

    def _logged(self, report: Report | None) -> Report:
        """Reports go to the run's log and to the caller."""

        def say(row: dict[str, Any]) -> None:
            if self._rank:
                return
            with (self.folder / LOG).open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
            if report is not None:
                report(row)

        return say

    # -- beginning and going on ----------------------------------------------------------------------------

    def _reader(self, new_data: bool) -> SampleReader:
        data, progress = self.config.data, self.progress
        window = Window(data.positions, data.generations, data.holdout)
        pinned = bool(progress.shards) and not new_data
        reader = SampleReader(
            data.folders,
            data.batch,
            seed=self.config.run.seed * 1_000_003 + (progress.data_from if pinned else progress.step),
            window=window,
            ratios=data.ratios,
            symmetries=data.symmetries,
            shards_at_once=data.shards_at_once,
            part=(self._rank, self._world),
        )
        if reader.game != self.arch.game:
            raise BadOption(f"the samples are of {reader.game}, the network is for {self.arch.game}")
        if pinned:
            known = {(folder, shard.name): (folder, shard) for folder, shard in _all(reader)}
            try:
                reader.shards = [known[folder, name] for folder, name in progress.shards]
            except KeyError as error:
                raise BadOption(f"shard {error} of the run is gone; go on with new data") from None
        else:
            progress.shards = [[folder, shard.name] for folder, shard in reader.shards]
            progress.data_from = progress.step
        progress.digests = sorted({*progress.digests, *reader.digests})
        return reader

    def _restore(self, path: Path) -> None:
        tensors, self.progress = load_checkpoint(path)
        self.progress.config = self.config.to_dict()
        try:
            self.net.load_state_dict(_part(tensors, "net."))
            average = _part(tensors, "average.")
            for name, value in self.average.items():
                value.copy_(average[name])
            state = self.optimizer.state_dict()
            for name, value in _part(tensors, "optimizer.").items():
                number, _, key = name.partition(".")
                state["state"].setdefault(int(number), {})[key] = value
            self.optimizer.load_state_dict(state)
        except (RuntimeError, KeyError, ValueError) as error:
            reason = str(error).splitlines()[0]
            raise BadOption(f"{path} does not fit the configuration's network: {reason}") from None


def _numbers(terms: dict[str, Any]) -> dict[str, float]:
    """The terms of the whole batch."""
    values = over_all(torch.stack([value.detach() for value in terms.values()]))
    return dict(zip(terms, values.tolist(), strict=True))


def _all(reader: SampleReader) -> Iterator[tuple[str, Any]]:
    for folder, manifest in reader.manifests.items():
        for shard in manifest.shards:
            yield folder, shard


def _part(tensors: dict[str, Any], prefix: str) -> dict[str, Any]:
    return {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}


def _some(batches: Iterator[Batch], most: int) -> Iterator[Batch]:
    for number, batch in enumerate(batches):
        if most and number >= most:
            return
        yield batch


def _optimizer(net: Any, config: TrainConfig) -> Any:
    """Norms and biases are not drawn towards zero."""
    decayed = [value for value in net.parameters() if value.ndim > 1]
    free = [value for value in net.parameters() if value.ndim <= 1]
    settings = config.optimizer
    groups = [
        {"params": decayed, "weight_decay": settings.weight_decay},
        {"params": free, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=settings.rate, betas=(settings.beta1, settings.beta2), eps=1e-7)


def _device(name: str) -> Any:
    if name == "cuda" and not torch.cuda.is_available():
        raise BadOption("there is no CUDA device that torch can use")
    return torch.device("cuda" if name != "cpu" and torch.cuda.is_available() else "cpu")


def _wants_bf16(precision: str, device: Any) -> bool:
    """A CPU gains from bf16 only where AMX works, which its flags do not tell: virtual machines show them and
    die of it. So it is left to whoever measured."""
    return bool(device.type == "cuda") if precision == "auto" else precision == "bf16"
