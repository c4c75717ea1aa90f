"""The commands `kibitz style` and `kibitz selfplay` as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kibitz.cli import main
from kibitz.cli.app import make_app

GAMES = "1. Nf3 d5 2. g3 Nf6 3. Bg2 g6 4. O-O Bg7 *\n\n1. e4 e5 2. d4 exd4 *\n\n1. b3 e5 2. Bb2 Nc6 *\n"


def run(*words: str) -> str:
    result = CliRunner().invoke(make_app(), list(words), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["kibitz", *words])
        with pytest.raises(SystemExit) as leaving:
            main()
    assert leaving.value.code == 2
    said = capsys.readouterr().err
    assert len(said.strip().splitlines()) == 1
    return said


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    path.write_text(GAMES)
    return path


def test_metrics(games: Path, tmp_path: Path) -> None:
    shown = run("style", "metrics", str(games), "--rows", "2", "--output", str(tmp_path / "games.csv"))
    assert "3 games" in shown
    assert "closedness" in shown
    assert (tmp_path / "games.csv").read_text().count("\n") == 4
    data = json.loads(run("style", "metrics", str(games), str(games), "--json"))
    assert [row["fch"] for row in data["games"]] == [2, 0, 1, 2, 0, 1]
    assert data["summary"]["s"]["min"] <= data["summary"]["s"]["mean"]


def test_metrics_fit_a_terminal_of_80_columns(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    heading, first, *_ = run("style", "metrics", str(games)).splitlines()
    assert heading.split()[-2:] == ["S", "S2"]
    assert "…" not in heading + first
    assert len(first.split()[-1]) == len("0.123")


def test_report_and_norm(games: Path, tmp_path: Path) -> None:
    norm = tmp_path / "norm.json"
    assert "minmax of 3 games" in run("style", "norm", str(games), "--output", str(norm), "--source", "test")
    picture = tmp_path / "shift.svg"
    shown = run("style", "report", str(games), str(games), "--norm", str(norm), "--picture", str(picture))
    assert "style score" in shown
    assert picture.read_text().startswith("<svg")
    data = json.loads(run("style", "report", str(games), str(games), "--json"))
    assert data["metrics"]["s"]["shift"]["value"] == 0.0
    assert data["short"] == {"a": 3, "b": 3}


def test_selfplay(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    words = ["selfplay", "chess", "--games", "2", "--visits", "5", "-o", "plies=4", "--style", "strong"]
    assert "2 games, S " in run(*words, "-o", "openings=hypermodern", "--output", str(path))
    assert path.read_text().count("[StyleScore ") == 2


def test_errors_are_one_line(games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "no such file" in refused(capsys, "style", "metrics", str(tmp_path / "none.pgn")).lower()
    empty = tmp_path / "empty.pgn"
    empty.write_text("")
    assert "no game with moves" in refused(capsys, "style", "metrics", str(empty))
    assert "no style norm" in refused(capsys, "style", "metrics", str(games), "--norm", str(empty))
    assert "ends in" in refused(capsys, "style", "metrics", str(games), "--output", str(tmp_path / "a.xyz"))
    output = str(tmp_path / "out.pgn")
    assert "no style 'loud" in refused(capsys, "selfplay", "chess", "--style", "loud", "--output", output)
    assert "FILE.jsonl" in refused(capsys, "selfplay", "othello", "--output", output)
    missing = str(tmp_path / "none.pb.gz")
    assert "none.pb.gz" in refused(capsys, "selfplay", "chess", "--network", missing, "--output", output)
