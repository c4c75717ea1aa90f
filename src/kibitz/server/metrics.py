"""Figures for Prometheus, as text on a port of their own that only this machine can reach.

>>> metrics = Metrics()
>>> metrics.note_request("GET", 200, 0.02)
>>> metrics.gauge("kibitz_rooms", "Rooms in use.", lambda: 3)
>>> print(metrics.text())  # doctest: +ELLIPSIS
# HELP kibitz_requests_total HTTP requests by method and status.
# TYPE kibitz_requests_total counter
kibitz_requests_total{method="GET",status="200"} 1
...
# TYPE kibitz_rooms gauge
kibitz_rooms 3
<BLANKLINE>
"""

from __future__ import annotations

import asyncio
import os
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

#: Upper ends of the histogram's buckets, in seconds.
_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"})
#: Seconds that a reader has for its request.
_PATIENCE = 5.0


class Metrics:
    """Counters and gauges of a server. Used by its event loop."""

    def __init__(self) -> None:
        self._requests: Counter[tuple[str, int]] = Counter()
        self._buckets = [0] * (len(_BUCKETS) + 1)
        self._seconds = 0.0
        self._gauges: list[tuple[str, str, Callable[[], float]]] = []
        self.gauge("process_resident_memory_bytes", "Memory of the process.", _memory)
        self.gauge("process_open_fds", "Open file descriptors.", _descriptors)

    def note_request(self, method: str, status: int, seconds: float) -> None:
        """A request was answered; `status` is 0 where it was not."""
        self._requests[method if method in _METHODS else "other", status] += 1
        self._buckets[bisect_left(_BUCKETS, seconds)] += 1
        self._seconds += seconds

    def gauge(self, name: str, help_text: str, value: Callable[[], float]) -> None:
        """A figure that is asked for when somebody reads."""
        self._gauges.append((name, help_text, value))

    def text(self) -> str:
        """All figures in Prometheus's text format."""
        lines = [
            "# HELP kibitz_requests_total HTTP requests by method and status.",
            "# TYPE kibitz_requests_total counter",
        ]
        for (method, status), count in sorted(self._requests.items()):
            lines.append(f'kibitz_requests_total{{method="{method}",status="{status}"}} {count}')
        lines += [
            "# HELP kibitz_request_seconds Time to answer an HTTP request.",
            "# TYPE kibitz_request_seconds histogram",
        ]
        so_far = 0
        for end, count in zip((*_BUCKETS, "+Inf"), self._buckets, strict=True):
            so_far += count
            lines.append(f'kibitz_request_seconds_bucket{{le="{end}"}} {so_far}')
        lines += [f"kibitz_request_seconds_sum {self._seconds:.6f}", f"kibitz_request_seconds_count {so_far}"]
        for name, help_text, value in self._gauges:
            lines += [f"# HELP {name} {help_text}", f"# TYPE {name} gauge", f"{name} {value():g}"]
        return "\n".join(lines) + "\n"


async def serve_metrics(metrics: Metrics, port: int) -> asyncio.Server:
    """Listens on a port of this machine; every request is answered with all figures."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), _PATIENCE)
            body = metrics.text().encode()
            head = (
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"
                f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
            )
            writer.write(head.encode() + body)
            await asyncio.wait_for(writer.drain(), _PATIENCE)
        writer.close()

    return await asyncio.start_server(answer, "127.0.0.1", port)


def _memory() -> float:
    with suppress(OSError, ValueError, IndexError, AttributeError):  # Linux only
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return float(pages * os.sysconf("SC_PAGE_SIZE"))
    return float("nan")


def _descriptors() -> float:
    with suppress(OSError):
        return float(len(os.listdir("/proc/self/fd")))
    return float("nan")
