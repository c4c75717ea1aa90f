"""How properties are tried: with the same examples, or exploring anew as in CI."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FAILING = """
from hypothesis import given, strategies

@given(strategies.integers(0, 2**64))
def test_small(number):
    with open("tried.txt", "a") as file:
        print(number, file=file)
    assert number < 1000
"""


@pytest.mark.parametrize("ci", ["", "true"])
@pytest.mark.parametrize("profile", ["explore", "same"])
def test_a_failing_example_is_printed_and_kept_when_exploring(tmp_path: Path, profile: str, ci: str) -> None:
    (tmp_path / "test_small.py").write_text(FAILING)
    environment = {**os.environ, "HYPOTHESIS_PROFILE": profile, "PYTHONPATH": str(ROOT)}
    # Hypothesis detects a CI run by the first five; a fixed seed in the last turns the kept examples off.
    for name in ("CI", "GITHUB_ACTIONS", "GITLAB_CI", "TF_BUILD", "BUILDKITE", "PYTEST_ADDOPTS"):
        environment.pop(name, None)
    if ci:
        environment["CI"] = ci

    def run() -> tuple[str, list[str]]:
        """What pytest printed, and the numbers that were tried."""
        (tmp_path / "tried.txt").unlink(missing_ok=True)
        # Where Schemathesis is installed, its plugin makes Hypothesis print no values.
        plugins = ["-p", "no:schemathesis", "-p", "tests.conftest"]
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", *plugins, "test_small.py"],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 1, done.stdout + done.stderr
        return done.stdout, (tmp_path / "tried.txt").read_text().split()

    (printed, first), (_, second) = run(), run()
    assert "number=1000" in printed
    assert ("reproduce_failure" in printed) == (profile == "explore")
    # The example of the first run is the first one of the second.
    assert (second[0] == "1000") == (profile == "explore")
    assert (first == second) == (profile == "same")
