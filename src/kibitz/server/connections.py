"""TCP connections: those without a request end, idle ones give way when there are too many, and running out
of file descriptors is logged once a minute."""

from __future__ import annotations

import asyncio
import errno
import logging
import time
from collections.abc import Callable
from typing import Any, ClassVar

from uvicorn.protocols.http.auto import AutoHTTPProtocol

#: Seconds within which a request must have come whole, its body too.
_PATIENCE = 30.0
#: File descriptors that are asked for; a part of them is for files.
MOST_DESCRIPTORS = 8192
_OUT = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
_MINUTE = 60.0

_log = logging.getLogger(__name__)


def most_sockets(wanted: int) -> int:
    """How many sockets the process may have of `wanted`; raises its limit of descriptors where it can."""
    try:
        import resource
    except ImportError:  # Windows
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MOST_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return min(wanted, most * 3 // 4)


class _Protocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """Uvicorn's, with a limit on the time without a request and on the number of connections."""

    #: Connections of the server.
    most: ClassVar[int]

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._patience: asyncio.TimerHandle | None = None
        self._made = time.monotonic()
        self._watch()
        if len(self.connections) > self.most:
            there = [one for one in self.connections if not one.transport.is_closing()]
            idle = [one for one in there if isinstance(one, _Protocol) and one._is_idle()]
            if len(there) > self.most:  # the new one is idle too
                min(idle, key=lambda one: one._made).transport.abort()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.transport.get_protocol() is self:  # not a WebSocket now
            self._watch()

    def handle_websocket_upgrade(self, *more: Any) -> None:
        self._rest()
        super().handle_websocket_upgrade(*more)

    def connection_lost(self, error: Exception | None) -> None:
        self._rest()
        super().connection_lost(error)

    def _is_idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _watch(self) -> None:
        """The time runs from the first byte of a request until it is whole."""
        if not self._is_idle() and not self.cycle.more_body:
            self._rest()
        elif self._patience is None:
            self._patience = self.loop.call_later(_PATIENCE, self._give_up)

    def _rest(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            self.transport.abort()


def http_protocol(most_connections: int) -> type[_Protocol]:
    """The protocol of a server with at most so many connections."""

    class Protocol(_Protocol):
        most = most_connections

    return Protocol


class AcceptErrors:
    """A handler of an event loop's errors. asyncio reports each connection that it cannot accept."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._next = -_MINUTE

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if not (isinstance(error, OSError) and error.errno in _OUT):
            loop.default_exception_handler(context)
        elif self._now() >= self._next:
            self._next = self._now() + _MINUTE
            _log.warning("connections cannot be accepted: %s", error)
