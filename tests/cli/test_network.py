"""One spelling of a network in every command and every game that has networks: --network."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.shell import kibitz, one_line_error
from tests.nets.katago_writer import katago_file
from tests.nets.lc0_writer import Lc0Writer


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path / "cache"))
    (tmp_path / "chess.pb").write_bytes(Lc0Writer().file())
    (tmp_path / "go.bin").write_bytes(katago_file(14))
    return {"chess": str(tmp_path / "chess.pb"), "go": str(tmp_path / "go.bin")}


def analyzed(*words: str) -> str:
    done = kibitz("analyze", *words, "--visits", "10", "--json")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert data["root"]["visits"] == 10
    return str(data["engine"])


@pytest.mark.parametrize(("game", "preset"), [("chess", "lc0"), ("go", "katago")])
def test_analyze(files: dict[str, str], game: str, preset: str) -> None:
    assert analyzed(game, "start", "--network", files[game]).startswith(preset)


@pytest.mark.parametrize(
    "words",
    [
        ["--preset", "lc0", "-o", "network={}"],
        ["-o", "network={}", "-o", "precision=fp32"],
        ["--model", "{}"],
        ["--network", "{}", "-o", "precision=int8"],
    ],
)
def test_other_spellings_and_int8(files: dict[str, str], words: list[str]) -> None:
    analyzed("chess", "start", *(word.format(files["chess"]) for word in words))


@pytest.mark.parametrize("game", ["chess", "go"])
def test_play(files: dict[str, str], game: str) -> None:
    done = kibitz("play", game, "--network", files[game], "--simulations", "5", text="hint\nquit\n")
    assert done.returncode == 0, done.stderr
    assert "5 simulations" in done.stdout  # of the hint
    assert done.stderr.startswith("network: ")


def test_match(files: dict[str, str]) -> None:
    done = kibitz(
        *("match", "chess", "lc0", "random", "--network", files["chess"], "--games", "2"),
        *("--visits", "2", "--openings", "2", "--json"),
    )
    assert done.returncode == 0, done.stderr


def test_a_wrong_file_is_one_line(files: dict[str, str], tmp_path: Path) -> None:
    error = one_line_error(kibitz("analyze", "go", "start", "--network", files["chess"]))
    assert "an Lc0 network for chess, not a network for go; expected a KataGo network (.bin.gz)" in error
    (tmp_path / "game.pgn").write_text('[Event "?"]\n\n1. e4 *\n')
    error = one_line_error(kibitz("play", "chess", "--network", str(tmp_path / "game.pgn")))
    assert "a PGN record; expected an Lc0 network (.pb.gz)" in error
    error = one_line_error(kibitz("analyze", "othello", "start", "--network", files["go"]))
    assert "not a network for othello; expected a Kibitz network (.knet)" in error
    error = one_line_error(kibitz("analyze", "chess", "start", "--network", "nowhere.pb.gz"))
    assert "nowhere.pb.gz: there is no such network file" in error
    assert "kibitz nets list" in error


@pytest.mark.parametrize("name", ["kibitz-chess-5", "kibitz-chess-4", "terms"])
def test_networks_of_the_package_go_by_their_names(name: str) -> None:
    listed = json.loads(kibitz("nets", "list", "--json").stdout)["networks"]
    shown = analyzed("chess", "start", "--network", name)
    assert f"network={'kibitz-chess-4' if name == 'terms' else name}" in shown
    for row in listed:
        if row["bundled"]:
            assert row["name"] in analyzed(row["game"], "start", "--network", row["name"])
