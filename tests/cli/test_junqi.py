"""Junqi on the command line, as a user meets it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz.games.junqi.records import record_of, write_jgs
from tests.games.junqi.tables import random_game


def run(*words: str, text: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from kibitz.cli import main; main()", *words]
    return subprocess.run(command, capture_output=True, text=True, input=text, check=False)


def test_replay(tmp_path: Path) -> None:
    path = tmp_path / "game.jgs"
    write_jgs(path, record_of(random_game(3, 150, options="qq")))
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


def test_layouts_are_measured_and_resumed(tmp_path: Path) -> None:
    file = tmp_path / "fared.jsonl"
    words = ["junqi", "layouts", str(file), "--games", "4", "--simulations", "1", "-o", "players=2"]
    done = run(*words, "--processes", "0", "--json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    assert sum(row["seats"] for row in rows) == 8
    assert sum(row["seats"] * row["score"] for row in rows) == pytest.approx(4, abs=0.01)
    assert [row["score"] for row in rows] == sorted((row["score"] for row in rows), reverse=True)
    before = file.read_bytes()
    assert "%" in run(*words, "--processes", "0").stdout
    assert file.read_bytes() == before  # nothing is played twice
    assert "even" in run(*words[:3], "--games", "3").stderr


DEALT = ("--simulations", "200", "--position", "seed=3")


def test_play_shows_only_the_own_pieces() -> None:
    done = run("play", "junqi", "-o", "pieces=chinese", "--simulations", "300", text="moves\nhint\nquit\n")
    assert done.returncode == 0
    assert "S司" in done.stdout
    assert "E\uff1f" in done.stdout
    assert "E司" not in done.stdout


def test_play_deals_secret_layouts_and_tells_moves_in_words() -> None:
    words = (
        "play",
        "junqi",
        "--side",
        "N",
        "--layout",
        "lance",
        "--simulations",
        "200",
        "--position",
        "seed=3",
    )
    done = run(*words, text="help\nresign\n")
    assert done.returncode == 0, done.stderr
    assert "N9" in done.stdout.split("What stood where")[0]
    assert "S9" not in done.stdout.split("What stood where")[0]
    assert "owner's left" in done.stdout
    assert "N resigns" in done.stdout
    assert "What stood where:" in done.stdout
    assert "value" not in done.stdout  # what an opponent thinks would tell what it has
    assert run(*words, text="board\n").stdout == run(*words, text="board\n").stdout
    two = run("play", "junqi", "--position", "players=2", "--simulations", "200", text="resign\n")
    assert "E?" not in two.stdout
    assert "N?" in two.stdout
    assert two.stdout.rstrip().endswith("\nN wins.")
    for wrong, why in ((("--layout", "12345"), "25 pieces"), (("--position", "players=3"), "2 or 4")):
        refused = run("play", "junqi", *wrong, text="quit\n")
        assert refused.returncode == 2
        assert why in refused.stderr
    assert run("play", "othello", "--layout", "lance", text="quit\n").returncode == 2


def test_play_saves_a_record(tmp_path: Path) -> None:
    path = tmp_path / "mine.jgs"
    words = (
        "play",
        "junqi",
        "--side",
        "N",
        "--simulations",
        "200",
        "--position",
        "seed=3",
        "--save",
        str(path),
    )
    done = run(*words, text="resign\n")
    assert done.returncode == 0, done.stderr
    told = json.loads(run("junqi", "replay", str(path), "--json").stdout)
    assert told["events"][0][0] == "E"  # who begins in such records
    assert "resign:N" in told["events"]
    assert told["end"] == "decided" or told["eliminated"]
    for wrong in (("--save", "game.sgf"), ("--save", "a.jgs", "--position", "players=2")):
        assert run("play", "junqi", *wrong, text="quit\n").returncode == 2
    assert run("play", "othello", "--save", "a.jgs", text="quit\n").returncode == 2


def test_demo_shows_one_seat() -> None:
    done = run("demo", "--seconds", "0.05")
    assert done.returncode == 0, done.stderr
    board = done.stdout[done.stdout.index("Junqi") :]
    assert "W9" in board  # the seat to move
    for hidden in ("S9", "E9", "N9"):
        assert hidden not in board


def test_views_on_the_command_line(tmp_path: Path) -> None:
    picture = tmp_path / "east.svg"
    words = ("junqi", "view", "start", "--seat", "E", "--about", "s62", "--picture", str(picture))
    done = run(*words)
    assert done.returncode == 0, done.stderr
    assert "E9" in done.stdout
    assert "S9" not in done.stdout
    # A headquarters: the flag, or what recorded games put into the other one.
    (about,) = [line for line in done.stdout.splitlines() if line.startswith("S62: ")]
    first, *others = [words.split()[0] for words in about.removeprefix("S62: ").split(", ")[:3]]
    assert first == "flag"
    assert set(others) == {"mine", "platoon"}
    assert picture.read_text(encoding="utf-8").startswith("<svg")
    notation = run("junqi", "view", "start").stdout.splitlines()[-1]
    analyzed = run("analyze", "junqi", notation, "--simulations", "500", "--style", "aggressive")
    assert analyzed.returncode == 0, analyzed.stderr
    assert "E9" not in analyzed.stdout
    assert "honoured style" in analyzed.stdout
    assert "refused" not in analyzed.stdout
    # Numbers and words are both there on a narrow terminal.
    for word in ("attack_ev", "pos_gain", "target", "line"):
        assert word in analyzed.stdout
    assert run("junqi", "view", "start", "--seat", "Q").returncode == 2


def test_matches_of_two_and_four() -> None:
    for players in ("2", "4"):
        done = run(
            "match",
            "junqi",
            "default:simulations=400",
            "random",
            "--games",
            "2",
            "--position",
            f"players={players}",
            "--json",
        )
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["games"] == 2
    refused = run("match", "othello", "uct", "random", "--games", "2", "--position", "players=4")
    assert refused.returncode == 2


def test_analyze_json() -> None:
    done = run("analyze", "junqi", "start", "--seconds", "0.1", "--json", "-o", "style=aggressive")
    assert done.returncode == 0, done.stderr
    assert "parts" in json.loads(done.stdout)["moves"][0]


def test_tune_resumes_and_tests(tmp_path: Path) -> None:
    words = ["tune", "junqi", str(tmp_path), "--only", "risk", "--steps", "1", "-o", "pairs=1"]
    words += ["--simulations", "1", "-o", "players=2", "--processes", "0", "--gate", "2,0,20"]
    done = run(*words)
    assert done.returncode == 0, done.stderr
    assert "step 1 of 1" in done.stdout
    assert "the weights it began with stay" in done.stdout or "accepted" in done.stdout
    state = json.loads((tmp_path / "state.json").read_text())
    assert state["done"] == 1
    assert set(state["values"]) == {"risk.exposed", "risk.unknown"}
    again = run(*words)
    assert again.returncode == 0, again.stderr
    assert "step" not in again.stdout  # nothing is played twice
    assert "no weight" in run("tune", "junqi", str(tmp_path), "--only", "rosk").stderr
