"""Who drives a run: one process at a time, by a file of the run's store.

    >>> with Lease(store) as lease:                                                   # doctest: +SKIP
    ...     lease.check()               # raises where another driver has taken the run over

The driver changes the file every few seconds. Whoever wants the run and sees no change for `seconds` of its
own clock takes it over, under the next number; no two clocks are compared. A driver of the same machine that
is dead is known for it at once.

The lease saves work and is no more than that: a store says the same whoever wrote it
(training/samples/ledger.py), so a driver that was cut off and replaced without knowing it does no harm.

Threads: a lease is renewed by a thread of its own; the rest belongs to one thread.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import threading
import time
from pathlib import Path
from typing import Any

from kibitz.errors import BadOption, BadRequest
from kibitz.files.store import Store

#: Seconds without a sign of life after which a driver is taken for dead.
LEASE_SECONDS = 20.0

#: How the names of leases begin.
LEASE_NAME = "lease-"


class Lease:
    """The lease of a store, taken by `with`. With `wait` a driver that is alive is waited for, for as long as
    it lives; else it is an error."""

    def __init__(self, store: Store, *, wait: bool = False, seconds: float = LEASE_SECONDS) -> None:
        self._store = store
        self._wait = wait
        self._seconds = seconds
        self._name = ""
        self._beat = 0
        self._lost = threading.Event()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        #: How many drivers the run had before, this one not counted.
        self.term = 0

    def __enter__(self) -> Lease:
        while True:
            held = self._held()
            if held and not self._is_dead(held[-1]):
                continue
            term = int(held[-1].removeprefix(LEASE_NAME)) + 1 if held else 0
            name = f"{LEASE_NAME}{term:06d}"
            if self._store.create(name, self._content()):
                break
        self._name, self.term = name, term
        for older in held:
            self._store.remove(older)
        self._thread = threading.Thread(target=self._renew, daemon=True, name="kibitz-lease")
        self._thread.start()
        return self

    def check(self) -> None:
        """Raises BadRequest where another driver has the run."""
        if self._lost.is_set():
            raise BadRequest(f"{self._store.place}: another process has taken this run over")

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        if self._thread is not None:
            self._thread.join()
        if not self._lost.is_set():
            with contextlib.suppress(OSError):
                self._store.remove(self._name)

    # -- our own ----------------------------------------------------------------------------------

    def _renew(self) -> None:
        failed = 0
        while not self._ended.wait(self._seconds / 5):
            try:
                if self._held()[-1:] != [self._name]:
                    self._lost.set()
                    return
                self._beat += 1
                self._store.write(self._name, self._content())
                failed = 0
            except OSError:  # a store that cannot be reached: after so long somebody else may have the run
                failed += 1
                if failed >= 4:
                    self._lost.set()
                    return

    def _content(self) -> bytes:
        return json.dumps({**_myself(), "beat": self._beat}).encode()

    # -- another's --------------------------------------------------------------------------------

    def _held(self) -> list[str]:
        return [name for name in self._store.names() if name.startswith(LEASE_NAME)]

    def _is_dead(self, name: str) -> bool:
        """Whether the driver with this lease has ended; False where it has just given it back, too."""
        first = self._read(name)
        if first is None:
            return False
        alive = _is_alive(first)
        if alive is False:
            return True
        if alive and not self._wait:
            raise self._taken(first)
        until = time.monotonic() + self._seconds
        while time.monotonic() < until:
            time.sleep(min(0.5, self._seconds / 20))
            now = self._read(name)
            if now is None:
                return False
            if now != first:
                if not self._wait:
                    raise self._taken(now)
                first, until = now, time.monotonic() + self._seconds
            elif _is_alive(first) is False:
                return True
        return True

    def _taken(self, by: dict[str, Any]) -> BadOption:
        host = str(by.get("host")).partition("/")[0]
        return BadOption(
            f"{self._store.place}: another process writes there (process {by.get('process')} of {host})"
        )

    def _read(self, name: str) -> dict[str, Any] | None:
        try:
            value = json.loads(self._store.read(name))
        except FileNotFoundError:
            return None
        except ValueError:
            return {}
        return value if isinstance(value, dict) else {}


def _myself() -> dict[str, Any]:
    process = os.getpid()
    return {"host": _host(), "process": process, "began": _began(process)}


def _is_alive(holder: dict[str, Any]) -> bool | None:
    """Whether the process lives; None where that cannot be known from here."""
    if holder.get("host") != _host() or not isinstance(holder.get("process"), int):
        return None
    try:
        os.kill(holder["process"], 0)
    except ProcessLookupError:
        return False
    except OSError:
        return None
    return holder.get("began") == _began(holder["process"])


def _host() -> str:
    """This machine since it was started, and its table of processes (containers have their own)."""
    parts = [socket.gethostname()]
    with contextlib.suppress(OSError):
        parts.append(Path("/proc/sys/kernel/random/boot_id").read_text().strip())
        parts.append(str(os.stat("/proc/self/ns/pid").st_ino))
    return "/".join(parts)


def _began(process: int) -> str:
    """When a process was started, so that another one with its number is not taken for it; empty for one that
    has ended and whose parent did not ask for it yet (Linux)."""
    with contextlib.suppress(OSError, IndexError):
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return "" if fields[0] == "Z" else fields[19]
    return ""
