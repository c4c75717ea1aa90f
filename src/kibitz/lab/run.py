"""The runs of a style lab: sets of games, matches, an ablation, each in a file of the lab's folder.

A lab that was stopped goes on where it was: finished files are kept, and a set or a match under way resumes.
"""

from __future__ import annotations

import os
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, cast

from kibitz.engine import Engine
from kibitz.errors import BadOption
from kibitz.games.bundled import NONE
from kibitz.games.chess import Position
from kibitz.games.networks import load_file
from kibitz.lab.config import LabConfig
from kibitz.lab.log import ProgressLog
from kibitz.lab.matches import Pairing, pairings
from kibitz.lab.results import GameSet, Match, Results, Trained, write_reports
from kibitz.lab.throughput import LEAST_PAIRS, Cost, paired_cost, timed_search
from kibitz.lab.training import StyleLoop, planes_of, retrain, timing_pair, without
from kibitz.lab.tuning import GridResult, run_grid
from kibitz.request import Budget
from kibitz.style import Games, compare, load_norm, measure_pgn
from kibitz.style.picture import comparison_picture
from kibitz.training.selfplay import run_selfplay
from kibitz.training.settings import SelfplaySettings

#: Positions on which a search with style off is compared with one without style, and those of a timed run.
_POSITIONS = 12
_TIMED_VISITS = 2000
_NETWORK_VISITS = 400
_TIMED = 4


@dataclass(frozen=True)
class LabEvent:
    """How far a stage is."""

    stage: str
    done: int
    of: int


@dataclass(frozen=True)
class _Stage:
    """A set of games to be played."""

    name: str
    settings: SelfplaySettings
    #: The set that it is compared with.
    baseline: str = ""


def run_lab(
    config: LabConfig, folder: str | os.PathLike[str], *, processes: int = 1, only_report: bool = False
) -> Iterator[LabEvent]:
    """Plays what is missing, then writes the reports in the folder (`write_reports`). With `only_report`
    nothing is played or trained: the reports tell of the sets that are whole and of the matches so far."""
    place = Path(folder)
    (place / "games").mkdir(parents=True, exist_ok=True)
    (place / "matches").mkdir(exist_ok=True)
    began = time.time()
    log = ProgressLog(place)
    stages = list(_stages(config))
    trained: Trained | None = None
    if not only_report:
        for stage in stages:
            yield from _play(place, stage, processes)
            log.note(_phase(stage.name), f"set {stage.name}", f"{stage.settings.games} games")
        if config.training.generations:
            trained = yield from _trained(config, place, log, processes)
            more = list(_network_stages(config, trained.loop))
            for stage in more:
                yield from _play(place, stage, processes)
                log.note("3 curriculum", f"set {stage.name}", f"{stage.settings.games} games")
            stages += more
    played = [stage for stage in stages if _whole(place, stage)]
    measured = {stage.name: measure_pgn(_lot_file(place, stage.name)) for stage in played}
    sets = _compared(played, measured)
    matches: list[Match] = []
    for pairing in pairings(config, None if trained is None else trained.loop):
        match = pairing.played(place) if only_report else (yield from _match(pairing, place, processes))
        if match is not None:
            matches.append(match)
            phase = "1 injection and bias" if pairing.loop is None else "3 curriculum"
            log.note(phase, f"match {pairing.name}", f"{match.summary.games} games")
    yield LabEvent("off and throughput", 0, 1)
    same, slowdown = _off_and_throughput(config)
    cost = _network_cost(config, place, trained)
    yield LabEvent("off and throughput", 1, 1)
    log.note("4 ablation", "off against plain, throughput")
    files = sorted([*(place / "games").glob("*.pgn"), *(place / "matches").glob("*.jsonl")])
    results = Results(config, sets, matches, same, slowdown, files, time.time() - began, trained, cost=cost)
    results = replace(results, distributions=_distributions(sets, measured))
    log.note("5 report", "report.html, report.md, results.json")
    write_reports(place, replace(results, log=tuple(log.rows())))


def _compared(stages: Sequence[_Stage], measured: Mapping[str, Games]) -> list[GameSet]:
    """The sets beside their baselines."""
    norm = load_norm()
    commands = {stage.name: f"{_described(stage.settings)} --output {stage.name}.pgn" for stage in stages}
    return [
        GameSet(
            stage.name,
            stage.baseline,
            commands[stage.name],
            commands[stage.baseline],
            compare(measured[stage.baseline], measured[stage.name], norm),
        )
        for stage in stages
        if stage.baseline in measured
    ]


def _distributions(sets: Sequence[GameSet], measured: Mapping[str, Games]) -> dict[str, str]:
    """Pictures of the measures of medium beside no style, by number of visits."""
    return {
        f"distribution-{group.visits}": comparison_picture(
            {name: measured[name] for name in (group.baseline, group.name)}, load_norm()
        )
        for group in reversed(sets)  # of several modes the first one
        if group.name.startswith("medium-") and "openings" not in group.name
    }


