"""Real servers: `kibitz serve` in processes of their own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from contextlib import ExitStack
from typing import Any

import httpx2 as httpx
from websockets.sync.client import connect

from tests.server.players import Player

__all__ = ["Server"]

#: A loaded machine may take long to start a process, and to answer.
PATIENCE = 120


class Server:
    """A server with a database; it ends with the block it is made in."""

    def __init__(self, database: str, stderr: Any = None, descriptors: int = 0, port: int = 0) -> None:
        command = [sys.executable, "-c", "from kibitz.cli import main; main()", "serve", "--port", str(port)]
        command += ["--cores", "1", "--database", database]
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        if descriptors:
            command = ["prlimit", f"--nofile={descriptors}:{descriptors}", *command]
        self._process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=stderr, text=True, env=environment
        )
        assert self._process.stdout is not None
        address = re.search(r"http://(127\.0\.0\.1:\d+)", self._process.stdout.readline())
        assert address
        self.address = address[1]
        self._sockets = ExitStack()
        self.client = httpx.Client(base_url=f"http://{self.address}", timeout=PATIENCE)

    def kill(self) -> None:
        """As the kernel does, without a word."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def player(self, room: str, token: str = "") -> Player:
        """Somebody in a room of this server."""
        address = f"ws://{self.address}/api/rooms/{room}"
        socket = self._sockets.enter_context(connect(address, open_timeout=PATIENCE, close_timeout=1))
        player = Player(socket.send, lambda: str(socket.recv(PATIENCE)), token)
        player.say("join", **({"token": token} if token else {}))
        player.hear()
        return player

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: Any) -> None:
        self.client.close()
        if self._process.poll() is None:
            self.kill()
        self._sockets.close()
        assert self._process.stdout is not None
        self._process.stdout.close()
