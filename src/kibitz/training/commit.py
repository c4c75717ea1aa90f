"""Which commit of the sources made something: a checkpoint, a row of a lab's log."""

from __future__ import annotations

import subprocess
from pathlib import Path


def source_commit() -> str:
    """The commit of these sources, where they are a checkout; else empty."""
    here = Path(__file__).resolve().parent
    try:
        done = subprocess.run(
            ["git", "-C", str(here), "rev-parse", "HEAD"],
            capture_output=True,
            text=True,
            timeout=10,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
