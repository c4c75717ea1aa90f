"""The stages of a generation of a training loop that play games: self-play, the gate, the anchor.

Each is a generator of steps that ends with what the generation's report says of it. Called again after an
interruption, it goes on from its files.
"""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kibitz.arena.match import MatchFinished, Progress, run_match
from kibitz.arena.player import PlayerFactory
from kibitz.arena.spec import engine_player, parse_player
from kibitz.arena.sprt import Sprt
from kibitz.arena.summary import Summary
from kibitz.fleet.content import digest_of
from kibitz.request import Budget
from kibitz.training.loop_config import LoopConfig
from kibitz.training.settings import SelfplaySettings
from kibitz.training.shard_run import check_of, run_shards
from kibitz.training.shard_task import SampleNames

#: Games a process plays at once, where the configuration does not say.
_PARALLEL = 64
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


def selfplay(
    config: LoopConfig,
    settings: SelfplaySettings,
    generation: int,
    folder: Path,
    origin: Mapping[str, Any],
) -> Stage:
    """The games of a generation, as samples in `folder/samples`."""
    source = f"{config.game} loop {config.digest}, network {digest_of(Path(settings.network))}"
    run = run_shards(
        settings,
        folder / "samples",
        place=replace(config.fleet, parallel=config.fleet.parallel or _PARALLEL),
        names=SampleNames(source, generation, bool(config.model.get("style_planes"))),
        shard_games=config.shard_games,
        origin=origin,
    )
    with contextlib.closing(run):
        while True:
            try:
                yield LoopStep(generation, "selfplay", next(run), settings.games)
            except StopIteration as ended:
                manifest = ended.value
                break
    check = check_of(manifest.shards)
    plies = sum(shard.outcome.get("plies", 0) for shard in manifest.shards)
    return {
        "games": check.games,
        "positions": manifest.positions,
        "plies": round(plies / max(1, check.games), 1),
        "resigned": check.resigned,
        "checked": check.checked,
        "wrong": check.wrong,
        "resigning_wrong_at_most": check.most if check.checked else None,
        "settings": settings.digest,
        "manifest": digest_of(folder / "samples" / "manifest.json"),
    }


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
