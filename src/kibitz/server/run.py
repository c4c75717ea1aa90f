"""Runs the server: finds a port, says where it is, opens a browser, ends on Ctrl-C."""

from __future__ import annotations

import errno
import gc
import logging
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from dataclasses import replace

import uvicorn

from kibitz.engine import Engine
from kibitz.errors import BadOption
from kibitz.games import registry
from kibitz.server.app import create_app
from kibitz.server.connections import http_protocol, most_sockets
from kibitz.server.errors import first_line
from kibitz.server.settings import Settings, is_loopback
from kibitz.server.store.database import Database, default_url
from kibitz.server.tables import Tables

_log = logging.getLogger(__name__)

#: Ports that are tried when the usual one is taken.
_TRIES = 50


def listen(host: str, port: int | None) -> socket.socket:
    """A socket on the port, or on 8000 or the next free one."""
    first, tries = (8000, _TRIES) if port is None else (port, 1)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in range(first, first + tries):
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host.strip("[]"), number))
            # Bound is not enough: another server may have the port with SO_REUSEADDR.
            listening.listen()
            return listening
        except OSError as error:
            listening.close()
            if error.errno != errno.EADDRINUSE or number == first + tries - 1:
                raise BadOption(f"cannot listen on {host} port {number}: {error.strerror or error}") from None
    raise AssertionError("a port was found or the error raised")


#: Seconds until networks are read ahead of their first search. After a crash all players come back at once,
#: and their games go on first.
_WARM_UP_AFTER = 3.0


def _warm_up() -> None:
    """Reads the networks, evaluations and tables of searches, so that the first analysis does not wait for
    it."""
    for name in registry.names():
        info = registry.get(name)
        try:
            with Engine(name) as engine:
                engine.analyze(info.position().mover_view(), simulations=1)
        except Exception as error:  # whoever needs it next is told
            _log.warning("%s is not read ahead: %s", name, first_line(error))
    # What is there now stays, and need not be looked through again: that took 0.1 s each time.
    gc.collect()
    gc.freeze()


def serve(settings: Settings, port: int | None, open_browser: bool, tell: Callable[[str], None]) -> None:
    """Serves until Ctrl-C. `tell` is called with the address once the server answers."""
    if not settings.database:
        settings = replace(settings, database=default_url())
    # What is wrong with these is reported in one line, before anything listens.
    Database(settings.database).migrate()
    Tables(settings.syzygy).close()
    listening = listen(settings.host, port)
    shown = f"[{settings.host}]" if ":" in settings.host else settings.host
    address = f"http://{shown}:{listening.getsockname()[1]}"
    if settings.token:
        address += f"/?token={settings.token}"

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            tell(address)
            warm_up = threading.Timer(_WARM_UP_AFTER, _warm_up)
            warm_up.daemon = True
            warm_up.start()
            if open_browser and _has_browser():
                threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    try:
        Server(configuration(settings)).run(sockets=[listening])
    except KeyboardInterrupt:  # uvicorn raises it again after it has ended
        pass
    finally:
        listening.close()


def configuration(settings: Settings) -> uvicorn.Config:
    """How the app is served."""
    return uvicorn.Config(
        create_app(settings),
        log_level="warning",
        http=http_protocol(most_sockets(settings.limits.sockets)),
        # So many connections are accepted at once; where descriptors run out, so many attempts fail at once.
        backlog=128,
        ws_max_size=settings.limits.message,
        # Nothing is gained on one's own machine; each spectator's messages would be packed on the event loop.
        ws_per_message_deflate=not is_loopback(settings.host),
        timeout_graceful_shutdown=3,
        # A client that thinks for some seconds finds its connection open; the usual 5 s are a race with it.
        timeout_keep_alive=75,
        server_header=False,
        # Anybody may send these headers; uvicorn would believe this machine.
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
    )


def _has_browser() -> bool:
    if sys.platform in ("darwin", "win32"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
