"""The three roles of a training loop: who plays, who trains, who gates.

Each is a generator of steps; None says that it has nothing to report at the moment, and it comes after a few
hundredths of a second at most, unless the role works in this process. What a role does follows from the
loop's folder (loop_folder.py), and what it decides is written there before it begins: after an interruption
it goes on with the same games, the same samples, the same match.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from kibitz.fleet.content import digest_of
from kibitz.fleet.jobs import Done, run_jobs_beside
from kibitz.fleet.runners import make_runner
from kibitz.training.loop_config import LoopConfig
from kibitz.training.loop_folder import LoopFolder
from kibitz.training.loop_games import LoopBlock, LoopGames, LoopTask
from kibitz.training.loop_stages import TICK, LoopStep, anchor, gate
from kibitz.training.shard_run import BLOCKS, ShardBook, check_of
from kibitz.training.shard_task import SampleNames

#: Games a process plays at once, where the configuration does not say.
_PARALLEL = 64

Role = Generator[LoopStep | None, None, None]


class Trainer(Protocol):
    """What makes networks. It travels to a worker process where other roles work at the same time."""

    suffix: str
    """How the network files end."""

    def first(self, network: Path, seed: int) -> None:
        """Write a network with random weights."""

    def train(
        self, data: Sequence[Path], number: int, folder: Path, network: Path, seed: int
    ) -> Mapping[str, Any]:
        """Train the `number`-th network on folders of samples, going on from the one before, with checkpoints
        in `folder`, and write it; its report, with `losses` by name. Called again after an interruption, it
        goes on from its last checkpoint."""


# -- games ---------------------------------------------------------------------------------------------------


class Players:
    """Play the generations, each with the best network when it begins."""

    def __init__(self, config: LoopConfig, files: LoopFolder, origin: Mapping[str, Any]) -> None:
        self._config = config
        self._files = files
        self._origin = origin
        self._numbers = itertools.count()
        self._books: dict[int, ShardBook] = {}
        self._began: dict[int, float] = {}
        self._steps: list[LoopStep] = []
        self.ended = False

    def run(self) -> Role:
        try:
            while (generation := self._next()) is not None:
                if not self._may_begin(generation):
                    yield None
                    continue
                place = self._config.fleet
                blocks = -(-self._config.selfplay.games // self._config.shard_games)
                runner = make_runner(
                    self._task(),
                    place.processes if place.gate else min(place.processes, blocks),
                    slots=min(BLOCKS, blocks),
                    name="kibitz-selfplay",
                    start_seconds=None,  # a network may be calibrated first
                    fleet=place.fleet,
                )
                jobs = run_jobs_beside(runner, self._blocks(generation), TICK)
                with contextlib.closing(jobs) as events:
                    for event in events:
                        if isinstance(event, Done):
                            self._count(event.job, event.result)
                        yield from self._news()
                        if self._files.networks >= self._config.generations:
                            break  # what is under way now, no network would be trained on
                yield from self._news()
            self.ended = True
        finally:
            for number, book in self._books.items():
                book.__exit__()
                self._files.note(number, "selfplay", time.monotonic() - self._began[number])

    def _news(self) -> Role:
        steps: list[LoopStep | None] = [*self._steps]
        self._steps.clear()
        yield from steps or (None,)

    def _next(self) -> int | None:
        """The first generation whose games are not complete; None when there are enough of them."""
        generation = 1
        while self._files.is_played(generation):
            generation += 1
        return generation if self._is_wanted(generation) else None

    def _is_wanted(self, generation: int) -> bool:
        config = self._config
        if self._files.networks >= config.generations:
            return False
        hours = sum(report["seconds"] for report in self._files.reports()) / 3600
        return self._files.has(generation, "begun") or not config.hours or hours < config.hours

    def _may_begin(self, generation: int) -> bool:
        return bool(self._config.fleet.gate) or self._files.has(generation - 1, "report")

    def _blocks(self, generation: int) -> Iterator[LoopBlock]:
        """The blocks that are missing, of this generation and those after it that may begin."""
        while self._is_wanted(generation) and self._may_begin(generation):
            if not self._files.is_played(generation):
                games, book = self._begin(generation)
                for block in book.missing:
                    yield LoopBlock(next(self._numbers), generation, games, block)
                self._end_if_complete(generation)
            generation += 1

    def _begin(self, generation: int) -> tuple[LoopGames, ShardBook]:
        files, config = self._files, self._config
        begun = files.read(generation, "begun")
        if begun is None:
            best = files.best()
            begun = {
                "generation": best["generation"],
                "network": best["network"],
                "resign": self._may_resign(generation),
            }
            files.write(generation, "begun", begun)
        network = str(files.network(begun["generation"]))
        settings = config.games_of(generation, network, resign=begun["resign"])
        if settings.style_network:
            settings = replace(settings, style_network=_found(settings.style_network))
        source = f"{config.game} loop {config.digest}, network {begun['network']}"
        names = SampleNames(source, generation, bool(config.model.get("style_planes")))
        self._began[generation] = time.monotonic()
        book = self._books[generation] = ShardBook(
            settings, files.samples(generation), config.shard_games, origin=self._origin
        )
        self._steps.append(LoopStep(generation, "selfplay", book.done, book.settings.games))
        return LoopGames(settings, begun["network"], book.place, names), book

    def _task(self) -> LoopTask:
        config, place = self._config, self._config.fleet
        named = {config.curriculum.openings, config.selfplay.openings}
        if config.selfplay.style_network:
            named.add(_found(config.selfplay.style_network))
        files = tuple(sorted(name for name in named if name))
        return LoopTask(place.parallel or _PARALLEL, place.threads, files)

    def _count(self, job: LoopBlock, shard: Any) -> None:
        book = self._books[job.generation]
        if book.add(shard):
            self._steps.append(LoopStep(job.generation, "selfplay", book.done, book.settings.games))
        self._end_if_complete(job.generation)

    def _end_if_complete(self, generation: int) -> None:
        book = self._books.get(generation)
        if book is None or book.done < book.settings.games:
            return
        del self._books[generation]
        book.__exit__()
        shards = book.manifest.shards
        check = check_of(shards)
        plies = sum(shard.outcome.get("plies", 0) for shard in shards)
        begun = self._files.read(generation, "begun") or {}
        self._files.note(generation, "selfplay", time.monotonic() - self._began[generation])
        played = {
            "games": check.games,
            "positions": book.manifest.positions,
            "plies": round(plies / max(1, check.games), 1),
            "resigned": check.resigned,
            "checked": check.checked,
            "wrong": check.wrong,
            "resigning_wrong_at_most": check.most if check.checked else None,
            "network": begun["network"],
            "settings": book.settings.digest,
            "manifest": digest_of(self._files.samples(generation) / "manifest.json"),
        }
        self._files.write(generation, "selfplay", played)
        if (report := self._files.read(generation, "report")) is not None:  # it was passed over before
            self._files.finish(generation, {**report, "selfplay": played})

    def _may_resign(self, generation: int) -> bool:
        """Nobody resigns while the last check says that it is too often wrong."""
        played = (self._files.read(number, "selfplay") for number in range(generation - 1, 0, -1))
        rates = (one["resigning_wrong_at_most"] for one in played if one and one["checked"])
        rate = next(rates, None)
        return rate is None or rate <= self._config.most_false_resignations


# -- training ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _TrainTask:
    trainer: Trainer
    folder: Path
    cpus: int

    def start(self) -> _TrainTask:
        return self

    def run(self, job: _Training, say: Callable[[Any], None]) -> dict[str, Any]:
        return dict(self.trainer.train(job.data, job.number, self.folder, job.network, job.seed))

    def close(self) -> None:
        pass


@dataclass(frozen=True)
class _Training:
    id: int
    """The generation."""
    number: int
    data: tuple[Path, ...]
    network: Path
    seed: int


class Learner:
    """Trains a network when there are games that none was trained on: on the newest of them and those before
    in the window."""

    def __init__(self, config: LoopConfig, files: LoopFolder, trainer: Trainer, players: Players) -> None:
        self._config = config
        self._files = files
        self._trainer = trainer
        self._players = players
        self._began = 0.0
        self._seen = -1
        self._known: int | None = None
        #: The generation that is trained, and what is to be reported of it.
        self._at = 0
        self._steps: list[LoopStep] = []
        #: CPUs of a cluster that the training takes.
        self.cpus = max(1, config.train.threads)
        self.ended = False

    def run(self) -> Role:
        while self._next() is None and not self._players.ended:
            yield None
        if self._next() is not None:
            task = _TrainTask(self._trainer, self._files.folder / "train", self.cpus)
            place = self._config.fleet
            beside = place.gate > 0
            runner = make_runner(
                task,
                int(beside),
                name="kibitz-train",
                start_seconds=None,
                fleet=place.fleet if beside else "",
            )
            with contextlib.closing(run_jobs_beside(runner, self._trainings(), TICK)) as events:
                for event in events:
                    if isinstance(event, Done):
                        self._files.write(event.job.id, "train", event.result)
                        self._files.note(event.job.id, "train", time.monotonic() - self._began)
                        self._steps.append(LoopStep(event.job.id, "train", 1, 1))
                    steps: list[LoopStep | None] = [*self._steps]
                    self._steps.clear()
                    yield from steps or (None,)
        self.ended = True

    def _trainings(self) -> Iterator[_Training | None]:
        while True:
            ended = self._players.ended
            generation = self._next()
            if generation is None and ended:
                return
            if generation is None:
                yield None
            elif generation != self._at:  # first say so: in this process nothing else happens meanwhile
                self._at = generation
                self._steps.append(LoopStep(generation, "train", 0, 1))
                yield None
            else:
                self._began = time.monotonic()
                yield self._training(generation)

    def _next(self) -> int | None:
        """The generation whose network comes next: one that was begun, or the newest."""
        files = self._files
        if self._seen == files.changes:
            return self._known
        self._seen = files.changes
        begun = files.begun() if files.networks < self._config.generations else []
        last = max((number for number in begun if files.is_trained(number)), default=0)
        later = [number for number in begun if number > last]
        chosen = [number for number in later if files.has(number, "training")]
        self._known = max(chosen or [number for number in later if files.is_played(number)], default=None)
        return self._known

    def _training(self, generation: int) -> _Training:
        files, config = self._files, self._config
        begun = files.read(generation, "training")
        if begun is None:
            window = range(max(1, generation - config.window + 1), generation + 1)
            begun = {
                "number": 1 + files.networks,
                "generations": [number for number in window if files.is_played(number)],
            }
            files.write(generation, "training", begun)
        data = tuple(files.samples(number) for number in begun["generations"])
        seed = config.seed_of(generation)
        return _Training(generation, begun["number"], data, files.network(generation), seed)


# -- the gate ------------------------------------------------------------------------------------------------


class Gate:
    """Lets the newest network play the best one, and finishes the generations up to it."""

    def __init__(
        self, config: LoopConfig, files: LoopFolder, learner: Learner, origin: Mapping[str, Any]
    ) -> None:
        self._config = config
        self._files = files
        self._learner = learner
        self._origin = origin
        self._seen = -1
        self._known: int | None = None

    def run(self) -> Role:
        while True:
            ended = self._learner.ended
            generation = self._next()
            if generation is not None:
                yield from self._finish(generation)
            elif ended:
                return
            else:
                yield None

    def _next(self) -> int | None:
        """The generation whose network is gated next: one whose match was begun, or the newest."""
        files = self._files
        if self._seen == files.changes:
            return self._known
        self._seen = files.changes
        ready = [
            number for number in files.begun() if not files.has(number, "report") and files.is_trained(number)
        ]
        begun = [number for number in ready if (files.place(number) / "gate.jsonl").is_file()]
        self._known = max(begun or ready, default=None)
        return self._known

    def _finish(self, generation: int) -> Role:
        files, config = self._files, self._config
        best = files.best()
        for number in range(best["generation"] + 1, generation):
            if not files.has(number, "report"):
                yield self._done(number, self._report(number, best, None, None))
        folder, new = files.place(generation), files.network(generation)
        watch = time.monotonic()
        gated = yield from gate(config, generation, new, files.network(best["generation"]), folder)
        files.note(generation, "gate", time.monotonic() - watch)
        anchored: dict[str, Any] = {}
        if gated["promoted"]:
            watch = time.monotonic()
            anchored = yield from anchor(config, generation, new, folder)
            files.note(generation, "anchor", time.monotonic() - watch)
        yield self._done(generation, self._report(generation, best, gated, anchored))

    def _report(
        self,
        generation: int,
        best: dict[str, Any],
        gated: dict[str, Any] | None,
        anchored: dict[str, Any] | None,
    ) -> dict[str, Any]:
        files = self._files
        elo = None
        if gated is not None:
            value = best["elo"]["value"] + gated["elo"]
            elo = {"value": value, "spread": math.hypot(best["elo"]["spread"], gated["spread"])}
        return {
            "generation": generation,
            "promoted": gated is not None and bool(gated["promoted"]),
            "network": digest_of(files.network(generation)) if files.is_trained(generation) else None,
            "parent": best["network"],
            "elo": elo,
            "selfplay": files.read(generation, "selfplay") or {"games": 0, "positions": 0},
            "train": files.read(generation, "train") or {},
            "gate": gated,
            "anchor": anchored or None,
            "seconds": files.lap(),
            "seconds_by_stage": files.stages(generation),
            "made": self._origin,
        }

    def _done(self, generation: int, report: dict[str, Any]) -> LoopStep:
        self._files.finish(generation, report)
        return LoopStep(generation, "finished", 1, 1, _summary(report))


def _summary(report: Mapping[str, Any]) -> str:
    played = f"{report['selfplay']['games']:,} games, {report['selfplay']['positions']:,} positions"
    gate = report["gate"]
    if gate is None:
        return f"{played}; passed over"
    verdict = "promoted" if report["promoted"] else "not promoted"
    match = f"{gate['wins']}-{gate['draws']}-{gate['losses']}"
    return f"{played}; gate {match}, {verdict}; Elo {report['elo']['value']:.0f}"


def _found(network: str) -> str:
    """The file of a network, as workers of other machines are sent it."""
    from kibitz.nets import find  # its runtimes are slow to import

    return str(find(network))
