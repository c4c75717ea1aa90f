"""A PostgreSQL server of Debian's package, for the tests that need one."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.processes import alive, children

__all__ = ["PostgresServer", "postgres", "postgres_server", "programs"]


def programs() -> Path | None:
    """The folder of PostgreSQL's programs."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return versions[-1].parent if versions else None


def _as_other_user() -> dict[str, Any]:
    """PostgreSQL does not run as root."""
    if os.getuid():
        return {}
    user = pwd.getpwnam("postgres" if any(row.pw_name == "postgres" for row in pwd.getpwall()) else "nobody")
    return {"user": user.pw_uid, "group": user.pw_gid, "env": {**os.environ, "HOME": "/tmp"}}


class PostgresServer:
    """A server in a folder of its own; tests may stop it and start it again. `trusted` is a network that may
    connect to it beside this machine."""

    def __init__(
        self,
        programs: Path,
        folder: Path,
        host: str = "127.0.0.1",
        trusted: str = "",
        environment: dict[str, str] | None = None,
    ) -> None:
        other = _as_other_user()
        if other:
            os.chown(folder, other["user"], other["group"])
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self._quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "check": True, "cwd": "/tmp", **other}
        data = folder / "data"
        subprocess.run([programs / "initdb", "-D", data, "-A", "trust", "-U", "kibitz"], **self._quiet)
        if trusted:
            with (data / "pg_hba.conf").open("a", encoding="ascii") as file:
                file.write(f"host all all {trusted} trust\n")
        self._quiet["env"] = {**self._quiet.get("env", os.environ), **(environment or {})}
        self._control: list[str | Path] = [programs / "pg_ctl", "-D", data]
        self._listen: list[str | Path] = ["-o", f"-p {port} -h {host} -k {folder}", "-l", folder / "log"]
        self._named = data / "postmaster.pid"
        self.url = f"postgresql://kibitz@127.0.0.1:{port}/postgres"

    def start(self) -> None:
        subprocess.run([*self._control, *self._listen, "-w", "start"], **self._quiet)

    def stop(self) -> None:
        subprocess.run([*self._control, "-m", "immediate", "-w", "stop"], **self._quiet)

    def kill(self) -> None:
        """kill -9 of every process of it."""
        first = int(self._named.read_text(encoding="ascii").split()[0])
        os.kill(first, signal.SIGSTOP)  # it starts no other one meanwhile
        every = [first, *children(first)]
        for process in every:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        while any(map(alive, every)):
            time.sleep(0.01)
        for process in every:
            with suppress(ChildProcessError):  # ours where this is the first process of a namespace
                os.waitpid(process, 0)


@pytest.fixture(scope="session")
def postgres(postgres_server: PostgresServer) -> str:
    return postgres_server.url


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    found = programs()
    if found is None:
        pytest.skip("PostgreSQL's server is not installed (Debian: apt install postgresql)")
    pytest.importorskip("psycopg", reason="the extra `postgres` is not installed")
    folder = Path("/tmp") / f"kibitz-postgres-{os.getpid()}"
    folder.mkdir(mode=0o700)
    server = PostgresServer(found, folder)
    server.start()
    yield server
    server.stop()
    shutil.rmtree(folder)
