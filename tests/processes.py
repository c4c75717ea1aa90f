"""Looking at other processes from a test."""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

__all__ = ["alive", "children", "wait_until"]


def alive(pid: int) -> bool:
    """Whether the process runs; one that has ended and that nobody has waited for yet does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        if sys.platform == "linux":
            return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def children(process: int) -> list[int]:
    """The processes that a process has started and that run (Linux)."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
        if parent == process:
            found.append(int(folder.name))
    return found


def wait_until(condition: Callable[[], object], seconds: float = 200.0) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it did not happen in time"
        time.sleep(0.02)
