"""The stages of a generation of a training loop that play games: self-play, the gate, the anchor.

Each is a generator of steps that ends with what the generation's report says of it. Called again after an
interruption, it goes on from its files.
"""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kibitz.arena.match import MatchFinished, Progress, run_match
from kibitz.arena.player import PlayerFactory
from kibitz.arena.spec import engine_player, parse_player
from kibitz.arena.sprt import Sprt
from kibitz.arena.summary import Summary
from kibitz.errors import BadRecord
from kibitz.fleet import LogKind, ResultLog, digest_of
from kibitz.request import Budget
from kibitz.training.game import PlayedGame
from kibitz.training.loop_config import LoopConfig
from kibitz.training.resignation import ResignationCheck
from kibitz.training.samples import SampleWriter, samples_of_game
from kibitz.training.selfplay import play_games
from kibitz.training.settings import SelfplaySettings

#: Elo differences beyond this are cut off: a match of few games was won by all of them.
_MOST_ELO = 600.0


@dataclass(frozen=True)
class LoopStep:
    """How far the loop has come."""

    generation: int
    stage: str
    """`selfplay`, `train`, `gate`, `anchor` or `finished`."""
    done: int = 0
    of: int = 0
    text: str = ""


#: A stage that runs; it ends with its part of the report.
Stage = Generator[LoopStep, None, dict[str, Any]]


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


def selfplay(
    config: LoopConfig,
    settings: SelfplaySettings,
    generation: int,
    folder: Path,
    origin: Mapping[str, Any],
) -> Stage:
    """The games of a generation: samples in `folder/samples`, what became of them in `folder/games.jsonl`."""
    about = {"selfplay": settings.to_dict(), **origin}
    source = f"{config.game} loop {config.digest}, network {digest_of(Path(settings.network))}"
    with (
        contextlib.closing(
            ResultLog(folder / "games.jsonl", _SUMMARIES, settings.to_dict(), resume=True)
        ) as log,
        SampleWriter(folder / "samples", config.game, origin=about) as writer,
    ):
        ids = [f"g{generation:04d}-{number:07d}" for number in range(settings.games)]
        missing = [number for number, name in enumerate(ids) if name not in writer or number not in log]
        done = settings.games - len(missing)
        yield LoopStep(generation, "selfplay", done, settings.games)
        for game in _in_order(config, settings, missing):
            samples = samples_of_game(
                game,
                ids[game.id],
                source=source,
                seed=settings.seed,
                generation=generation,
                style_planes=bool(config.model.get("style_planes")),
            )
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
    return {
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


def _in_order(config: LoopConfig, settings: SelfplaySettings, numbers: Sequence[int]) -> Iterator[PlayedGame]:
    """The games in the order of their numbers, so that shards do not depend on who was first."""
    if not numbers:
        return
    place = config.fleet
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
        )
    ) as games:
        for game in games:
            waiting[game.id] = game
            while order and order[0] in waiting:
                yield waiting.pop(order.popleft())


def gate(config: LoopConfig, generation: int, new: Path, best: Path, folder: Path) -> Stage:
    """The match of the new network against the best one so far."""
    part = config.gate
    summary = yield from _match(
        config,
        generation,
        "gate",
        engine_player(options={"network": str(new), **part.options}),
        engine_player(options={"network": str(best), **part.options}),
        games=part.games,
        budget=Budget(visits=part.visits),
        seed=config.seed_of(generation),
        sprt=Sprt(part.elo0, part.elo1, part.alpha, part.alpha),
        output=folder / "gate.jsonl",
    )
    decision = None if summary.sprt is None else summary.sprt.decision
    value, low, high = (
        max(-_MOST_ELO, min(_MOST_ELO, number))
        for number in (summary.elo.value, summary.elo.low, summary.elo.high)
    )
    return {
        "wins": summary.wins,
        "draws": summary.draws,
        "losses": summary.losses,
        "decision": decision,
        "promoted": decision == "H1" or (decision is None and summary.score.value >= part.score),
        "elo": round(value, 1),
        "spread": round((high - low) / 2, 1),
    }


def anchor(config: LoopConfig, generation: int, new: Path, folder: Path) -> Stage:
    """The match of a promoted network against the player that stays the same; empty where there is none."""
    part = config.anchor
    if part.games == 0 or generation % part.every:
        return {}
    summary = yield from _match(
        config,
        generation,
        "anchor",
        engine_player(options={"network": str(new), "visits": part.visits}),
        parse_player(part.player),
        games=part.games,
        budget=Budget(visits=part.visits),
        seed=config.seed,
        output=folder / "anchor.jsonl",
    )
    score = summary.score
    return {"player": part.player, "score": score.value, "low": score.low, "high": score.high}


def _match(
    config: LoopConfig, generation: int, stage: str, a: PlayerFactory, b: PlayerFactory, **settings: Any
) -> Generator[LoopStep, None, Summary]:
    for event in run_match(
        config.game,
        a,
        b,
        opening_plies=config.gate.opening_plies,
        position=config.selfplay.position or None,
        processes=config.fleet.processes,
        fleet=config.fleet.fleet,
        resume=True,
        **settings,
    ):
        if isinstance(event, Progress):
            yield LoopStep(generation, stage, event.done, event.games)
        elif isinstance(event, MatchFinished):
            summary = event.summary
    if summary.stopped == "interrupted":
        raise KeyboardInterrupt
    return summary
