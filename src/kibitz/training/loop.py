"""The training loop: self-play, train, gate, promote, again (`kibitz train loop`).

    >>> loop = TrainingLoop(read_loop_config("othello.toml"), "runs/othello", trainer)  # doctest: +SKIP
    >>> for step in loop.run():                                                       # doctest: +SKIP
    ...     print(step)

Everything lies in one folder, and what is there says how far the loop has come, so that it goes on after
any interruption:

    loop.json            the configuration, and who made it
    train/               checkpoints and log of the training, which goes on from generation to generation
    gen-0000/            the first network, with random weights
    gen-0001/samples/    the games of the best network so far, as samples (training/samples)
    gen-0001/net.*       the new network
    gen-0001/gate.jsonl  its match against the best so far
    gen-0001/report.json written last: the generation is finished
    index.html           the page of plots
"""

from __future__ import annotations

import json
import math
import os
import platform
import time
from collections.abc import Iterator, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, Protocol

from kibitz.errors import BadOption, BadRecord
from kibitz.files.whole_file import read_json, write_json, write_whole
from kibitz.fleet.content import digest_of
from kibitz.training.loop_config import LoopConfig
from kibitz.training.loop_stages import LoopStep, anchor, gate, selfplay
from kibitz.training.plots import loop_page


class Trainer(Protocol):
    """What makes networks."""

    suffix: str
    """How the network files end."""

    def first(self, network: Path, seed: int) -> None:
        """Write a network with random weights."""

    def train(
        self, data: Sequence[Path], generation: int, folder: Path, network: Path, seed: int
    ) -> Mapping[str, Any]:
        """Train on folders of samples, going on from the generation before, with checkpoints in `folder`, and
        write the network; its report, with `losses` by name. Called again after an interruption, it
        goes on from its last checkpoint."""


