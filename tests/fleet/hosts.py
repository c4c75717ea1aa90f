"""Hosts on one machine: network namespaces with addresses of their own, joined by a bridge in another one.

    >>> with hosts(3) as machines:                                                    # doctest: +SKIP
    ...     machines[0].run("ip", "address")

They share the machine's files, as hosts with a shared folder do, and nothing of its network.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass
class Host:
    """A namespace; `link` is its end of the cable, in the bridge's namespace."""

    name: str
    address: str
    switch: str
    link: str

    def command(self, *words: str) -> list[str]:
        return ["ip", "netns", "exec", self.name, *words]

    def run(self, *words: str, **options: Any) -> None:
        _run(*self.command(*words), **options)

    def start(self, *words: str, **options: Any) -> subprocess.Popen[Any]:
        return subprocess.Popen(self.command(*words), **options)

    def cut(self) -> None:
        """Pull the cable."""
        _run("ip", "-n", self.switch, "link", "set", self.link, "down")

    def join(self) -> None:
        """Put it back."""
        _run("ip", "-n", self.switch, "link", "set", self.link, "up")

    def kill(self) -> None:
        """End everything that runs there, as a power cut does."""
        while processes := self.processes():
            for process in processes:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)

    def words(self, process: int) -> bytes:
        """The command line of a process; empty when it has ended."""
        try:
            return Path(f"/proc/{process}/cmdline").read_bytes()
        except OSError:
            return b""

    def processes(self) -> list[int]:
        listed = subprocess.run(
            ["ip", "netns", "pids", self.name], capture_output=True, text=True, check=True
        )
        return [process for process in map(int, listed.stdout.split()) if not _is_zombie(process)]


def why_not() -> str:
    """Why there can be no hosts here; empty where there can."""
    if os.geteuid() != 0:
        return "network namespaces are made by root"
    try:
        with hosts(1) as (host,):
            host.run("true")
    except (OSError, subprocess.CalledProcessError) as error:
        detail = getattr(error, "stderr", None) or str(error)
        return f"network namespaces cannot be made here: {str(detail).strip()}"
    return ""


@contextlib.contextmanager
def hosts(count: int) -> Iterator[list[Host]]:
    """So many hosts, 10.77.0.1 and on, that reach each other and nothing else."""
    mark = secrets.token_hex(2)
    switch = f"kibitz-{mark}-switch"
    made: list[Host] = []
    try:
        _run("ip", "netns", "add", switch)
        _run("ip", "-n", switch, "link", "add", "bridge", "type", "bridge")
        _run("ip", "-n", switch, "link", "set", "bridge", "up")
        for number in range(1, count + 1):
            host = Host(f"kibitz-{mark}-{number}", f"10.77.0.{number}", switch, f"port{number}")
            _run("ip", "netns", "add", host.name)
            made.append(host)
            cable = ("type", "veth", "peer", "name", "eth0", "netns", host.name)
            _run("ip", "-n", switch, "link", "add", host.link, *cable)
            _run("ip", "-n", switch, "link", "set", host.link, "master", "bridge")
            host.join()
            _run("ip", "-n", host.name, "address", "add", f"{host.address}/24", "dev", "eth0")
            for device in ("lo", "eth0"):
                _run("ip", "-n", host.name, "link", "set", device, "up")
        yield made
    finally:
        for host in made:
            host.kill()
            _run("ip", "netns", "delete", host.name)
        subprocess.run(["ip", "netns", "delete", switch], capture_output=True, check=False)


def _is_zombie(process: int) -> bool:
    try:
        with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def _run(*words: str, **options: Any) -> None:
    subprocess.run(words, check=True, capture_output=True, text=True, **options)
