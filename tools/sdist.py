"""Builds the source package from tracked files only: ``python -m tools.sdist dist``.

Whatever else lies in the folder, such as notes and networks, cannot get into it.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from scikit_build_core.build import build_sdist

ROOT = Path(__file__).resolve().parent.parent


def tracked() -> list[str]:
    """The tracked files that are there, by their paths in the repository."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True)
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def sdist(folder: Path) -> Path:
    """Writes the source package into a folder."""
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as copy:
        for name in tracked():
            target = Path(copy, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target)
        before = Path.cwd()
        os.chdir(copy)  # the build backend builds where it stands
        try:
            with contextlib.redirect_stdout(sys.stderr):
                name = build_sdist(str(folder))
        finally:
            os.chdir(before)
    return folder / name


if __name__ == "__main__":
    print(sdist(Path(sys.argv[1] if len(sys.argv) > 1 else "dist")))
