"""What training knows of Othello alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from kibitz.games.othello.records import wthor
from kibitz.training.game_part import GameTraining


def _wthor(path: Path) -> Iterator[Sequence[str] | None]:
    file = wthor.load(path)
    for index in range(len(file.games)):
        record = file.record(index)
        yield record.moves if record.position().is_over else None


TRAINING = GameTraining(records={".wtb": _wthor})
