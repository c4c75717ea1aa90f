"""Tries a wheel as a user would: ``python -m tools.try_wheel dist/kibitz-*.whl``.

auditwheel names the systems it is for, abi3audit checks the stable ABI where the wheel claims it, and a fresh
environment without a compiler installs it and analyzes a position. Times and sizes are printed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TOOLS = Path(sys.executable).parent


def run(*words: str | Path, **settings: object) -> str:
    done = subprocess.run([*map(str, words)], check=True, capture_output=True, text=True, **settings)  # type: ignore[call-overload]
    return str(done.stdout)


def size(folder: Path) -> float:
    """Megabytes of a folder's files."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def try_extra(wheel: Path, extra: str) -> None:
    """Installs the wheel with an extra into a fresh environment and asks it for a move."""
    with tempfile.TemporaryDirectory() as folder:
        run(sys.executable, "-m", "venv", folder)
        bare, programs = size(Path(folder)), Path(folder, "bin")
        # No compiler: nothing but the environment's own programs is found.
        env = {**os.environ, "PATH": str(programs)}
        start = time.monotonic()
        run(programs / "pip", "install", "-q", f"{wheel}{extra}", env=env)
        seconds = time.monotonic() - start
        print(f"kibitz{extra}: installed in {seconds:.1f} s, {size(Path(folder)) - bare:.0f} MB", flush=True)
        if extra:
            start = time.monotonic()
            words = ("analyze", "othello", "start", "--simulations", "10000")
            said = run(programs / "kibitz", *words, env=env, cwd=folder)
            summary = next(line for line in said.splitlines() if "stopped by" in line)
            print(f"kibitz {' '.join(words)}: {time.monotonic() - start:.1f} s\n{summary}")
        else:
            program = "import kibitz; print(kibitz.analyze(kibitz.chess.Position(), seconds=0.2).summary())"
            print(run(programs / "python", "-c", program, env=env, cwd=folder), end="")


def main() -> None:
    (name,) = sys.argv[1:]
    wheel = Path(name).resolve()
    print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB")
    if "linux" in wheel.name:
        print(run(TOOLS / "auditwheel", "show", wheel).strip())
    if "-abi3-" in wheel.name:
        print(run(TOOLS / "abi3audit", "--strict", "--verbose", wheel).strip())
    for extra in ("", "[cli]"):
        try_extra(wheel, extra)


if __name__ == "__main__":
    main()
