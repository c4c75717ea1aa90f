"""The progress log of a lab: what was done, when, with which commit; a row for each finished step."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from pathlib import Path

from kibitz.errors import BadRecord
from kibitz.training.commit import source_commit


@dataclass(frozen=True)
class LogRow:
    date: str
    phase: str
    task: str
    commit: str
    note: str = ""


class ProgressLog:
    """`progress.jsonl` in the lab's folder. A step is noted once: a lab that goes on keeps its dates."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "progress.jsonl"
        self._known = {(row.phase, row.task) for row in self.rows()}

    def rows(self) -> Iterator[LogRow]:
        if not self._path.is_file():
            return
        for number, line in enumerate(self._path.read_bytes().splitlines(keepends=True), start=1):
            if not line.endswith(b"\n"):
                return  # cut off by a kill
            try:
                yield LogRow(**json.loads(line))
            except (ValueError, TypeError, RecursionError):
                raise BadRecord(f"{self._path}, line {number}: no row of a lab's log") from None

    def note(self, phase: str, task: str, note: str = "") -> None:
        if (phase, task) in self._known:
            return
        now = datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M")
        row = LogRow(now, phase, task, source_commit()[:8], note)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(row)) + "\n")
        self._known.add((phase, task))
