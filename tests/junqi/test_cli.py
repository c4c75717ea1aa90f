"""Junqi on the command line, as a user meets it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from kibitz.games.junqi.records import record_of, write_jgs
from tests.junqi.tables import random_game


def run(*words: str, text: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from kibitz.cli import main; main()", *words]
    return subprocess.run(command, capture_output=True, text=True, input=text, check=False)


def test_replay(tmp_path: Path) -> None:
    path = tmp_path / "game.jgs"
    write_jgs(path, record_of(random_game(3, 150)))
    done = run("junqi", "replay", str(path), "--check")
    assert done.returncode == 0
    assert "agree with the rules" in done.stdout
    data = json.loads(run("junqi", "replay", str(path), "--json").stdout)
    assert data["moves"] == len([event for event in data["events"] if ":" not in event])
    broken = bytearray(path.read_bytes())
    broken[0x19C + 1] ^= 1
    path.write_bytes(bytes(broken))
    done = run("junqi", "replay", str(path), "--check")
    assert done.returncode == 2
    assert "record 1" in done.stderr
    assert "Traceback" not in done.stderr


def test_layouts() -> None:
    assert run("junqi", "layout", "lance").stdout.startswith("91248\n")
    wrong = run("junqi", "layout", "12345")
    assert wrong.returncode == 2
    assert "25 pieces" in wrong.stderr


def test_play_shows_only_the_own_pieces() -> None:
    done = run("play", "junqi", "--pieces", "chinese", "--simulations", "300", text="moves\nhint\nquit\n")
    assert done.returncode == 0
    assert "S司" in done.stdout
    assert "E\uff1f" in done.stdout
    assert "E司" not in done.stdout


def test_matches_of_two_and_four() -> None:
    for players in ("2", "4"):
        done = run(
            "match",
            "junqi",
            "default:simulations=400",
            "random",
            "--games",
            "2",
            "--players",
            players,
            "--json",
        )
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["games"] == 2
    refused = run("match", "othello", "uct", "random", "--games", "2", "--players", "4")
    assert refused.returncode == 2


def test_analyze_json() -> None:
    done = run("analyze", "junqi", "start", "--seconds", "0.1", "--json", "-o", "style=aggressive")
    assert done.returncode == 0, done.stderr
    assert "parts" in json.loads(done.stdout)["moves"][0]