def _phase(group: str) -> str:
    if group.startswith("off-"):
        return "0 baseline"
    return "4 ablation" if group.startswith("ablation-") else "1 injection and bias"


def _trained(
    config: LabConfig, place: Path, log: ProgressLog, processes: int
) -> Generator[LabEvent, None, Trained]:
    """Phases 2 to 4 as far as they train: the loop with its curriculum, the grid, planes taken away."""
    loop = StyleLoop(config, place / "training")
    for step in loop.run():
        yield LabEvent(f"generation {step.generation} {step.stage}", step.done, step.of)
        if step.stage == "finished":
            phase = "2 style head" if step.generation == 1 else "3 curriculum"
            log.note(phase, f"generation {step.generation}", step.text)
    grid: list[GridResult] = []
    if config.tuning.lambdas:
        for done, total, points in run_grid(config, place / "grid", loop.folder, processes=processes):
            grid = points
            yield LabEvent("grid", done, total)
        log.note("3 curriculum", "grid over lambda_s and beta", f"{len(grid)} points")
    planes: list[tuple[str, tuple[Mapping[str, float], ...]]] = []
    if config.ablation.plane_steps:
        named, seeds = planes_of(config), config.ablation.plane_seeds
        for at, gone in enumerate(("", *named)):
            found = []
            for seed in range(seeds):
                yield LabEvent("planes taken away", at * seeds + seed, seeds * (len(named) + 1))
                _, losses = retrain(
                    loop,
                    place / "planes" / f"{gone or 'all'}-{seed}",
                    steps=config.ablation.plane_steps,
                    style_weight=config.training.style_weight,
                    planes=without(config.training.planes, gone),
                    seed=seed,
                )
                found.append(losses)
            planes.append((gone or "none", tuple(found)))
        log.note("4 ablation", "each plane taken away once")
    return Trained(loop, loop.reports(), tuple(grid), tuple(planes))


def _network_stages(config: LabConfig, loop: StyleLoop) -> Iterator[_Stage]:
    """Sets with the style network beside sets with the network it began with, without a style."""
    for visits in config.games.visits:
        plain = replace(_plain(config, visits), network=str(loop.first_network()))
        yield _Stage(f"vanilla-{visits}", plain)
        for level in config.lab.levels:
            for mode in config.lab.modes:
                own = _styled(config, visits, level, mode)
                own = replace(own, network=str(loop.network()), style_network="")
                yield _Stage(f"network-{level}-{mode}-{visits}", own, f"vanilla-{visits}")


def _network_cost(config: LabConfig, place: Path, trained: Trained | None) -> Cost | None:
    """A search with the style network over one with the same tower without planes and head. None without such
    a network."""
    source = Path(config.lab.style_network) if trained is None else trained.loop.network()
    if not source.name:
        return None
    pair = timing_pair(source, place)

    # As they are: no tuning in the background.
    networks = [load_file("chess", str(path)) for path in pair]
    positions = opening_positions(_TIMED)
    plain, styled = (
        timed_search(positions, _NETWORK_VISITS, network=network, batch=8) for network in networks
    )
    return paired_cost(plain, styled, LEAST_PAIRS)


def _plain(config: LabConfig, visits: int) -> SelfplaySettings:
    """The games of a set without a style."""
    lab, games = config.lab, config.games
    return SelfplaySettings(
        "chess",
        games=config.count(visits),
        budget=Budget(visits=visits),
        seed=lab.seed,
        plies=games.plies,
        temperature=games.temperature,
        temperature_plies=games.temperature_plies,
        network=lab.network,
        precision=lab.precision if lab.network else "fp32",
    )


def _stages(config: LabConfig) -> Iterator[_Stage]:
    lab, games, part = config.lab, config.games, config.ablation
    for visits in games.visits:
        yield _Stage(f"off-{visits}", _plain(config, visits))
        for level in lab.levels:
            for mode in lab.modes:
                styled = _styled(config, visits, level, mode)
                yield _Stage(f"{level}-{mode}-{visits}", styled, f"off-{visits}")
                if games.openings:
                    injected = replace(styled, openings=games.openings)
                    yield _Stage(f"{level}-{mode}-openings-{visits}", injected, f"off-{visits}")
    if not part.games:
        return
    if part.visits not in games.visits:
        yield _Stage(
            f"off-{part.visits}", replace(_plain(config, games.visits[0]), budget=Budget(visits=part.visits))
        )
    for missing in ("none", *part.parts):
        without = {} if missing == "none" else {f"style_{missing}": 0.0}
        few = _styled(config, games.visits[0], part.level, part.mode, without)
        few = replace(few, games=part.games, budget=Budget(visits=part.visits))
        yield _Stage(f"ablation-{missing}", few, f"off-{part.visits}")


