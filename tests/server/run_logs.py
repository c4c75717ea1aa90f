"""Logs as `kibitz match` and `kibitz train` leave them, for tests of what shows them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from kibitz.arena.record import RESULTS, GameRecord
from kibitz.fleet.log import ResultLog

__all__ = ["add_games", "write_match", "write_training"]

#: A's half points in the two games of a pair, over and over: 62.5% in all.
_HALF_POINTS = ((2, 2), (2, 0), (1, 1), (2, 0))


def write_match(path: Path, games: int, of: int = 400, sprt: dict[str, Any] | None = None) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    settings = {"game": "othello", "a": "uct", "b": "flat", "games": of, "sprt": sprt}
    log = ResultLog(path, RESULTS, settings, resume=False)
    add_games(log, range(games))
    log.close()


def add_games(log: ResultLog[GameRecord], numbers: range) -> None:
    for number in numbers:
        won = _HALF_POINTS[number // 2 % len(_HALF_POINTS)][number % 2] / 2
        result = won if number % 2 == 0 else 1 - won
        opening = {"notation": "", "moves": ["d3"]}
        log.add(GameRecord(number, opening, ("c5",), result, "rules", None, None, (0.5, 0.25), (30, 30)))


def write_training(folder: Path, steps: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    rows: list[dict[str, Any]] = []
    for step in range(50, steps + 1, 50):
        rows.append(
            {"step": step, "rate": 0.01, "perSecond": 900.0, "total": 3 - step / steps, "policy": 1.0}
        )
        if step % 100 == 0:
            rows.append({"step": step, "evaluation": {"total": 3.1 - step / steps}})
    (folder / "log.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
