"""What commands write: progress for people and for pipes, files."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from kibitz.files.whole_file import naming

#: Seconds between two lines of progress where there is no terminal.
EVERY = 10.0


class _Lines(Progress):
    """Progress for files and pipes: a line now and then instead of a bar."""

    def __init__(self) -> None:
        super().__init__(disable=True)
        self._begun = self._reported = time.monotonic()

    def advance(self, task_id: TaskID, advance: float = 1) -> None:
        super().advance(task_id, advance)
        now = time.monotonic()
        if now - self._reported < EVERY:
            return
        self._reported = now
        task = self._tasks[task_id]
        done, spent = task.completed, now - self._begun
        line = f"{task.description}: {done:,.0f}"
        if task.total:
            line += f" of {task.total:,.0f}"
            if done:
                line += f", about {spent * (task.total - done) / done:.0f} s left"
        print(f"{line}, {spent:.0f} s so far", file=sys.stderr, flush=True)


@contextlib.contextmanager
def progress_bar(label: str, total: int | None) -> Iterator[Progress]:
    """Progress on stderr: a bar on a terminal, a line now and then elsewhere; without a total it only counts.
    Advance `progress.tasks[0].id`."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=console, transient=True) if console.is_terminal else _Lines()
    with bar as progress:
        progress.add_task(label, total=total)
        yield progress


class Status:
    """What a long step is doing. `tick` is for loops: it says now and then that work goes on."""

    def __init__(self, text: str, spinner: Any = None) -> None:
        self._text, self._spinner = text, spinner
        self._begun = self._reported = time.monotonic()

    def update(self, text: str) -> None:
        self._text = text
        if self._spinner is not None:
            self._spinner.update(text)
        self.tick()

    def tick(self) -> bool:
        """Always False, so that it can stand where a loop asks whether to stop."""
        now = time.monotonic()
        if self._spinner is None and now - self._reported >= EVERY:
            self._reported = now
            print(f"{self._text}, {now - self._begun:.0f} s so far", file=sys.stderr, flush=True)
        return False


@contextlib.contextmanager
def status(text: str) -> Iterator[Status]:
    """A spinner with a text on stderr; where there is no terminal, a line now and then."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield Status(text)
        return
    with console.status(text) as spinner:
        yield Status(text, spinner)


def write_text(path: Path, text: str) -> None:
    """Writes a whole file as UTF-8; an error names it."""
    with naming(path):
        path.write_text(text, encoding="utf-8")
