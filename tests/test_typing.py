"""What a type checker, and so an editor's completion, knows of the keywords."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

ASKING = """
import chess
import kibitz

position = kibitz.chess.Position()
engine = kibitz.Engine("chess")
pool = kibitz.Pool("chess")

engine.analyze(position, simulations=10, include=["e2e4"], min_visits=3, top=2)
kibitz.analyze(chess.Board(), seconds=0.5, weights={"e2e4": 2.0}, style="medium")
reveal_type(engine.analyze(position))
reveal_type(engine.astream(position, every=0.5, visits=3))

engine.analyze(position, simulation=10)
kibitz.analyze(position, seconds="long")
pool.astream(position, client="alice", visit=3)
"""


def test_keywords_are_typed(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    (tmp_path / "asking.py").write_text(ASKING, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", "pyproject.toml"]
    done = subprocess.run(
        [*command, str(tmp_path / "asking.py")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    messages = [line.split(": ", 1)[1] for line in done.stdout.splitlines() if "asking.py" in line]
    assert messages[0].startswith('note: Revealed type is "kibitz.report.Report')
    assert messages[1].startswith('note: Revealed type is "kibitz.running.stream.ReportStream')
    problems = [line for line in messages[2:] if line.startswith("error")]
    assert len(problems) == 3, done.stdout
    assert 'Unexpected keyword argument "simulation"' in problems[0]
    assert '"seconds"' in problems[1] or "float" in problems[1]
    assert 'Unexpected keyword argument "visit"' in problems[2]
