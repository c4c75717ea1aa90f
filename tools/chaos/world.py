"""What faults happen to: PostgreSQL, two servers on it in network namespaces, one server with SQLite.

The program runs in namespaces of its own (`unshare`): nothing outside of it is touched, and all ends with it.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tests.server.postgres import PostgresServer, programs
from tools.chaos.link import Link
from tools.chaos.players import Address

TOKEN = "a-secret-of-the-servers"
#: Seconds that a server may take to start: machines are busy, and a start reads networks.
_START = 600
#: Bytes of the disk that becomes full.
DISK = 24 * 2**20

Rows = list[tuple[str, int, str, str, str]]
_ROWS = "SELECT room_id, number, seat, kind, text FROM room_actions ORDER BY room_id, number"


def fake_time() -> Path | None:
    """libfaketime, for programs with threads."""
    found = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
    return found[0] if found else None


def missing() -> str:
    """Why faults cannot be made here; "" when they can."""
    if os.getuid():
        return "it needs to be root, for namespaces"
    for program in ("unshare", "nsenter", "ip", "cc", "mount"):
        if shutil.which(program) is None:
            return f"{program} is not installed"
    if not Path("/dev/net/tun").exists():
        return "there is no /dev/net/tun"
    if programs() is None:
        return "PostgreSQL's server is not installed"
    tried = subprocess.run(["unshare", "--net", "--mount", "--pid", "--fork", "true"], capture_output=True)
    return "" if tried.returncode == 0 else "namespaces cannot be made here"


class Namespace:
    """A network namespace, which a sleeping process holds, with a link for clients."""

    def __init__(self, number: int) -> None:
        self._holder = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
        while self._inode("self") == self._inode(str(self._holder.pid)):
            time.sleep(0.01)
        self.process = self._holder.pid
        self.enter = ["nsenter", f"--net=/proc/{self.process}/ns/net"]
        self.address = f"10.8.{number}.2"
        here, there = f"client{number}", f"server{number}"
        self._ip("link", "add", here, "type", "veth", "peer", "name", there, "netns", str(self.process))
        self._ip("address", "add", f"10.8.{number}.1/30", "dev", here)
        self._ip("link", "set", here, "up")
        for words in (
            ["address", "add", f"{self.address}/30", "dev", there],
            ["link", "set", there, "up"],
            ["link", "set", "lo", "up"],
        ):
            subprocess.run([*self.enter, "ip", *words], check=True)

    @staticmethod
    def _inode(process: str) -> str:
        return os.readlink(f"/proc/{process}/ns/net")

    @staticmethod
    def _ip(*words: str) -> None:
        subprocess.run(["ip", *words], check=True)


class Server:
    """`kibitz serve`, which can be killed and started again. Its clock is `clock` (libfaketime)."""

    def __init__(
        self,
        folder: Path,
        name: str,
        database: str,
        host: str,
        token: str = "",
        enter: list[str] | None = None,
    ) -> None:
        self._log = (folder / f"{name}.log").open("ab")
        self.clock = folder / f"{name}.time"
        self.set_clock(0)
        self._command = [*(enter or []), sys.executable, "-c", "from kibitz.cli import main; main()", "serve"]
        self._command += ["--host", host, "--port", "8000", "--cores", "1", "--database", database]
        self._command += ["--token", token] if token else []
        self.environment = {**os.environ, "PYTHONUNBUFFERED": "1", "KIBITZ_DATA": str(folder)}
        library = fake_time()
        if library is not None:
            self.environment |= {
                "LD_PRELOAD": str(library),
                "FAKETIME_TIMESTAMP_FILE": str(self.clock),
                "FAKETIME_NO_CACHE": "1",
                "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            }
        self.address = Address(f"{host}:8000", token)
        self._process: subprocess.Popen[str] | None = None
        #: Seconds of each start, and how long it worked: on a busy machine a start mostly waits.
        self.starts: list[tuple[float, float]] = []

    def set_clock(self, seconds: float) -> None:
        """How far the server's clock is off."""
        other = self.clock.with_suffix(".new")
        other.write_text(f"{seconds:+.0f}\n")
        other.replace(self.clock)

    async def start(self) -> None:
        begun = time.monotonic()
        self._process = subprocess.Popen(
            self._command, stdout=subprocess.PIPE, stderr=self._log, text=True, env=self.environment
        )
        assert self._process.stdout is not None
        line = await asyncio.wait_for(asyncio.to_thread(self._process.stdout.readline), _START)
        if not re.search(r"http://", line):
            raise SystemExit(f"a server did not start: {line!r}; {self._log.name} may say why")
        self.starts.append((time.monotonic() - begun, _worked(self._process.pid)))

    def kill(self) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()

    def tracebacks(self) -> int:
        return Path(self._log.name).read_text("utf-8", "replace").count("Traceback")


def _worked(process: int) -> float:
    """Seconds of processor time of a process (Linux)."""
    words = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


class World:
    """All of it. `solo` is the server with SQLite, on a disk of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
        found = programs()
        assert found is not None
        self._shim = self._compiled()
        self.disk_delay = folder / "delay"
        self.postgres = PostgresServer(found, self._made("postgres"), "0.0.0.0", "10.9.0.0/16", self._slow())
        self.postgres.start()
        self.links, self.servers = [], []
        for number in (1, 2):
            space = Namespace(number)
            link = Link(number, space.process)
            url = self.postgres.url.replace("127.0.0.1", link.here)
            self.links.append(link)
            self.servers.append(Server(folder, f"server{number}", url, space.address, TOKEN, space.enter))
        disk = self._made("disk")
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK}", "disk", str(disk)], check=True)
        self.disk = disk
        self.solo = Server(folder, "solo", f"sqlite:///{disk}/rooms.db", "127.0.0.1")

    def _made(self, name: str) -> Path:
        path = self.folder / name
        path.mkdir(mode=0o755)
        return path

    def _compiled(self) -> Path:
        source, made = Path(__file__).with_name("slow_disk.c"), self.folder / "slow_disk.so"
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", str(made), str(source), "-ldl"], check=True)
        made.chmod(0o755)
        return made

    def _slow(self) -> dict[str, str]:
        self.disk_delay.write_text("0")
        self.disk_delay.chmod(0o644)
        return {"LD_PRELOAD": str(self._shim), "KIBITZ_SLOW_DISK": str(self.disk_delay)}

    async def start(self) -> None:
        await asyncio.gather(*(server.start() for server in (*self.servers, self.solo)))

    def stop(self) -> None:
        """PostgreSQL ends with the namespace of processes."""
        for server in (*self.servers, self.solo):
            server.kill()
        subprocess.run(["umount", str(self.disk)], check=False)

    def rows(self) -> tuple[Rows, Rows]:
        """The actions of rooms in both databases, by their drivers."""
        import psycopg

        with psycopg.connect(self.postgres.url) as connection:
            shared: list[Any] = connection.execute(_ROWS).fetchall()
        # immutable would miss the write-ahead log; a reader of its own sees what is committed.
        alone = sqlite3.connect(f"file:{self.disk}/rooms.db?mode=ro", uri=True)
        try:
            own: list[Any] = alone.execute(_ROWS).fetchall()
        finally:
            alone.close()
        return shared, own