class TrainingLoop:
    """A loop in its folder; `run` goes on from what is there."""

    def __init__(self, config: LoopConfig, folder: str | os.PathLike[str], trainer: Trainer) -> None:
        self.config = config
        self.folder = Path(folder)
        self._trainer = trainer
        self.folder.mkdir(parents=True, exist_ok=True)
        self._check_configuration()

    # -- the generations --------------------------------------------------------------------------

    def run(self) -> Iterator[LoopStep]:
        """Makes the generations that are missing."""
        self._first_network()
        while (generation := len(self.reports())) <= self.config.generations:
            hours = sum(report["seconds"] for report in self.reports()) / 3600
            if self.config.hours and hours >= self.config.hours:
                return
            yield from self._generation(generation)

    def reports(self) -> list[dict[str, Any]]:
        """Reports of the finished generations, from 0 on."""
        reports: list[dict[str, Any]] = []
        while (path := self._place(len(reports)) / "report.json").is_file():
            reports.append(read_json(path))
        return reports

    def best(self) -> dict[str, Any]:
        """The report of the last generation that was promoted."""
        return [report for report in self.reports() if report["promoted"]][-1]

    def network(self, generation: int) -> Path:
        return self._place(generation) / f"net{self._trainer.suffix}"

    def _generation(self, generation: int) -> Iterator[LoopStep]:
        folder = self._place(generation)
        folder.mkdir(exist_ok=True)
        watch = _Watch(folder / "seconds.json")
        best = self.best()
        network = self.network(best["generation"])
        settings = self.config.games_of(generation, str(network), resign=self._may_resign())
        played = yield from selfplay(self.config, settings, generation, folder, self._origin())
        watch.note("selfplay")
        yield LoopStep(generation, "train", 0, 1)
        trained = self._train(generation)
        watch.note("train")
        new = self.network(generation)
        gated = yield from gate(self.config, generation, new, network, folder)
        watch.note("gate")
        anchored: dict[str, Any] = {}
        if gated["promoted"]:
            anchored = yield from anchor(self.config, generation, new, folder)
        watch.note("anchor")
        elo = best["elo"]
        report = {
            "generation": generation,
            "promoted": bool(gated["promoted"]),
            "network": digest_of(new),
            "parent": best["network"],
            "elo": {
                "value": elo["value"] + gated["elo"],
                "spread": math.hypot(elo["spread"], gated["spread"]),
            },
            "selfplay": played,
            "train": trained,
            "gate": gated,
            "anchor": anchored or None,
            "seconds": watch.total,
            "seconds_by_stage": watch.stages,
            "made": self._origin(),
        }
        self._finish(generation, report)
        yield LoopStep(generation, "finished", 1, 1, _summary(report))

    def _first_network(self) -> None:
        folder = self._place(0)
        if (folder / "report.json").is_file():
            return
        folder.mkdir(exist_ok=True)
        network = self.network(0)
        self._trainer.first(network, self.config.seed)
        report = {
            "generation": 0,
            "promoted": True,
            "network": digest_of(network),
            "parent": None,
            "elo": {"value": 0.0, "spread": 0.0},
            "selfplay": {"games": 0, "positions": 0},
            "train": {},
            "gate": None,
            "anchor": None,
            "seconds": 0.0,
            "made": self._origin(),
        }
        self._finish(0, report)

    def _may_resign(self) -> bool:
        """Nobody resigns while the last generation's check says that it is too often wrong."""
        rates = [
            report["selfplay"].get("resigning_wrong_at_most")
            for report in self.reports()
            if report["selfplay"].get("checked")
        ]
        return not rates or rates[-1] is None or rates[-1] <= self.config.most_false_resignations

    def _train(self, generation: int) -> dict[str, Any]:
        network, folder = self.network(generation), self._place(generation)
        kept = folder / "train.json"
        if network.is_file() and kept.is_file():
            return read_json(kept)
        oldest = max(1, generation - self.config.window + 1)
        data = [self._place(number) / "samples" for number in range(oldest, generation + 1)]
        seed = self.config.seed_of(generation)
        report = dict(self._trainer.train(data, generation, self.folder / "train", network, seed))
        write_json(kept, report)
        return report

    # -- files ------------------------------------------------------------------------------------

    def _place(self, generation: int) -> Path:
        return self.folder / f"gen-{generation:04d}"

    def _check_configuration(self) -> None:
        path = self.folder / "loop.json"
        config = json.loads(json.dumps(self.config.to_dict()))
        if not path.is_file():
            made = {"format": "kibitz-loop", "version": 1, "config": config, "made": self._origin()}
            write_json(path, made)
            return
        known = read_json(path)
        if known.get("format") != "kibitz-loop" or known.get("version") != 1:
            raise BadRecord(f"{path} is not of a training loop that this version knows")
        if known["config"] != config:
            differing = [key for key in config if known["config"].get(key) != config[key]]
            raise BadOption(f"{self.folder} is of another training loop: {', '.join(differing)} differ")

    def _finish(self, generation: int, report: dict[str, Any]) -> None:
        write_json(self._place(generation) / "report.json", report)
        title = f"Kibitz: training {self.config.game}, {self.folder.name}"
        page = loop_page(title, self.reports())
        write_whole(self.folder / "index.html", page.encode())

    def _origin(self) -> dict[str, Any]:
        return {
            "kibitz": metadata.version("kibitz"),
            "config": self.config.digest,
            "machine": platform.machine(),
        }


class _Watch:
    """How long the stages of a generation took, over all runs of the loop that worked on it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._since = time.monotonic()
        self.stages: dict[str, float] = read_json(path) if path.is_file() else {}

    def note(self, stage: str) -> None:
        """A stage has ended."""
        now = time.monotonic()
        self.stages[stage] = round(self.stages.get(stage, 0.0) + now - self._since, 1)
        self._since = now
        write_json(self._path, self.stages)

    @property
    def total(self) -> float:
        return round(sum(self.stages.values()), 1)


def _summary(report: Mapping[str, Any]) -> str:
    gate = report["gate"]
    verdict = "promoted" if report["promoted"] else "not promoted"
    return (
        f"{report['selfplay']['games']:,} games, {report['selfplay']['positions']:,} positions; gate "
        f"{gate['wins']}-{gate['draws']}-{gate['losses']}, {verdict}; Elo {report['elo']['value']:.0f}"
    )
