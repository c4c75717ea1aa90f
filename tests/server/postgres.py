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

__all__ = ["postgres"]


def _programs() -> Path | None:
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return versions[-1].parent if versions else None


def _as_other_user() -> dict[str, Any]:
    """PostgreSQL does not run as root."""
    if os.getuid():
        return {}
    user = pwd.getpwnam("postgres" if any(row.pw_name == "postgres" for row in pwd.getpwall()) else "nobody")
    return {"user": user.pw_uid, "group": user.pw_gid, "env": {**os.environ, "HOME": "/tmp"}}


@pytest.fixture(scope="session")
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
