"""Reviews games and replays the evidence of every fact with code that shares nothing with the extractor.

    python -m tools.fact_check go --moves 1000
    python -m tools.fact_check junqi --records FOLDER --effort quick

Without records, weak levels play games from a seed. Every move is reviewed as `kibitz review` does it, and
explained with the reply that was found and with the better line. `tests/games/GAME/fact_checker.py` replays
the facts: python-chess, sgfmill, solvers. Printed are the counts, what is false, and the share of the CPU
time that reasons take.
"""

from __future__ import annotations

import argparse
import importlib
import random
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kibitz
from kibitz import levels
from kibitz.games import registry
from kibitz.games.base import Position
from kibitz.review.effort import EFFORTS, make_effort
from kibitz.review.examine import Examination
from kibitz.review.records import Record, record_of

#: Plies of a game, and moves at random that it begins with.
_LONGEST, _RANDOM = {"chess": 120, "go": 150, "junqi": 160}, 4
_GAMES = ("chess", "go", "junqi", "othello", "uttt")


def _played(game: str, seed: int) -> Iterator[Position]:
    """Games of low levels with themselves."""
    rng = random.Random(seed)
    low = [levels.get_level(game, level.name) for level in registry.get(game).levels[:3]]
    options: dict[str, Any] = {"search": "tree"} if game == "chess" else {}
    with kibitz.Engine(game, seed=seed, **options) as engine:
        while True:
            position: Position = _start(game, rng)
            for _ in range(_RANDOM):
                position = position.play(rng.choice(position.legal_moves))
            while not position.is_over and len(position.moves) < _LONGEST.get(game, 999):
                move, _ = levels.play_at(engine, position, rng.choice(low), rng)
                position = position.play(move)
            yield position


def _start(game: str, rng: random.Random) -> Position:
    if game == "junqi":
        names = sorted(kibitz.junqi.layouts.NAMED)
        return kibitz.junqi.Position.deal(rng.sample(names, rng.choice((2, 4))))
    return kibitz.go.Position(13) if game == "go" else registry.get(game).position()


def _recorded(game: str, paths: list[Path]) -> Iterator[Position]:
    for path in paths:
        files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
        for file in files:
            yield from registry.get(game).records.load(str(file))


class Tally:
    """What was seen so far."""

    def __init__(self) -> None:
        self.moves = self.sentences = self.unexplained = 0
        self.searching = self.explaining = 0.0
        self.codes, self.false = Counter[str](), list[str]()


def check_game(record: Record, engine: kibitz.Engine, effort: str, problems: Any, tally: Tally) -> None:
    """Reviews one game and replays its facts."""
    examination = Examination(record, make_effort(engine.configuration, effort))
    began = time.process_time()
    for number in range(len(record.positions)):
        if (request := examination.look(number)) is not None:
            *_, examination.reports[number] = engine.run(request)
    for number in range(len(record.moves)):
        asked = examination.checks_of(number)
        examination.checks[number] = [[*engine.run(request)][-1] for request in asked]
    tally.searching += time.process_time() - began
    began = time.process_time()
    turns = [examination.turn(number) for number in range(len(record.moves))]
    tally.explaining += time.process_time() - began
    for number, turn in enumerate(turns):
        if ":" in turn.played:  # who resigns or is skipped moves nothing
            continue
        checks = examination.checks[number]
        before = checks[0] if checks else examination.reports[number]
        after = checks[1] if len(checks) > 1 else examination.reports[number + 1]
        if before is None:
            continue
        line = [turn.played, *(after.moves[0].line if after and after.moves else ())]
        why = [kibitz.explain(before, line, after=after), kibitz.explain(before)]
        given: list[tuple[Any, Any, Any]] = [(why[0], before, after), (why[1], before, None)]
        tally.moves += 1
        tally.sentences += sum(len(one.said) for one in why) + len(turn.reasons.said)
        tally.unexplained += not any(one.reasons for one in why)
        tally.codes.update(fact.code for one in why for fact in one.facts)
        for problem in (problem for case in given for problem in problems(*case)):
            print(f"false: {problem}", flush=True)
            tally.false.append(problem)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=_GAMES)
    parser.add_argument("--records", type=Path, nargs="*", default=[])
    parser.add_argument("--moves", type=int, default=1000)
    parser.add_argument("--effort", choices=EFFORTS, default="quick")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    checker = importlib.import_module(f"tests.games.{given.game}.fact_checker")
    games = _recorded(given.game, given.records) if given.records else _played(given.game, given.seed)
    tally = Tally()
    with kibitz.Engine(given.game, **registry.get(given.game).analysis_options) as engine:
        for last in games:
            check_game(record_of(last), engine, given.effort, checker.problems, tally)
            print(f"{tally.moves} moves, {len(tally.false)} false", flush=True)
            if tally.moves >= given.moves:
                break
    print(
        f"{tally.moves} moves reviewed, {sum(tally.codes.values())} facts, {tally.sentences} sentences, "
        f"no reason for {tally.unexplained} moves"
    )
    share = tally.explaining / (tally.searching + tally.explaining)
    print(
        f"CPU time ({given.effort}): searching {tally.searching:.1f} s, reasons {tally.explaining:.1f} s "
        f"({share:.1%} of the review)"
    )
    print(", ".join(f"{code} {count}" for code, count in tally.codes.most_common()))
    print(f"false: {len(tally.false)}")


if __name__ == "__main__":
    main()
