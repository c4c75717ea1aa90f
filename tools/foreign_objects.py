"""Compiles every source of the core for other systems, by zig (PyPI `ziglang`), which brings their headers.

    python -m tools.foreign_objects [--target aarch64-macos] [--only nets]

Nothing is linked and nothing is run: it finds what does not compile there. Sources in folders named `bind`
need the system's own Python headers and are left to .github/workflows/wheels.yml.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGETS = ("aarch64-macos", "x86_64-windows-gnu")
#: As cmake/flags.cmake has them.
FLAGS = ["-std=c++20", "-O1", "-ffp-contract=off", "-fno-math-errno", "-Werror=switch", "-DKIBITZ_STYLE=1"]


def sources(only: str = "") -> list[Path]:
    """The sources of the core that need no Python."""
    found = sorted((ROOT / "native").rglob("*.cpp"))
    parts = [path for path in found if not {"bind", "tests"} & set(path.relative_to(ROOT).parts)]
    return [path for path in parts if only in path.relative_to(ROOT).as_posix()]


def problem(target: str, source: Path) -> str:
    """What the compiler says of a source that it rejects."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "ziglang", "c++", "-target", target, *FLAGS, "-I", "native"]
        command += ["-c", str(source.relative_to(ROOT)), "-o", f"{folder}/out.o"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else ""


def main() -> int:
    parser = argparse.ArgumentParser(description="Compiles the core for other systems, without linking.")
    parser.add_argument("--target", action="append", choices=TARGETS)
    parser.add_argument("--only", default="", metavar="TEXT", help="sources whose path contains TEXT")
    options = parser.parse_args()
    files, failed = sources(options.only), 0
    for target in options.target or TARGETS:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            problems = list(filter(None, pool.map(partial(problem, target), files)))
        print("\n".join(problems), end="")
        print(f"{target}: {len(files) - len(problems)} of {len(files)} sources compile", flush=True)
        failed += len(problems)
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
