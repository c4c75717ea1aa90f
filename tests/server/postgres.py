"""A PostgreSQL server of Debian's package, for the tests that need one."""

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

__all__ = ["PostgresServer", "postgres", "postgres_server"]


def _programs() -> Path | None:
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return versions[-1].parent if versions else None


def _as_other_user() -> dict[str, Any]:
    """PostgreSQL does not run as root."""
    if os.getuid():
        return {}
    user = pwd.getpwnam("postgres" if any(row.pw_name == "postgres" for row in pwd.getpwall()) else "nobody")
    return {"user": user.pw_uid, "group": user.pw_gid, "env": {**os.environ, "HOME": "/tmp"}}


class PostgresServer:
    """A server in a folder of its own; tests may stop it and start it again."""

    def __init__(self, programs: Path, folder: Path) -> None:
        other = _as_other_user()
        if other:
            os.chown(folder, other["user"], other["group"])
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self._quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "check": True, "cwd": "/tmp", **other}
        data = folder / "data"
        subprocess.run([programs / "initdb", "-D", data, "-A", "trust", "-U", "kibitz"], **self._quiet)
        self._control = [programs / "pg_ctl", "-D", data]
        self._listen = ["-o", f"-p {port} -h 127.0.0.1 -k {folder}", "-l", folder / "log"]
        self.url = f"postgresql://kibitz@127.0.0.1:{port}/postgres"

    def start(self) -> None:
        subprocess.run([*self._control, *self._listen, "-w", "start"], **self._quiet)

    def stop(self) -> None:
        subprocess.run([*self._control, "-m", "immediate", "-w", "stop"], **self._quiet)


@pytest.fixture(scope="session")
def postgres(postgres_server: PostgresServer) -> str:
    return postgres_server.url


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    programs = _programs()
    if programs is None:
        pytest.skip("PostgreSQL's server is not installed (Debian: apt install postgresql)")
    pytest.importorskip("psycopg", reason="the extra `postgres` is not installed")
    folder = Path("/tmp") / f"kibitz-postgres-{os.getpid()}"
    folder.mkdir(mode=0o700)
    server = PostgresServer(programs, folder)
    server.start()
    yield server
    server.stop()
    shutil.rmtree(folder)
