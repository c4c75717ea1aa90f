"""The positions of a review as jobs of the fleet. Each is searched by itself, without what the search of the
position before it knew, so it does not matter who does it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any

from kibitz.engine import Engine
from kibitz.fleet.jobs import Done, run_jobs
from kibitz.fleet.runners import make_runner
from kibitz.games.bundled import NONE
from kibitz.games.networks import load_file
from kibitz.report import Report
from kibitz.request import Request

#: Options that name network files.
_NETWORKS = ("network", "human")


@dataclass(frozen=True)
class AnalysisJob:
    """What is asked about a position."""

    id: int
    request: Request


@dataclass(frozen=True)
class AnalysisTask:
    """Makes engines in a worker process; `options` are those of `Engine`, networks by their names."""

    game: str
    preset: str = "default"
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def files(self) -> tuple[str, ...]:
        """Networks that were named travel to other machines; the bundled one is there."""
        named = [self.options.get(name) for name in _NETWORKS]
        return tuple(str(_network_file(name)) for name in named if name not in (None, NONE))

    def located(self, places: Mapping[str, str]) -> AnalysisTask:
        options = dict(self.options)
        for name in _NETWORKS:
            if options.get(name) not in (None, NONE):
                options[name] = places[str(_network_file(options[name]))]
        return replace(self, options=options)

    def start(self) -> AnalysisWorker:
        return AnalysisWorker(self)


class AnalysisWorker:
    def __init__(self, task: AnalysisTask) -> None:
        self._task = task
        self._options = dict(task.options)
        precision = self._options.pop("precision", None) or "fp32"
        # Loaded once, whatever the number of positions.
        for name in _NETWORKS:
            if self._options.get(name) not in (None, NONE):
                wanted = precision if name == "network" else "fp32"
                self._options[name] = load_file(task.game, self._options[name], precision=wanted)
        self._engine: Engine | None = None

    def run(self, job: AnalysisJob, say: Callable[[Any], None]) -> Report:
        with Engine(self._task.game, self._task.preset, **self._options) as self._engine:
            return [*self._engine.run(job.request)][-1]

    def close(self) -> None:
        if self._engine is not None:
            self._engine.close()


def analyzed(
    task: AnalysisTask,
    jobs: Iterable[AnalysisJob],
    *,
    processes: int,
    fleet: str = "",
) -> Iterator[tuple[int, Report]]:
    """The number and the report of each job, as they are done."""
    runner = make_runner(task, processes, name="kibitz-analyze", start_seconds=None, fleet=fleet)
    with closing(run_jobs(runner, jobs)) as events:
        for event in events:
            if isinstance(event, Done):
                yield event.job.id, event.result


def _network_file(name: Any) -> Any:
    from kibitz.nets import find  # its runtimes are slow to import

    return find(name)
