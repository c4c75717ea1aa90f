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
    gen-0001/games.jsonl what became of them
    gen-0001/net.*       the new network
    gen-0001/gate.jsonl  its match against the best so far
    gen-0001/report.json written last: the generation is finished
    index.html           the page of plots
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import platform
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from kibitz.arena.match import MatchFinished, Progress, run_match
from kibitz.arena.sprt import Sprt
from kibitz.arena.summary import Summary
from kibitz.errors import BadOption, BadRecord
from kibitz.fleet import LogKind, ResultLog, digest_of
from kibitz.request import Budget
from kibitz.training.core_play import TaughtPositions
from kibitz.training.game import PlayedGame
from kibitz.training.loop_config import LoopConfig
from kibitz.training.loop_page import loop_page
from kibitz.training.resignation import ResignationCheck
from kibitz.training.samples import GameSamples, SampleWriter, samples_of_game
from kibitz.training.samples.styled import style_of_game
from kibitz.training.selfplay import play_games
from kibitz.training.settings import SelfplaySettings
from kibitz.whole_file import write_whole

__all__ = ["LoopStep", "Trainer", "TrainingLoop", "samples_of_played"]

#: Elo differences beyond this are not told apart: a match of few games was won by all of them.
_MOST_ELO = 600.0


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
        write the network; what is told of it, with `losses` by name. Called again after an interruption, it
        goes on from its last checkpoint."""


@dataclass(frozen=True)
class LoopStep:
    """How far the loop has come."""

    generation: int
    stage: str
    """`selfplay`, `train`, `gate`, `anchor` or `finished`."""
    done: int = 0
    of: int = 0
    text: str = ""


@dataclass(frozen=True)
class _GameSummary:
    """A line of games.jsonl."""

    id: int
    result: float | None
    plies: int
    resigned: int | None
    played_out: bool
    wrong: bool | None

    @classmethod
    def of(cls, game: PlayedGame) -> _GameSummary:
        return cls(
            game.id, game.result, len(game.moves), game.resigned, game.played_out, game.falsely_resigned
        )

    @classmethod
    def decode(cls, fields: Mapping[str, Any]) -> _GameSummary:
        try:
            return cls(**{name: fields[name] for name in cls.__dataclass_fields__})
        except KeyError as error:
            raise BadRecord(f"field {error} is missing") from error


_SUMMARIES: LogKind[_GameSummary] = LogKind(
    "kibitz-loop-games", 1, "training loop", "id", lambda game: dict(vars(game)), _GameSummary.decode
)


def samples_of_played(game: PlayedGame, generation: int, seed: int, source: str) -> GameSamples:
    """The samples of a game that the core played, `play_games(..., samples=True)`."""
    scored = style_of_game(game.game, game.start, game.moves)
    taught = game.positions
    if not isinstance(taught, TaughtPositions):
        raise BadOption("the game was played without samples")
    policy = [
        (taught.indices[begin:end], taught.shares[begin:end])
        for begin, end in zip(taught.starts[:-1], taught.starts[1:], strict=True)
    ]
    values = taught.values
    q = 2.0 * taught.root_values - 1.0
    if game.result is None:  # broken off: what the search thought stands in for a result
        values = np.stack([taught.root_values, np.zeros_like(q), 1.0 - taught.root_values], axis=1)
    return GameSamples(
        game.game,
        game_id(generation, game.id),
        taught.planes,
        taught.globals,
        policy,
        values,
        taught.sides,
        taught.plies,
        len(game.moves) - taught.plies,
        q=q.astype(np.float32),
        score=taught.scores,
        ownership=taught.owners,
        style=None if scored is None else scored.of_game(len(q)),
        mover_style=None if scored is None else scored.of_movers(taught.sides),
        source=source,
        seed=seed,
        generation=generation,
        tags=scored.tags if scored else (),
    )


def game_id(generation: int, number: int) -> str:
    return f"g{generation:04d}-{number:07d}"


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
        """What is told of the finished generations, from 0 on."""
        reports: list[dict[str, Any]] = []
        while (path := self._place(len(reports)) / "report.json").is_file():
            reports.append(json.loads(path.read_text()))
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
        selfplay: dict[str, Any] = {}
        yield from self._selfplay(generation, network, selfplay)
        watch.note("selfplay")
        yield LoopStep(generation, "train", 0, 1)
        trained = self._train(generation)
        watch.note("train")
        gate: dict[str, Any] = {}
        yield from self._gate(generation, network, gate)
        watch.note("gate")
        promoted = bool(gate["promoted"])
        anchor: dict[str, Any] = {}
        if promoted:
            yield from self._anchor(generation, anchor)
        watch.note("anchor")
        gain, spread = gate["elo"], gate["spread"]
        elo = best["elo"]
        report = {
            "generation": generation,
            "promoted": promoted,
            "network": digest_of(self.network(generation)),
            "parent": best["network"],
            "elo": {
                "value": elo["value"] + gain,
                "spread": math.hypot(elo["spread"], spread),
            },
            "selfplay": selfplay,
            "train": trained,
            "gate": gate,
            "anchor": anchor or None,
            "seconds": watch.total,
            "seconds_by_stage": watch.stages,
            "made": self._origin(),
        }
        self._finish(generation, report)
        yield LoopStep(generation, "finished", 1, 1, _told(report))

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

    # -- the stages of a generation ---------------------------------------------------------------

    def _selfplay(self, generation: int, network: Path, told: dict[str, Any]) -> Iterator[LoopStep]:
        folder = self._place(generation)
        settings = self.config.games_of(generation, str(network), resign=self._may_resign())
        origin = {"selfplay": settings.to_dict(), **self._origin()}
        with (
            contextlib.closing(
                ResultLog(folder / "games.jsonl", _SUMMARIES, settings.to_dict(), resume=True)
            ) as log,
            SampleWriter(folder / "samples", self.config.game, origin=origin) as writer,
        ):
            missing = [
                number
                for number in range(settings.games)
                if game_id(generation, number) not in writer or number not in log
            ]
            done = settings.games - len(missing)
            yield LoopStep(generation, "selfplay", done, settings.games)
            source = f"{self.config.game} loop {self.config.digest}, network {digest_of(network)}"
            for game in self._in_order(settings, missing):
                samples = self._samples(game, generation, settings.seed, source)
                if samples is not None:
                    writer.add(samples)
                if game.id not in log:
                    log.add(_GameSummary.of(game))
                done += 1
                yield LoopStep(generation, "selfplay", done, settings.games)
            writer.flush()
            positions = sum(shard.positions for shard in writer.manifest.shards)
            games = list(log.results())
        check = ResignationCheck()
        for item in games:
            check.count(item.resigned is not None and not item.played_out, item.wrong)
        told |= {
            "games": check.games,
            "positions": positions,
            "plies": round(sum(item.plies for item in games) / max(1, len(games)), 1),
            "resigned": check.resigned,
            "checked": check.checked,
            "wrong": check.wrong,
            "resigning_wrong_at_most": check.most if check.checked else None,
            "settings": settings.digest,
            "manifest": digest_of(folder / "samples" / "manifest.json"),
        }

    def _samples(self, game: PlayedGame, generation: int, seed: int, source: str) -> GameSamples | None:
        """What a game teaches; a game that an engine played, for its style, brings no arrays."""
        if game.positions is not None:
            return samples_of_played(game, generation, seed, source)
        return samples_of_game(
            game,
            game_id(generation, game.id),
            source=source,
            seed=seed,
            generation=generation,
            style_planes=self._style_planes,
        )

    @property
    def _style_planes(self) -> bool:
        return bool(self.config.model.get("style_planes"))

    def _in_order(self, settings: SelfplaySettings, numbers: Sequence[int]) -> Iterator[PlayedGame]:
        """The games in the order of their numbers, so that shards do not depend on who was first."""
        place = self.config.fleet
        waiting: dict[int, PlayedGame] = {}
        order = deque(numbers)
        with contextlib.closing(
            play_games(
                settings,
                numbers,
                processes=min(place.processes, len(numbers)),
                parallel=place.parallel,
                threads=place.threads,
                fleet=place.fleet,
                samples=True,
                style_planes=self._style_planes,
            )
        ) as games:
            for game in games if numbers else ():
                waiting[game.id] = game
                while order and order[0] in waiting:
                    yield waiting.pop(order.popleft())

    def _may_resign(self) -> bool:
        """Nobody resigns while the last generation's check says that it is too often wrong."""
        rates = [
            report["selfplay"].get("resigning_wrong_at_most")
            for report in self.reports()
            if report["selfplay"].get("checked")
        ]
        return not rates or rates[-1] is None or rates[-1] <= self.config.selfplay.most_false_resignations

    def _train(self, generation: int) -> dict[str, Any]:
        network, folder = self.network(generation), self._place(generation)
        kept = folder / "train.json"
        if network.is_file() and kept.is_file():
            return dict(json.loads(kept.read_text()))
        oldest = max(1, generation - self.config.window + 1)
        data = [self._place(number) / "samples" for number in range(oldest, generation + 1)]
        seed = self.config.seed * 1_000_003 + generation
        told = dict(self._trainer.train(data, generation, self.folder / "train", network, seed))
        _write(kept, told)
        return told

    def _gate(self, generation: int, best: Path, told: dict[str, Any]) -> Iterator[LoopStep]:
        part = self.config.gate
        test = Sprt(part.elo0, part.elo1, part.alpha, part.alpha)
        summary: Summary | None = None
        for event in run_match(
            self.config.game,
            self._player(self.network(generation), part.options),
            self._player(best, part.options),
            games=part.games,
            budget=Budget(visits=part.visits),
            opening_plies=part.opening_plies,
            position=self.config.selfplay.position or None,
            processes=self.config.fleet.processes,
            fleet=self.config.fleet.fleet,
            seed=self.config.seed * 1_000_003 + generation,
            sprt=test,
            output=self._place(generation) / "gate.jsonl",
            resume=True,
        ):
            if isinstance(event, Progress):
                yield LoopStep(generation, "gate", event.done, event.games)
            elif isinstance(event, MatchFinished):
                summary = event.summary
        assert summary is not None
        if summary.stopped == "interrupted":
            raise KeyboardInterrupt
        state = summary.sprt
        decision = None if state is None else state.decision
        value, low, high = (
            max(-_MOST_ELO, min(_MOST_ELO, number))
            for number in (summary.elo.value, summary.elo.low, summary.elo.high)
        )
        told |= {
            "wins": summary.wins,
            "draws": summary.draws,
            "losses": summary.losses,
            "decision": decision,
            "promoted": decision == "H1" or (decision is None and summary.score.value >= part.score),
            "elo": round(value, 1),
            "spread": round((high - low) / 2, 1),
        }

    def _anchor(self, generation: int, told: dict[str, Any]) -> Iterator[LoopStep]:
        part = self.config.anchor
        if part.games == 0 or generation % part.every:
            return
        for event in run_match(
            self.config.game,
            self._player(self.network(generation), {"visits": part.visits}),
            part.player,
            games=part.games,
            budget=Budget(visits=part.visits),
            opening_plies=self.config.gate.opening_plies,
            position=self.config.selfplay.position or None,
            processes=self.config.fleet.processes,
            fleet=self.config.fleet.fleet,
            seed=self.config.seed,
            output=self._place(generation) / "anchor.jsonl",
            resume=True,
        ):
            if isinstance(event, Progress):
                yield LoopStep(generation, "anchor", event.done, event.games)
            elif isinstance(event, MatchFinished):
                if event.summary.stopped == "interrupted":
                    raise KeyboardInterrupt
                score = event.summary.score
                told |= {"player": part.player, "score": score.value, "low": score.low, "high": score.high}

    @staticmethod
    def _player(network: Path, options: Mapping[str, Any]) -> str:
        """The text of a player with a network (arena/spec.py)."""
        parts = {"network": network, **options}
        return "default:" + ",".join(f"{name}={value}" for name, value in parts.items())

    # -- files ------------------------------------------------------------------------------------

    def _place(self, generation: int) -> Path:
        return self.folder / f"gen-{generation:04d}"

    def _check_configuration(self) -> None:
        path = self.folder / "loop.json"
        told = json.loads(json.dumps(self.config.to_dict()))
        if not path.is_file():
            _write(path, {"format": "kibitz-loop", "version": 1, "config": told, "made": self._origin()})
            return
        known = json.loads(path.read_text())
        if known.get("format") != "kibitz-loop" or known.get("version") != 1:
            raise BadRecord(f"{path} is not of a training loop that this version knows")
        if known["config"] != told:
            differing = [key for key in told if known["config"].get(key) != told[key]]
            raise BadOption(f"{self.folder} is of another training loop: {', '.join(differing)} differ")

    def _finish(self, generation: int, report: dict[str, Any]) -> None:
        _write(self._place(generation) / "report.json", report)
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
        self.stages: dict[str, float] = json.loads(path.read_text()) if path.is_file() else {}

    def note(self, stage: str) -> None:
        """A stage has ended."""
        now = time.monotonic()
        self.stages[stage] = round(self.stages.get(stage, 0.0) + now - self._since, 1)
        self._since = now
        _write(self._path, self.stages)

    @property
    def total(self) -> float:
        return round(sum(self.stages.values()), 1)


def _told(report: Mapping[str, Any]) -> str:
    gate = report["gate"]
    verdict = "promoted" if report["promoted"] else "not promoted"
    return (
        f"{report['selfplay']['games']:,} games, {report['selfplay']['positions']:,} positions; gate "
        f"{gate['wins']}-{gate['draws']}-{gate['losses']}, {verdict}; Elo {report['elo']['value']:.0f}"
    )


def _write(path: Path, value: Mapping[str, Any]) -> None:
    """The whole file or none of it."""
    write_whole(path, (json.dumps(value, indent=1, sort_keys=True) + "\n").encode())
