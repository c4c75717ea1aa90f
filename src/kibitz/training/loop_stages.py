"""The matches of a training loop: the gate, the anchor.

Each is a generator of steps that ends with what the generation's report says of it. Called again after an
interruption, it goes on from its files.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kibitz.arena.match import MatchFinished, Progress, run_match
from kibitz.arena.player import PlayerFactory
from kibitz.arena.spec import engine_player, parse_player
from kibitz.arena.sprt import Sprt
from kibitz.arena.summary import Summary
from kibitz.request import Budget
from kibitz.training.loop_config import LoopConfig

#: Seconds that one role of a loop waits for news while others may have some.
TICK = 0.02
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
        processes=config.fleet.gate or config.fleet.processes,
        fleet=config.fleet.fleet,
        resume=True,
        heartbeat=TICK if config.fleet.gate else None,
        **settings,
    ):
        if isinstance(event, Progress):
            yield LoopStep(generation, stage, event.done, event.games)
        elif isinstance(event, MatchFinished):
            summary = event.summary
    if summary.stopped == "interrupted":
        raise KeyboardInterrupt
    return summary