def _styled(
    config: LabConfig, visits: int, level: str, mode: str, more: Mapping[str, Any] | None = None
) -> SelfplaySettings:
    options: dict[str, Any] = {"style_mode": mode, **config.lab.options, **(more or {})}
    if config.lab.budget:
        options["style_budget"] = config.lab.budget
    if config.lab.source != "heuristic":
        options["style_source"] = config.lab.source
    network, own = config.style_networks
    return replace(
        _plain(config, visits),
        games=config.count(visits, level),
        network=network,
        style_network=own,
        style=f"{config.lab.style}:{level}",
        options=options,
    )


def _lot_file(place: Path, name: str) -> Path:
    return place / "games" / f"{name}.pgn"


def _whole(place: Path, stage: _Stage) -> bool:
    """Is the set played, with these settings?"""
    target = _lot_file(place, stage.name)
    note = target.with_suffix(".digest")
    return target.exists() and note.is_file() and note.read_text() == stage.settings.digest


def _play(place: Path, stage: _Stage, processes: int) -> Iterator[LabEvent]:
    target, total = _lot_file(place, stage.name), stage.settings.games
    # The settings stand beside the games, so that another configuration does not take them for its own.
    note = target.with_suffix(".digest")
    if target.exists():
        if note.read_text() != stage.settings.digest or len(measure_pgn(target)) < total:
            raise BadOption(f"{target} was played with other settings; choose another folder or remove it")
        yield LabEvent(stage.name, total, total)
        return
    note.write_text(stage.settings.digest)
    for done in run_selfplay(stage.settings, target, processes=processes, resume=True):
        yield LabEvent(stage.name, done, total)


def _match(pairing: Pairing, place: Path, processes: int) -> Generator[LabEvent, None, Match]:
    playing = pairing.play(place, processes)
    while True:
        try:
            done, of = next(playing)
        except StopIteration as end:
            return cast("Match", end.value)
        yield LabEvent(f"match {pairing.name}", done, of)


def opening_positions(count: int) -> list[Position]:
    """The same positions each time, for comparing two searches."""
    positions = [Position()]
    while len(positions) < count:
        last = positions[-1]
        positions.append(last.play(last.legal_moves[7 * len(positions) % len(last.legal_moves)]))
    return positions


def _off_and_throughput(config: LabConfig) -> tuple[bool, Cost]:
    """Is a search with style off the search without style, move by move? And what does one with the strongest
    level and its network cost?"""
    network, own = config.style_networks
    visits = _NETWORK_VISITS if config.lab.network else _TIMED_VISITS
    positions = opening_positions(_POSITIONS)
    level, mode = config.lab.levels[-1], config.lab.modes[-1]

    # As they are: tuning in the background is processor time too.
    load = cache(partial(load_file, "chess"))

    def judged(network: str) -> dict[str, Any]:
        return {"network": load(network), "batch": 8} if network else {"network": NONE}

    def visits_of(**options: Any) -> list[list[tuple[str, int]]]:
        with Engine("chess", seed=1, threads=1, reuse=False, **options) as engine:
            reports = [engine.analyze(position, visits=visits) for position in positions]
        return [[(move.move, move.visits) for move in report.moves] for report in reports]

    both: dict[str, Any] = {"style_mode": mode, "style_network": load(own) if own else None}
    plain = judged(config.lab.network)
    same = visits_of(**plain) == visits_of(**plain, style=f"{config.lab.style}:off", **both)
    styled = {**judged(network), "style": f"{config.lab.style}:{level}", **both}
    timed = partial(timed_search, positions[:_TIMED], visits)
    return same, paired_cost(timed(**plain), timed(**styled), LEAST_PAIRS)


def _described(settings: SelfplaySettings) -> str:
    """The command that plays the same set."""
    words = ["kibitz selfplay chess", f"--games {settings.games}", f"--visits {settings.budget.visits}"]
    words += [
        f"-o plies={settings.plies}",
        f"--seed {settings.seed}",
        f"--temperature {settings.temperature:g}",
    ]
    words += [f"-o temperature_plies={settings.temperature_plies}"]
    words += [f"--style {settings.style}"] if settings.style else []
    words += [f"-o {name}={value}" for name, value in settings.options.items()]
    words += [f"-o openings={settings.openings}"] if settings.openings else []
    words += [f"--network {Path(settings.network).name}"] if settings.network else []
    words += [f"-o style_network={Path(settings.style_network).name}"] if settings.style_network else []
    words += [f"-o precision={settings.precision}"] if settings.precision != "fp32" else []
    return " ".join(words)
