"""The tool that compares two analysis engines: on Kibitz itself, through the protocol."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tools.katago_agreement import Agreement, compare, positions, same_move

ROOT = Path(__file__).resolve().parent.parent
NETWORK = ROOT.parent / "shared" / "nets" / "katago-tiny-b2c16.bin.gz"


def answer(best: str, winrate: float, *twins: str) -> dict[str, object]:
    infos = [{"move": best, "order": 0}, {"move": "A1", "order": 1}]
    infos += [{"move": twin, "order": 2, "isSymmetryOf": best} for twin in twins]
    return {"moveInfos": infos, "rootInfo": {"winrate": winrate, "scoreLead": 10 * winrate}}


def test_first_moves_and_roots_are_compared() -> None:
    a = {"p0": answer("D4", 0.5), "p1": answer("C3", 0.6), "p2": answer("E5", 0.2)}
    b = {"p0": answer("D4", 0.6), "p1": answer("G7", 0.6), "q": answer("E5", 0.2)}
    assert compare(a, b) == Agreement(2, 1, pytest.approx(0.05), pytest.approx(0.5))


def test_symmetric_moves_are_the_same() -> None:
    assert same_move(answer("C3", 0.5, "G7"), answer("G7", 0.5, "C3"))
    assert not same_move(answer("C3", 0.5), answer("G7", 0.5))


def test_positions_are_the_same_for_a_seed() -> None:
    assert positions(3, 1) == positions(3, 1)
    assert positions(3, 1) != positions(3, 2)


@pytest.mark.skipif(not NETWORK.is_file(), reason="KataGo's small network is not here")
def test_the_tool_runs_both_engines(tmp_path: Path) -> None:
    """A stand-in for KataGo: this engine under its name."""
    stand_in = tmp_path / "katago"
    stand_in.write_text(
        f"#!{sys.executable}\nimport sys\nsys.argv.insert(1, 'katago')\nfrom kibitz.cli import main\nmain()\n"
    )
    stand_in.chmod(0o755)
    words = ["--katago", str(stand_in), "--network", str(NETWORK), "--positions", "2", "--visits", "4"]
    done = subprocess.run(
        [sys.executable, "-m", "tools.katago_agreement", *words, "--gate"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        timeout=280,
    )
    assert done.returncode == 0, done.stderr
    assert "katago and itself:  first move" in done.stdout
