"""What the page shows of runs under way, and where there is no cluster; test_remote_pool.py has one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from kibitz.request import Budget
from kibitz.server import cluster
from kibitz.server.app import create_app
from kibitz.server.settings import Settings
from kibitz.training.settings import SelfplaySettings
from kibitz.training.shard_run import Place, run_shards
from tests.server.conftest import ADDRESS

pytest.importorskip("pyarrow", reason="samples need pyarrow")


@pytest.fixture
def shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setattr(cluster, "_GOOD", 0.0)
    settings = Settings(database="sqlite://", runs=tmp_path)
    with TestClient(create_app(settings), base_url=ADDRESS) as client:
        yield client


def test_runs_under_way(shown: TestClient, tmp_path: Path) -> None:
    settings = SelfplaySettings("uttt", games=6, budget=Budget(visits=4), seed=1)
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "manifest.json").write_text("{", encoding="utf-8")
    run = run_shards(settings, tmp_path / "deep" / "run", place=Place(parallel=1), shard_games=2)
    assert next(run) == 0
    answer = shown.get("/api/cluster").json()
    assert (answer["configured"], answer["nodes"]) == (False, [])
    (row,) = answer["runs"]
    assert (row["name"], row["game"], row["games"], row["of"]) == ("deep/run", "uttt", 0, 6)
    done = [next(run), next(run), next(run)]
    assert done == [2, 4, 6]
    (row,) = shown.get("/api/cluster").json()["runs"]
    assert row["rate"] >= 0
    assert list(run) == []
    assert shown.get("/api/cluster").json()["runs"] == []  # nobody drives it any more
    assert str(tmp_path) not in str(answer)
