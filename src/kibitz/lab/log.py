"""The progress log of a lab: what was done, when, with which commit; a row for each finished step."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from pathlib import Path

__all__ = ["LogRow", "ProgressLog"]


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
        if self._path.is_file():
            for line in self._path.read_text("utf-8").splitlines():
                yield LogRow(**json.loads(line))

    def note(self, phase: str, task: str, note: str = "") -> None:
        if (phase, task) in self._known:
            return
        now = datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M")
        row = LogRow(now, phase, task, _commit(), note)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(row)) + "\n")
        self._known.add((phase, task))


def _commit() -> str:
    """The commit of the sources, where they are a checkout."""
    here = Path(__file__).resolve().parent
    try:
        done = subprocess.run(
            ["git", "-C", str(here), "rev-parse", "--short", "HEAD"],
            capture_output=True,
            text=True,
            timeout=10,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
