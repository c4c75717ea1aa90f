"""What a server is started with, and the limits on what its clients may ask."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kibitz.errors import BadOption
from kibitz.games import registry


@dataclass(frozen=True)
class Limits:
    """Limits for each client, and for all of them together; SECURITY.md lists them."""

    #: Bytes of a request's body, and of a message on a WebSocket.
    body: int = 4 * 2**20
    message: int = 2**20
    #: Requests a second from one address, over time and at once.
    rate: float = 200.0
    burst: int = 600
    #: TCP connections of all clients; WebSockets from one address, and of all clients.
    sockets: int = 4000
    connections: int = 200
    all_connections: int = 1000
    #: Analyses at once on one connection, and the longest one in seconds.
    analyses: int = 8
    analysis_seconds: float = 600.0
    #: Moves and moves of a line that a report tells, and seconds between two reports.
    top: int = 100
    line: int = 60
    every: float = 0.1
    #: Moves of a game that the page asks about.
    moves: int = 4000
    #: Letters of a message to a room; messages a second of one connection, over time and at once.
    room_message: int = 4096
    room_rate: float = 10.0
    room_burst: int = 40
    #: Connections to one room; rooms one address may open, a second and at once.
    room_connections: int = 500
    new_rooms: float = 0.5
    new_rooms_burst: int = 40
    #: Bytes of games that one address or browser may save, a second and at once.
    saved_bytes: float = 2.0**15
    saved_bytes_burst: int = 2**23


@dataclass(frozen=True)
class Settings:
    """How `create_app` builds the server."""

    host: str = "127.0.0.1"
    #: What clients must show; needed where others can reach the server.
    token: str = ""
    limits: Limits = field(default_factory=Limits)
    #: Requests that run at once, and cores they share; None leaves both to the pool.
    engines: int | None = None
    cores: int | None = None
    #: Where searches run: empty for this machine, `ray:ADDRESS` for a Ray cluster.
    cluster: str = ""
    #: Where games are kept, as SQLAlchemy names it; an SQLite file in the user's data folder without one.
    database: str = ""
    #: A folder of match logs and training runs to show, and folders of Syzygy tables, divided as in PATH.
    runs: Path | None = None
    syzygy: str = ""
    #: The human model of a game, for reviews: a best move that its players rarely find is brilliant.
    humans: Mapping[str, str] = field(default_factory=dict)
    #: Addresses or networks of proxies, whose X-Forwarded-For and X-Forwarded-Proto are believed.
    proxies: tuple[str, ...] = ()
    #: Port of this machine for Prometheus; None for none.
    metrics_port: int | None = None

    def __post_init__(self) -> None:
        for proxy in self.proxies:
            try:
                ipaddress.ip_network(proxy)
            except ValueError:
                raise BadOption(f"--proxy: {proxy!r} is no address and no network") from None
        if self.runs is not None and not self.runs.is_dir():
            raise BadOption(f"--runs: there is no folder {str(self.runs)!r}")
        for game in self.humans:
            if game not in registry.names():
                raise BadOption(f"--human: there is no game {game!r}, expected {', '.join(registry.names())}")
        if self.humans and self.cluster:
            raise BadOption("--human: engines of a cluster have no human model")
        if self.token and len(self.token) < 8:
            raise BadOption("--token needs at least 8 letters")
        if not is_loopback(self.host) and not self.token:
            raise BadOption(
                f"--host {self.host} lets others in, so it needs --token with a secret of your own"
            )


def is_loopback(host: str) -> bool:
    """Can only this machine reach a server that listens there?"""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
