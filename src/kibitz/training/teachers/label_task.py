"""Labelled games as jobs of the fleet. A job is a block of whole games, which a worker plays at once so that
its teacher judges their positions together, and writes to the store as one shard."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import count, islice
from typing import Any

from kibitz.fleet.jobs import Done, run_jobs
from kibitz.fleet.runners import make_runner
from kibitz.training.samples import SampleWriter
from kibitz.training.samples.manifest import Shard
from kibitz.training.samples.shard_file import open_shared, write_shard
from kibitz.training.teachers.games import GameSettings, labelled_games
from kibitz.training.teachers.judgement import Teacher
from kibitz.training.teachers.making import is_network, make_teacher
from kibitz.training.teachers.mixed import MixedTeacher


@dataclass(frozen=True)
class TeacherSpec:
    """A teacher as a user names it."""

    game: str
    text: str
    precision: str = "fp32"
    nodes: int = 2000
    multipv: int = 6
    warm: bool = False
    engines: int = 1
    #: Another teacher whose judgements are mixed in with these weights; empty: none.
    second: str = ""
    second_policy: float = 0.5
    second_value: float = 1.0

    @property
    def files(self) -> tuple[str, ...]:
        """The networks that teach."""
        return tuple(text for text in (self.text, self.second) if text and is_network(text))

    def make(self) -> Teacher:
        first = self._make(self.text)
        if not self.second:
            return first
        return MixedTeacher(
            first, self._make(self.second), policy=self.second_policy, value=self.second_value
        )

    def _make(self, text: str) -> Teacher:
        return make_teacher(
            self.game,
            text,
            precision=self.precision,
            nodes=self.nodes,
            multipv=self.multipv,
            warm=self.warm,
            engines=self.engines,
        )


@dataclass(frozen=True)
class _Block:
    """Games to be played and labelled, by their numbers; `id` is the number of their shard."""

    id: int
    numbers: tuple[int, ...]


@dataclass(frozen=True)
class LabelTask:
    """Makes the teacher once in each worker process."""

    settings: GameSettings
    teacher: TeacherSpec
    openings: tuple[str, ...] = ()
    #: Where workers write.
    place: str = ""

    @property
    def files(self) -> tuple[str, ...]:
        """A teaching network travels to other machines; an engine must be there."""
        from kibitz.nets import find  # its runtimes are slow to import

        return tuple(str(find(text)) for text in self.teacher.files)

    def located(self, places: Mapping[str, str]) -> LabelTask:
        spec = self.teacher
        there = dict(zip(spec.files, places.values(), strict=True)) if places else {}
        text, second = (there.get(name, name) for name in (spec.text, spec.second))
        return replace(self, teacher=replace(spec, text=text, second=second))

    def start(self) -> LabelWorker:
        return LabelWorker(self, self.teacher.make())


class LabelWorker:
    def __init__(self, task: LabelTask, teacher: Teacher) -> None:
        self._task = task
        self._teacher = teacher
        self._store = open_shared(task.place)

    def run(self, job: _Block, say: Callable[[Any], None]) -> Shard | None:
        games = labelled_games(
            self._task.settings,
            self._teacher,
            iter(job.numbers),
            parallel=len(job.numbers),
            openings=self._task.openings,
        )
        made = [samples for _, samples in games if samples is not None and len(samples)]
        for samples in made:
            samples.check()
        return write_shard(self._store, job.id, made) if made else None

    def close(self) -> None:
        self._teacher.close()


def fleet_shards(
    task: LabelTask,
    numbers: Iterable[int],
    writer: SampleWriter,
    *,
    parallel: int,
    processes: int,
    fleet: str = "",
) -> Generator[Shard | None, None, None]:
    """What `labelled_games` gives, as shards of so many games that worker processes or a cluster write; the
    games are the same. None stands for a block without samples."""
    waiting = iter(numbers)
    blocks = iter(lambda: tuple(islice(waiting, parallel)), ())
    jobs = (_Block(number, block) for number, block in zip(count(writer.next_number), blocks, strict=False))
    task = replace(task, place=writer.place)
    runner = make_runner(task, processes, name="kibitz-label", start_seconds=None, fleet=fleet)
    with closing(run_jobs(runner, jobs)) as events:
        for event in events:
            if isinstance(event, Done):
                if event.result is not None:
                    writer.count(event.result)
                yield event.result
