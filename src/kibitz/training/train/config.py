"""The configuration of a training run: a TOML file, every field checked and named in errors."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from kibitz import _native
from kibitz.errors import BadOption
from kibitz.games import registry
from kibitz.nets.own.architecture import Architecture
from kibitz.training.loss_weights import LossWeights
from kibitz.training.toml_tables import read_toml, tables_of


@dataclass(frozen=True)
class RunConfig:
    """Where a run lives and how long it is."""

    #: Checkpoints and logs; relative to the configuration file.
    folder: str = "run"
    steps: int = 10_000
    #: So long at most; the schedule follows what is further on, steps or time. 0: no limit, and only then
    #: does an interrupted run end in the very weights of another.
    minutes: float = 0.0
    seed: int = 1
    #: Of each process; 0: all cores, shared by the processes.
    threads: int = 0
    #: Processes of this host that train together, each on its part of the batch.
    processes: int = 1
    #: Hosts on which the same command is given, with the folder shared; they meet at HOST:PORT of one.
    hosts: int = 1
    rendezvous: str = ""
    #: fp32, bf16 (measure it first on a CPU), or auto: bf16 on a GPU, fp32 on a CPU.
    precision: str = "auto"
    #: cpu, cuda or auto.
    device: str = "auto"
    checkpoint_minutes: float = 5.0
    #: Checkpoints kept beside the last.
    keep: int = 2
    log_every: int = 50
    #: Steps between evaluations on held-back shards; 0: only at the end.
    evaluate_every: int = 1000
    evaluate_batches: int = 20


@dataclass(frozen=True)
class DataConfig:
    """Which samples, and in which batches."""

    folders: tuple[str, ...] = ()
    batch: int = 256
    positions: int = 0
    generations: int = 0
    #: Of so many shards the last is held back; 0: none.
    holdout: int = 20
    symmetries: bool = True
    shards_at_once: int = 8
    ratios: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class ModelConfig:
    """The network; what is not given follows from the game."""

    game: str = ""
    layout: str = ""
    filters: int = 64
    blocks: int = 6
    pool_every: int = 3
    #: Filters of a block that are pooled; 0: half of them, 32 at most.
    pool_filters: int = 0
    policy_filters: int = 32
    value_filters: int = 32
    value_hidden: int = 64
    se_ratio: int = 8
    moves_left: bool = False
    style: bool = False
    #: 2: the head also predicts the style of the side to move.
    style_outputs: int = 1
    #: Chess: planes about style that the network sees, by name, or `all`; see docs/style-training.md.
    style_planes: tuple[str, ...] = ()
    #: A `.knet` file, or a run, whose weights training begins with. New planes begin with weights of zero.
    start: str = ""
    #: Chess, layout accumulator: the score is learned from terms, the hand-written one is not asked.
    terms: bool = False
    #: With `terms`: a hidden layer over them, for what a term is worth beside others.
    term_layer: bool = False
    activation: str = "relu"
    #: batch or fixed; see `model/layers.py`. Empty: batch for residual, fixed for pooling.
    norm: str = ""


@dataclass(frozen=True)
class OptimizerConfig:
    """AdamW, a warm-up, then a schedule down to `final` times the rate."""

    rate: float = 2e-3
    #: cosine, linear or constant.
    schedule: str = "cosine"
    final: float = 0.02
    warmup: int = 200
    weight_decay: float = 1e-4
    beta1: float = 0.9
    beta2: float = 0.99
    clip: float = 1.0
    #: Decay of the average of weights that is exported; 0: the weights themselves.
    average: float = 0.999


@dataclass(frozen=True)
class TrainConfig:
    """The whole of it: one table of the TOML file each."""

    run: RunConfig = field(default_factory=RunConfig)
    data: DataConfig = field(default_factory=DataConfig)
    model: ModelConfig = field(default_factory=ModelConfig)
    optimizer: OptimizerConfig = field(default_factory=OptimizerConfig)
    loss: LossWeights = field(default_factory=LossWeights)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> TrainConfig:
        """Raises BadOption naming the table and field that is unknown or wrong."""
        config = cls(**tables_of(cls(), data))
        config._check()
        return config

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> TrainConfig:
        """The configuration of a file; relative folders are beside it."""
        config = cls.from_dict(read_toml(path))
        base = Path(path).resolve().parent
        run = replace(config.run, folder=str(base / config.run.folder))
        folders = tuple(name if "://" in name else str(base / name) for name in config.data.folders)
        return replace(config, run=run, data=replace(config.data, folders=folders))

    def _check(self) -> None:
        limits: tuple[tuple[Any, str, float, float], ...] = (
            (self.run, "steps", 1, 10**9),
            (self.run, "minutes", 0, 10**7),
            (self.run, "threads", 0, 1024),
            (self.run, "processes", 1, 1024),
            (self.run, "hosts", 1, 10**4),
            (self.run, "checkpoint_minutes", 0, 10**4),
            (self.run, "log_every", 1, 10**6),
            (self.data, "batch", 1, 1 << 16),
            (self.data, "shards_at_once", 1, 10**4),
            (self.optimizer, "rate", 0, 10),
            (self.optimizer, "average", 0, 1),
            (self.loss, "q_ratio", 0, 1),
        )
        for part, name, least, most in limits:
            value = getattr(part, name)
            if not least <= value <= most:
                raise BadOption(f"{name} must be from {least:g} to {most:g}, got {value!r}")
        words = (
            (self.run.precision, "precision", ("auto", "fp32", "bf16")),
            (self.run.device, "device", ("auto", "cpu", "cuda")),
            (self.optimizer.schedule, "schedule", ("cosine", "linear", "constant")),
            (self.model.norm, "norm", ("", "batch", "fixed")),
        )
        for word, name, known in words:
            if word not in known:
                raise BadOption(f"{name} must be one of {', '.join(filter(None, known))}, got {word!r}")
        architecture_of(self.model)


def architecture_of(model: ModelConfig) -> Architecture:
    """The architecture: what the configuration says, and what the game declares."""
    info = registry.get(model.game)
    if info.sample is None:
        raise BadOption(f"{model.game} has no samples for networks")
    shape = info.sample.shape(info.position())
    layout = model.layout or info.sample.layout
    points = shape.rows * shape.columns
    policy_planes, passes = divmod(shape.policy, points)
    if layout == "pooling" and (policy_planes < 1 or passes > 1):
        raise BadOption(
            f"the policy of {model.game} has {shape.policy} outputs; this layout has some for each of the "
            f"{points} points of the board, and one for a pass"
        )
    any_size = info.sample.start is not None
    planes = style_planes_of(model)
    return Architecture(
        game=model.game,
        layout=layout,
        planes=shape.planes + len(planes),
        globals=shape.globals,
        rows=0 if any_size else shape.rows,
        columns=0 if any_size else shape.columns,
        filters=model.filters,
        terms=_native.CHESS_TERMS if model.terms else 0,
        term_filters=_native.CHESS_TERM_FILTERS if model.term_layer else 0,
        blocks=model.blocks,
        pool_every=model.pool_every,
        pool_filters=model.pool_filters or max(1, min(32, model.filters // 2)),
        policy_filters=model.policy_filters,
        value_filters=model.value_filters,
        value_hidden=model.value_hidden,
        se_ratio=model.se_ratio,
        policy_planes=policy_planes if layout == "pooling" else 1,
        has_pass=layout == "pooling" and passes == 1,
        has_ownership=layout == "pooling" and info.sample.has_ownership,
        moves_left=model.moves_left,
        style=model.style,
        style_outputs=model.style_outputs if model.style else 1,
        style_planes=" ".join(planes),
        activation=model.activation,
    )


def planes_seen(arch: Architecture) -> list[int] | None:
    """Which planes of a sample with all planes about style a network sees; None for a network without any."""
    named = arch.style_planes.split()
    if not named:
        return None
    plain = arch.planes - len(named)
    return [*range(plain), *(plain + _native.STYLE_PLANES.index(name) for name in named)]


def style_planes_of(model: ModelConfig) -> tuple[str, ...]:
    """The names of the style planes, in the order in which they are written."""
    named = set(_native.STYLE_PLANES if model.style_planes == ("all",) else model.style_planes)
    unknown = sorted(named - set(_native.STYLE_PLANES))
    if unknown:
        raise BadOption(
            f"unknown style plane {unknown[0]!r}; expected {', '.join(_native.STYLE_PLANES)} or all"
        )
    return tuple(name for name in _native.STYLE_PLANES if name in named)
