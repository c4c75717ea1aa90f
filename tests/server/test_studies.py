"""Studies in the database: SQLite here, PostgreSQL where its server is installed."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import inspect

from kibitz.errors import BadOption
from kibitz.server.app import create_app
from kibitz.server.settings import Settings
from kibitz.server.store import Base, Database

ADDRESS = "http://127.0.0.1:8000"
STUDY = {"game": "chess", "title": "Réti 列蒂", "tree": {"root": {"children": [{"move": "g1f3"}]}}}


def check_studies(client: TestClient) -> str:
    made = client.post("/api/studies", json=STUDY)
    assert made.status_code == 201, made.text
    path = f"/api/studies/{made.json()['id']}"
    assert client.get(path).json()["tree"] == STUDY["tree"]
    changed = {**STUDY, "title": "another", "tree": {"root": {}}}
    assert client.put(path, json=changed).status_code == 200
    assert client.get(path).json()["title"] == "another"
    assert [row["title"] for row in client.get("/api/studies").json()] == ["another"]
    return path


def test_studies_are_kept_changed_listed_and_deleted(client: TestClient) -> None:
    path = check_studies(client)
    assert client.delete(path).json() is True
    assert client.delete(path).json() is False
    assert client.get(path).status_code == 404
    assert client.put(path, json=STUDY).status_code == 404


def test_wrong_studies_are_refused(client: TestClient) -> None:
    for wrong in ({"game": "ludo"}, {"title": ""}, {"tree": []}, {"more": 1}):
        assert client.post("/api/studies", json={**STUDY, **wrong}).status_code == 422
    large = {**STUDY, "tree": {"text": "x" * 2**20}}
    assert "at most" in client.post("/api/studies", json=large).json()["error"]


def test_file_outlives_the_server(tmp_path: Path) -> None:
    settings = Settings(database=f"sqlite:///{tmp_path / 'kept.db'}")
    with TestClient(create_app(settings), base_url=ADDRESS) as first:
        path = check_studies(first)
    with TestClient(create_app(settings), base_url=ADDRESS) as second:
        assert second.get(path).json()["title"] == "another"


def test_wrong_database_is_one_line(tmp_path: Path) -> None:
    for url in ("nonsense", "oracle9://x", f"sqlite:///{tmp_path}/no/such/folder/x.db"):
        with pytest.raises(BadOption, match="--database"):
            Database(url).migrate()


def test_migrations_make_the_tables_of_the_models() -> None:
    database = Database("sqlite://")
    database.migrate()
    database.migrate()  # again is nothing
    inspector = inspect(database.engine)
    for table in Base.metadata.tables.values():
        assert {column["name"] for column in inspector.get_columns(table.name)} == set(table.columns.keys())
    database.close()


def test_postgresql_keeps_studies(postgres: str) -> None:
    with TestClient(create_app(Settings(database=postgres)), base_url=ADDRESS) as client:
        check_studies(client)
