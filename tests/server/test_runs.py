"""Matches and training runs of a folder, over the API; nothing outside of the folder is shown."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from kibitz.arena import elo
from kibitz.arena.record import RESULTS, read_results
from kibitz.arena.summary import summarize
from kibitz.errors import BadOption
from kibitz.fleet.log import ResultLog
from kibitz.server import runs
from kibitz.server.app import create_app
from kibitz.server.settings import Settings
from tests.server.conftest import ADDRESS
from tests.server.run_logs import add_games, write_match, write_training

SPRT = {"elo0": 0.0, "elo1": 40.0, "alpha": 0.05, "beta": 0.05, "model": "logistic"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "runs"
    write_match(place / "uct-flat.jsonl", 40)
    write_match(place / "tests" / "test.jsonl", 80, sprt=SPRT)
    write_training(place / "go1", 400)
    write_match(tmp_path / "secret.jsonl", 4)
    (place / "link.jsonl").symlink_to(tmp_path / "secret.jsonl")
    (place / "other.jsonl").write_text('{"format": "something"}\n', encoding="utf-8")
    (place / "broken.jsonl").write_bytes(b"\xff\xfe no log")
    return place


@pytest.fixture
def shown(folder: Path, tmp_path: Path) -> Iterator[TestClient]:
    settings = Settings(database=f"sqlite:///{tmp_path / 'x.db'}", runs=folder)
    with TestClient(create_app(settings), base_url=ADDRESS) as client:
        yield client


def test_list_has_the_logs_and_nothing_else(shown: TestClient, folder: Path) -> None:
    answer = shown.get("/api/runs").json()
    kinds = {row["name"]: row["kind"] for row in answer["runs"]}
    assert kinds == {"uct-flat.jsonl": "match", "tests/test.jsonl": "match", "go1": "training"}
    assert answer["configured"] is True
    assert str(folder) not in str(answer)


def test_match_stands_as_its_summary_says(shown: TestClient, folder: Path) -> None:
    view = shown.get("/api/runs/match/uct-flat.jsonl").json()
    games = read_results(folder / "uct-flat.jsonl")[1]
    counts = [0] * 5
    for one, two in zip(games[::2], games[1::2], strict=True):
        counts[int(2 * (one.score + two.score))] += 1
    assert view["summary"]["pairs"] == counts
    estimate = elo.from_pairs(counts)
    assert view["summary"]["elo"]["value"] == pytest.approx(estimate.elo.value)
    assert view["elo"]["points"][-1] == [40.0, pytest.approx(estimate.elo.value)]
    assert view["score"]["points"][-1] == [40.0, pytest.approx(100 * estimate.score.value)]
    assert view["score"]["low"][-1] < view["score"]["points"][-1][1] < view["score"]["high"][-1]
    assert (view["alive"], view["of"], view["llr"]) == (True, 400, None)


def test_sequential_test_has_a_curve(shown: TestClient, folder: Path) -> None:
    view = shown.get("/api/runs/match/tests/test.jsonl").json()
    settings, games = read_results(folder / "tests" / "test.jsonl")
    expected = summarize(settings, games)
    assert expected.sprt is not None
    assert view["summary"]["sprt"]["llr"] == pytest.approx(expected.sprt.llr)
    assert view["llr"]["points"][-1][1] == pytest.approx(expected.sprt.llr)


def test_live_score_follows_the_log(shown: TestClient, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "_LOOK_AGAIN", -1.0)
    assert shown.get("/api/runs/match/uct-flat.jsonl").json()["summary"]["games"] == 40
    settings = read_results(folder / "uct-flat.jsonl")[0]
    log = ResultLog(folder / "uct-flat.jsonl", RESULTS, settings, resume=True)
    add_games(log, range(40, 60))
    log.close()
    view = shown.get("/api/runs/match/uct-flat.jsonl").json()
    assert (view["summary"]["games"], view["summary"]["stopped"]) == (60, "running")
    long_ago = 1_000_000_000
    os.utime(folder / "uct-flat.jsonl", (long_ago, long_ago))
    view = shown.get("/api/runs/match/uct-flat.jsonl").json()
    assert (view["alive"], view["summary"]["stopped"]) == (False, "interrupted")


def test_training_curves(shown: TestClient) -> None:
    view = shown.get("/api/runs/training/go1").json()
    assert (view["steps"], view["rate"]) == (400, 900.0)
    training = {one["name"]: one["points"] for one in view["training"]}
    assert training["total"][-1] == [400.0, 2.0]
    assert [one["name"] for one in view["held"]] == ["total"]


@pytest.mark.parametrize(
    "name",
    [
        "../secret.jsonl", "..%2fsecret.jsonl", "link.jsonl", "%2e%2e/secret.jsonl", "/etc/passwd",
        "other.jsonl", "tests/../../secret.jsonl", "go1", "broken.jsonl", "%00",
    ],
)  # fmt: skip
def test_nothing_outside_of_the_folder(shown: TestClient, name: str) -> None:
    answer = shown.get(f"/api/runs/match/{name}")
    assert answer.status_code in (404, 422)
    assert "uct" not in answer.text


def test_damaged_log_says_so(shown: TestClient, folder: Path) -> None:
    with (folder / "uct-flat.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"game": 1}\n{"game": 2}\n')
    answer = shown.get("/api/runs/match/uct-flat.jsonl")
    assert answer.status_code == 422
    assert "line" in answer.json()["error"]
    assert str(folder) not in answer.text


def test_without_a_folder(client: TestClient, tmp_path: Path) -> None:
    assert client.get("/api/runs").json() == {"configured": False, "runs": []}
    with pytest.raises(BadOption, match="--runs"):
        Settings(runs=tmp_path / "none")


def test_finished_match_is_not_live(shown: TestClient, folder: Path) -> None:
    """However new its log is: all its games are there, or the test is decided."""
    write_match(folder / "done.jsonl", 8, of=8)
    alive = {row["name"]: row["alive"] for row in shown.get("/api/runs").json()["runs"]}
    decided = shown.get("/api/runs/match/tests/test.jsonl").json()["summary"]["stopped"] == "sprt"
    assert decided
    assert alive == {"done.jsonl": False, "tests/test.jsonl": False, "uct-flat.jsonl": True, "go1": True}
