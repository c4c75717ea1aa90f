"""The grid over lambda_s and beta as jobs of the fleet, each point in the log as it is done.

A first round of jobs trains a network for each lambda_s on the loop's samples and plays the games that all
points are compared with, a second one plays the games and the match of each (lambda_s, beta). A grid that was
stopped goes on with the points that are missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kibitz.arena import MatchFinished, engine_player, run_match
from kibitz.errors import BadRecord
from kibitz.fleet.jobs import Done, run_jobs
from kibitz.fleet.log import LogKind, ResultLog
from kibitz.fleet.runners import make_runner
from kibitz.lab.config import LabConfig
from kibitz.lab.training import StyleLoop, retrain
from kibitz.request import Budget
from kibitz.style import compare, load_norm, measure_pgn
from kibitz.training.selfplay import run_selfplay
from kibitz.training.settings import SelfplaySettings


@dataclass(frozen=True)
class GridResult:
    """A point of the grid: shift of S in standard deviations of the baseline, Elo against the vanilla
    network, with their intervals; and the last losses of the training."""

    id: int
    style_weight: float
    beta: float
    shift: float
    shift_low: float
    shift_high: float
    elo: float
    elo_low: float
    elo_high: float
    style_loss: float
    policy_loss: float

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> GridResult:
        try:
            return cls(**{name: fields[name] for name in cls.__dataclass_fields__})
        except KeyError as error:
            raise BadRecord(f"field {error} is missing") from None


#: Elo beyond this are all the same: a match of few games was won by all of them.
_MOST_ELO = 600.0

_KIND = LogKind("kibitz-style-grid", 1, "style grid", "id", asdict, GridResult.from_dict)


@dataclass(frozen=True)
class _TrainJob:
    id: int
    style_weight: float


@dataclass(frozen=True)
class _BaselineJob:
    id: int


@dataclass(frozen=True)
class _PointJob:
    id: int
    style_weight: float
    beta: float


@dataclass(frozen=True)
class _GridTask:
    config: LabConfig
    folder: Path
    loop: Path

    def start(self) -> _GridWorker:
        return _GridWorker(self)


class _GridWorker:
    def __init__(self, task: _GridTask) -> None:
        self._task = task

    def run(self, job: _TrainJob | _BaselineJob | _PointJob, say: Callable[[Any], None]) -> Any:
        task, part = self._task, self._task.config.tuning
        if isinstance(job, _BaselineJob):
            self._play("baseline", StyleLoop(task.config, task.loop).first_network(), 0.0)
            return None
        folder = task.folder / f"lambda-{job.style_weight:g}"
        loop = StyleLoop(task.config, task.loop)
        network, losses = retrain(loop, folder, steps=part.steps, style_weight=job.style_weight)
        if isinstance(job, _TrainJob):
            return losses
        shift, elo = self._shift(job, network), self._elo(job, network, loop.first_network())
        return GridResult(job.id, job.style_weight, job.beta, *shift, *elo, losses["style"], losses["policy"])

    def close(self) -> None:
        pass

    def _play(self, name: str, network: Path, beta: float) -> Path:
        """The games of a network with a style; those that are there are not played again."""
        config, path = self._task.config, self._task.folder / f"{name}.pgn"
        settings = SelfplaySettings(
            "chess",
            games=config.tuning.games,
            budget=Budget(visits=config.tuning.visits),
            seed=config.lab.seed,
            plies=config.games.plies,
            temperature=config.games.temperature,
            temperature_plies=config.games.temperature_plies,
            network=str(network),
            style=f"{config.lab.style}:{beta:g}" if beta else "",
        )
        if not path.exists():  # it comes into being whole
            for _ in run_selfplay(settings, path, processes=0, resume=True):
                pass
        return path

    def _shift(self, job: _PointJob, network: Path) -> tuple[float, float, float]:
        baseline = measure_pgn(self._task.folder / "baseline.pgn")
        games = measure_pgn(self._play(f"point-{job.id}", network, job.beta))
        shift = compare(baseline, games, load_norm())["s"].shift
        return (0.0, 0.0, 0.0) if shift is None else (shift.value, shift.low, shift.high)

    def _elo(self, job: _PointJob, network: Path, vanilla: Path) -> tuple[float, float, float]:
        config = self._task.config
        if not config.tuning.match_games:
            return 0.0, 0.0, 0.0
        for event in run_match(
            "chess",
            engine_player(options={"network": str(network), "style": f"{config.lab.style}:{job.beta:g}"}),
            engine_player(options={"network": str(vanilla)}),
            games=config.tuning.match_games,
            budget=Budget(visits=config.tuning.match_visits),
            opening_plies=config.match.opening_plies,
            processes=0,
            seed=config.lab.seed,
            output=self._task.folder / f"point-{job.id}.jsonl",
            resume=True,
        ):
            if isinstance(event, MatchFinished):
                elo = event.summary.elo
                low, value, high = (
                    max(-_MOST_ELO, min(_MOST_ELO, x)) for x in (elo.low, elo.value, elo.high)
                )
                return value, low, high
        raise KeyboardInterrupt


def run_grid(
    config: LabConfig, folder: Path, loop: Path, *, processes: int = 0, fleet: str = ""
) -> Iterator[tuple[int, int, list[GridResult]]]:
    """Done, of how many, and the results so far."""
    part = config.tuning
    points = [
        _PointJob(number, weight, beta)
        for number, (weight, beta) in enumerate((w, b) for w in part.lambdas for b in part.betas)
    ]
    folder.mkdir(parents=True, exist_ok=True)
    settings = {
        "tuning": asdict(part),
        "training": asdict(config.training),
        "curriculum": asdict(config.curriculum),
        "seed": config.lab.seed,
    }
    task = _GridTask(config, folder, loop)
    with closing(ResultLog(folder / "grid.jsonl", _KIND, settings, resume=True)) as log:
        missing = [point for point in points if point.id not in log]
        weights = list(dict.fromkeys(point.style_weight for point in missing))
        first = [_BaselineJob(0), *(_TrainJob(at, weight) for at, weight in enumerate(weights, start=1))]
        yield len(log), len(points), list(log.results())
        for jobs in (first, missing) if missing else ():
            workers = min(processes, len(jobs))
            runner = make_runner(task, workers, name="kibitz-grid", start_seconds=None, fleet=fleet)
            with closing(run_jobs(runner, jobs)) as events:
                for event in events:
                    if isinstance(event, Done) and isinstance(event.result, GridResult):
                        log.add(event.result)
                        yield len(log), len(points), list(log.results())
