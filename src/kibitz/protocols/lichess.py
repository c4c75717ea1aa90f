"""Lichess's external engine: the analysis board of lichess.org is answered by this machine.

The provider registers itself with a token of the user, then asks for work over and over. A job is a position
with limits; its answer is the engine's `info` lines, sent while the search runs. Closing the board ends it.

Threads: the caller's reads jobs; the search of a job has one of its own, as in `kibitz uci`.
"""

from __future__ import annotations

import http.client
import json
import secrets
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from queue import Queue
from typing import Any
from urllib.parse import quote, urlsplit

from kibitz.errors import ProtocolError
from kibitz.protocols.uci.loop import UciEngine

#: Where engines are registered, and where work comes from.
LICHESS, BROKER = "https://lichess.org", "https://engine.lichess.ovh"
#: A request for work is answered within so many seconds, with work or without.
_PATIENCE = 60.0
#: Seconds between tries while the server is away.
_PAUSES = (1.0, 2.0, 4.0, 8.0, 16.0, 30.0)


@dataclass
class Provider:
    """Offers an engine under a name and answers what is asked of it."""

    token: str
    name: str = "Kibitz"
    threads: int = 1
    hash_mb: int = 256
    lichess: str = LICHESS
    broker: str = BROKER
    say: Callable[[str], None] = print

    def __post_init__(self) -> None:
        self._secret = secrets.token_urlsafe(24)
        self._stopped = threading.Event()
        self._lines: Queue[str] = Queue()
        self._engine = UciEngine(self._lines.put)
        for option, value in (("Threads", self.threads), ("Hash", self.hash_mb), ("UCI_AnalyseMode", "true")):
            self._engine.handle(f"setoption name {option} value {value}")

    def register(self) -> str:
        """Makes the engine known to the user's account, in place of one of the same name; its id."""
        known = self._lichess("GET", "/api/external-engine")
        fields = {
            "name": self.name,
            "maxThreads": self.threads,
            "maxHash": self.hash_mb,
            "defaultDepth": 30,
            "variants": ["chess"],
            "providerSecret": self._secret,
        }
        old = next((engine["id"] for engine in known if engine.get("name") == self.name), None)
        if old is not None:
            return str(self._lichess("PUT", f"/api/external-engine/{quote(str(old))}", fields)["id"])
        return str(self._lichess("POST", "/api/external-engine", fields)["id"])

    def serve(self, jobs: int | None = None) -> None:
        """Answers work until `stop`, or so many jobs. A server that is away is asked again."""
        failures, done = 0, 0
        while not self._stopped.is_set() and (jobs is None or done < jobs):
            try:
                job = self._work()
                failures = 0
                if job is not None:
                    self._answer(job)
                    done += 1
            except (OSError, http.client.HTTPException) as error:
                pause = _PAUSES[min(failures, len(_PAUSES) - 1)]
                failures += 1
                self.say(f"{self.broker}: {error}; again in {pause:g} s")
                self._stopped.wait(pause)

    def stop(self) -> None:
        """Ends `serve` after the job under way; from any thread."""
        self._stopped.set()
        self._engine.handle("stop")

    # -- requests -----------------------------------------------------------------------------------

    def _lichess(self, method: str, path: str, fields: dict[str, Any] | None = None) -> Any:
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        connection = _connection(self.lichess)
        try:
            connection.request(method, path, None if fields is None else json.dumps(fields), headers)
            answer = connection.getresponse()
            body = answer.read()
        except OSError as error:
            raise ProtocolError(f"{self.lichess} does not answer: {error}") from None
        finally:
            connection.close()
        if answer.status == 401:
            raise ProtocolError(
                "Lichess does not accept the token; it needs the scopes engine:read and engine:write"
            )
        if answer.status >= 400:
            raise ProtocolError(
                f"{self.lichess}{path}: {answer.status} {body[:200].decode(errors='replace')}"
            )
        return json.loads(body)

    def _work(self) -> dict[str, Any] | None:
        connection = _connection(self.broker)
        try:
            body = json.dumps({"providerSecret": self._secret})
            headers = {"Content-Type": "application/json"}
            connection.request("POST", "/api/external-engine/work", body, headers)
            answer = connection.getresponse()
            data = answer.read()
        finally:
            connection.close()
        if answer.status == 204:
            return None
        if answer.status != 200:
            raise OSError(f"status {answer.status}")
        job = json.loads(data)
        return job if isinstance(job, dict) else None

    def _answer(self, job: dict[str, Any]) -> None:
        connection = _connection(self.broker)
        lines = self._searched(job["work"])
        try:
            path = f"/api/external-engine/work/{quote(str(job['id']))}"
            connection.request("POST", path, lines, {"Content-Type": "text/plain"}, encode_chunked=True)
            connection.getresponse().read()
        except (BrokenPipeError, ConnectionResetError):
            pass  # nobody looks at the board any more
        finally:
            self._engine.handle("stop")
            for _ in lines:  # until the search has said its move
                pass
            connection.close()

    def _searched(self, work: dict[str, Any]) -> Iterator[bytes]:
        """The lines of a search, the last one its move."""
        for option, value in (
            ("MultiPV", work.get("multiPv", 1)),
            ("Threads", work.get("threads", self.threads)),
        ):
            self._engine.handle(f"setoption name {option} value {int(value)}")
        moves = " ".join(map(str, work.get("moves", [])))
        self._engine.handle(f"position fen {work['initialFen']}" + (f" moves {moves}" if moves else ""))
        limits = [f"{name} {int(work[name])}" for name in ("movetime", "depth", "nodes") if work.get(name)]
        self._engine.handle(f"go {' '.join(limits) or 'infinite'}")
        while True:
            line = self._lines.get()
            if not line.startswith("info string"):
                yield f"{line}\n".encode()
            if line.startswith("bestmove"):
                return


def _connection(address: str) -> http.client.HTTPConnection:
    parts = urlsplit(address)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    return kind(parts.netloc, timeout=_PATIENCE)
