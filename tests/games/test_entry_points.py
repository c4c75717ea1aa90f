"""Games of installed packages: found by their entry points, imported when they are asked for."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kibitz.errors import BadRequest, GameError
from kibitz.games import registry

NIM = '''
class Nim:
    """One heap; one to three sticks a turn; who takes the last one wins."""

    def __init__(self, left=9, side=0):
        self.left, self.side = left, side

    def moves(self):
        return [str(n) for n in range(1, min(3, self.left) + 1)]

    def play(self, move):
        return Nim(self.left - int(move), 1 - self.side)

    def to_move(self):
        return self.side

    def result(self):
        return None if self.left else float(self.side)

    def text(self):
        return f"{'|' * self.left}. {self.side}"
'''


def install(folder: Path, points: str, source: str = NIM) -> Path:
    """A package as pip leaves it: a module, and a folder of metadata beside it."""
    (folder / "stick_games.py").write_text(source)
    info = folder / "stick_games-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: stick-games\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[kibitz.games]\n{points}\n")
    return folder


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of packages of this process."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(registry, "_python_games", {})
    registry._installed.cache_clear()
    yield tmp_path
    registry._installed.cache_clear()
    sys.modules.pop("stick_games", None)


def run(site: Path, *arguments: str) -> str:
    """What a command prints where the package is installed."""
    env = {**os.environ, "PYTHONPATH": str(site)}
    command = [sys.executable, "-c", "from kibitz.cli import main; main()", *arguments]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_package_brings_a_game(site: Path) -> None:
    install(site, "nim = stick_games:Nim")
    assert registry.names() == (*registry.BUILT_IN, "nim")
    assert "stick_games" not in sys.modules
    position = registry.get("nim").position().play("3")
    assert "stick_games" in sys.modules
    assert position.legal_moves == ("1", "2", "3")
    assert registry.get("nim") is registry.get("nim")
    with pytest.raises(BadRequest, match=r"unknown game 'nimm', expected .*; did you mean nim\?"):
        registry.get("nimm")
    with pytest.raises(GameError, match="there is a game nim already"):
        registry.register(type(position.state.position))


def test_commands_know_it(tmp_path: Path) -> None:
    install(tmp_path, "nim = stick_games:Nim")
    report = json.loads(run(tmp_path, "analyze", "nim", "start", "--simulations", "2000", "--json"))
    assert report["best"] == "1"  # leave a multiple of four
    assert report["root"]["proven"] == "win"
    # Of 81 ways to take one to three sticks four times, 15 take more than nine.
    assert run(tmp_path, "perft", "nim", "4").startswith("66 leaves")
    assert "Nim" in run(tmp_path, "demo", "nim", "--seconds", "0.1")


def test_worker_processes_know_it(tmp_path: Path) -> None:
    install(tmp_path, "nim = stick_games:Nim")
    output = tmp_path / "games.jsonl"
    run(
        tmp_path,
        "selfplay",
        "nim",
        "--games",
        "4",
        "--visits",
        "20",
        "--processes",
        "2",
        "--output",
        str(output),
    )
    lines = output.read_text().splitlines()
    assert len(lines) == 5
    for line in lines[1:]:
        assert sum(map(int, json.loads(line)["moves"])) == 9
    players = ("match", "nim", "default", "random", "--games", "4", "--simulations", "200")
    told = run(tmp_path, *players, "--openings", "1", "--processes", "2", "--json")
    assert json.loads(told)["games"] == 4


@pytest.mark.parametrize(
    ("points", "source", "complaint"),
    [
        (
            "nim = stick_games:Nim",
            "import nothing_like_it",
            "cannot load the game nim of the package stick-games: Mod",
        ),
        ("nim = stick_games:Nam", NIM, "cannot load the game nim of the package stick-games: AttributeError"),
        ("nim = stick_games:Nim", "Nim = 5", "a game is a class, got int"),
        ("sticks = stick_games:Nim", NIM, "names a game sticks, but its class says nim"),
    ],
)
def test_a_broken_package_is_named(site: Path, points: str, source: str, complaint: str) -> None:
    install(site, points, source)
    name = points.partition(" ")[0]
    for _ in range(2):
        with pytest.raises(GameError, match=complaint):
            registry.get(name)
    assert registry.get("othello").name == "othello"


def test_a_built_in_game_stays_itself(site: Path) -> None:
    install(site, "go = stick_games:Nim")
    assert registry.names() == registry.BUILT_IN
    assert registry.get("go").title == "Go"


def test_kibitz_is_imported_without_looking_for_packages(tmp_path: Path) -> None:
    install(tmp_path, "nim = stick_games:Nim")
    code = (
        "import kibitz, sys; print([name in sys.modules for name in ('stick_games', 'importlib.metadata')])"
    )
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[False, False]"
