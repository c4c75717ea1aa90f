"""`kibitz style levels`: shift and price of each level over a list of engines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kibitz import _native
from kibitz.errors import BadOption
from kibitz.lab.levels import levels_table, read_levels_config, run_levels
from kibitz.style import compare, load_norm, measure_pgn
from tests.cli.shell import kibitz
from tests.paths import ROOT

pytestmark = pytest.mark.skipif(not _native.HAS_STYLE, reason="a core without style")

CONFIG = """
[levels]
levels = ["medium"]
games = 4
match_games = 2

[[engine]]
name = "Alpha-beta, 500 nodes"
search = "alphabeta"
visits = 500

[[engine]]
name = "not here"
network = "no-such-folder/no-such-network.pb.gz"
visits = 5

[[engine]]
name = "tree"
network = "none"
visits = 20
levels = ["light"]
match_games = 0
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("levels")
    (place / "levels.toml").write_text(CONFIG)
    for _ in run_levels(read_levels_config(place / "levels.toml"), place / "run", processes=0):
        pass
    return place


def test_results(folder: Path) -> None:
    results = json.loads((folder / "run" / "levels.json").read_text())
    first, second = results["engines"]
    assert (first["name"], second["name"]) == ("Alpha-beta, 500 nodes", "tree")
    assert first["off_is_plain"] is True
    medium = first["levels"]["medium"]
    files = [folder / "run" / f"alpha-beta--500-nodes-{level}.pgn" for level in ("off", "medium")]
    games = [measure_pgn(file) for file in files]
    expected = compare(*games, load_norm())["s"]
    assert expected.shift is not None
    assert medium["games"] == len(games[1]) == 4
    assert medium["s"]["mean"] == pytest.approx(expected.b.mean, abs=1e-4)
    assert medium["s"]["shift"]["low"] == pytest.approx(expected.shift.low, abs=1e-3)
    assert medium["match"]["games"] == 2
    assert list(second["levels"]) == ["light"]
    assert "match" not in second["levels"]["light"]
    table = levels_table(results).splitlines()
    assert [line.split(" | ")[1] for line in table[2:]] == ["medium", "light"]


def test_every_game_has_another_opening(folder: Path) -> None:
    text = (folder / "run" / "alpha-beta--500-nodes-off.pgn").read_text()
    openings = [line.split()[1:3] for line in text.splitlines() if line.startswith("1. ")]
    assert len({tuple(moves) for moves in openings}) == 4
    styled = (folder / "run" / "alpha-beta--500-nodes-medium.pgn").read_text()
    assert openings == [line.split()[1:3] for line in styled.splitlines() if line.startswith("1. ")]


def test_a_run_goes_on_where_it_was(folder: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in (folder / "run").glob("*.pgn")}
    shown = kibitz(
        "style", "levels", "--config", folder / "levels.toml", "--folder", folder / "run", "--report"
    )
    assert "| Alpha-beta, 500 nodes | medium | 4 |" in shown.stdout
    assert before == {path: path.stat().st_mtime_ns for path in (folder / "run").glob("*.pgn")}


def test_the_commands_play_the_same_games(folder: Path, tmp_path: Path) -> None:
    results = json.loads((folder / "run" / "levels.json").read_text())
    command = results["engines"][0]["levels"]["medium"]["commands"][1].split()
    assert command[:2] == ["kibitz", "selfplay"]
    output = tmp_path / "again.pgn"
    kibitz(*command[1:-1], str(output))
    wanted = (folder / "run" / "alpha-beta--500-nodes-medium.pgn").read_text()
    assert output.read_text() == wanted


def test_the_example_is_read() -> None:
    config = read_levels_config(ROOT / "examples" / "style-levels.toml")
    assert {engine.search for engine in config.engines} == {"tree", "alphabeta"}
    assert config.levels.match_games == 600


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[levels]\ngames = 4\n", "engine"),
        ("[other]\n", "unknown table"),
        ("[levels]\nlevels = ['off']\n[[engine]]\nname='a'\nvisits=1\n", "unknown level"),
        ("[[engine]]\nname='a'\nvisits=1\n[[engine]]\nname='a'\nvisits=2\n", "same name"),
    ],
)
def test_what_is_wrong_is_named(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(text)
    with pytest.raises(BadOption, match=message):
        read_levels_config(tmp_path / "bad.toml")
