"""Studies in the database: SQLite here, PostgreSQL where its server is installed."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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
    found = inspect(database.engine)
    for table in Base.metadata.tables.values():
        assert {column["name"] for column in found.get_columns(table.name)} == set(table.columns.keys())
    database.close()


# -- PostgreSQL ---------------------------------------------------------------------------------------


def _programs() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return found[-1].parent if found else None


def _as_other_user() -> dict[str, Any]:
    """PostgreSQL does not run as root."""
    if os.getuid():
        return {}
    user = pwd.getpwnam("postgres" if any(row.pw_name == "postgres" for row in pwd.getpwall()) else "nobody")
    return {"user": user.pw_uid, "group": user.pw_gid, "env": {**os.environ, "HOME": "/tmp"}}


@pytest.fixture
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    programs = _programs()
    if programs is None:
        pytest.skip("PostgreSQL's server is not installed (Debian: apt install postgresql)")
    pytest.importorskip("psycopg", reason="the extra `postgres` is not installed")
    folder = Path("/tmp") / f"kibitz-postgres-{os.getpid()}"
    folder.mkdir(mode=0o700)
    other = _as_other_user()
    if other:
        os.chown(folder, other["user"], other["group"])
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    data = folder / "data"
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "check": True, "cwd": "/tmp", **other}
    subprocess.run([programs / "initdb", "-D", data, "-A", "trust", "-U", "kibitz"], **quiet)
    start = [programs / "pg_ctl", "-D", data, "-o", f"-p {port} -h 127.0.0.1 -k {folder}", "-w", "start"]
    subprocess.run([*start, "-l", folder / "log"], **quiet)
    yield f"postgresql://kibitz@127.0.0.1:{port}/postgres"
    subprocess.run([programs / "pg_ctl", "-D", data, "-m", "immediate", "stop"], **quiet)
    shutil.rmtree(folder)


def test_postgresql_keeps_studies(postgres: str) -> None:
    with TestClient(create_app(Settings(database=postgres)), base_url=ADDRESS) as client:
        check_studies(client)
