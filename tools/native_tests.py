"""Runs the C++ tests that CMake built: ``python tools/native_tests.py build/native-tests [--only parallel]``.

A test passes when it exits with 0 and its last line says ``N passed, 0 failed`` with N above 0: a test
that ends early or checks nothing fails.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path


def run(program: list[str | Path], limit: float) -> tuple[bool, str, float]:
    """Runs one test program; says whether it passed, its last line or all it printed, and its seconds."""
    start = time.monotonic()
    passed, message = _run(program, limit)
    return passed, message, time.monotonic() - start


def _run(program: list[str | Path], seconds: float) -> tuple[bool, str]:
    try:
        done = subprocess.run(
            program,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        printed = late.stdout.decode(errors="replace") if isinstance(late.stdout, bytes) else ""
        return False, f"{printed}\nstopped after {seconds:g} s"
    last = done.stdout.strip().rpartition("\n")[2]
    if done.returncode == 0 and re.fullmatch(r"[1-9]\d* passed, 0 failed", last):
        return True, last
    return False, f"{done.stdout}\nexit code {done.returncode}"


def main() -> int:
    parser = argparse.ArgumentParser(description="Runs the C++ tests of a build folder.")
    parser.add_argument("build", type=Path)
    parser.add_argument("--only", default="", metavar="TEXT", help="tests whose name contains TEXT")
    parser.add_argument("--seconds", type=float, default=600, help="time limit of one test")
    parser.add_argument("--runner", help="what runs the tests, such as qemu-aarch64-static")
    options = parser.parse_args()
    runner: list[str | Path] = [options.runner] if options.runner else []

    # Programs of tests that were renamed or deleted stay in a build folder; only present sources count.
    sources = Path(__file__).resolve().parent.parent / "native" / "tests"
    tests = [path.relative_to(sources).with_suffix("") for path in sources.rglob("test_*.cpp")]
    levels = sorted(options.build.glob("tests/*"))
    programs = [level / test for level in levels for test in sorted(tests) if options.only in test.as_posix()]
    programs = [program for program in programs if program.is_file()]
    if not programs:
        print(f"no native tests in {options.build}", file=sys.stderr)
        return 1
    failures = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = {pool.submit(run, [*runner, program], options.seconds): program for program in programs}
        for done in as_completed(runs):
            program, (passed, message, seconds) = runs[done], done.result()
            failures += not passed
            name = program.relative_to(options.build / "tests").as_posix()
            print(f"{name}: {message} ({seconds:.1f} s)", flush=True)
    print(f"{len(programs) - failures} native test programs passed, {failures} failed")
    return min(failures, 1)


if __name__ == "__main__":
    sys.exit(main())
