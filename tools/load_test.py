"""Page clients, spectators and analyses at once, and how long the answers of the server take.

    python -m tools.load_test                        50 spectators, 20 analyses, 5 minutes
    python -m tools.load_test --seconds 30 --json

It starts `kibitz serve` itself, on this machine, with a database in a temporary folder. Each spectator
watches a room where two engines play, and walks through the page as a browser does: all of its files, then
positions; now and then it opens the page anew, with what it has kept of it. Spectators come one after another
within some seconds. An answer is late after 300 ms; the command fails on any error, and when less than 95% of
the answers of a kind (page, api) are in time.
On Linux it tells, too, how long the thread that answers worked and how long it was ready but had no core: a
large second number means that other programs, or the server's own searches, had the cores.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin

import httpx2
from websockets.asyncio.client import connect

from kibitz.games import registry

#: 95% of answers within so many seconds.
IN_TIME = 0.3
GAMES = ("othello", "chess", "go", "uttt")
#: How a module names another.
_IMPORTED = re.compile(r'^(?:import|export)[^;]*?"(\./[\w./-]+\.js)"', re.MULTILINE)
#: Of a browser to one server.
_CONNECTIONS = 6


@dataclass
class Seen:
    """What the clients saw."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: list[str] = field(default_factory=list)
    reports: int = 0
    states: int = 0

    def all(self) -> list[float]:
        return [one for rows in self.seconds.values() for one in rows]


def scheduled(process: int) -> tuple[float, float] | None:
    """Seconds that the first thread of a process ran, and that it waited for a core (Linux)."""
    try:
        with open(f"/proc/{process}/task/{process}/schedstat", encoding="ascii") as file:
            ran, waited, _ = (int(word) for word in file.read().split())
    except (OSError, ValueError):
        return None
    return ran / 1e9, waited / 1e9


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


class Visitor:
    """One browser: it opens the page, plays about, and watches a room."""

    def __init__(self, http: httpx2.AsyncClient, seen: Seen, number: int) -> None:
        self._http, self._seen = http, seen
        self._dice = random.Random(number)
        self._tag = ""
        self._kept: set[str] = set()

    async def ask(self, kind: str, method: str, path: str, **more: Any) -> Any:
        begun = time.perf_counter()
        try:
            answer = await self._http.request(method, path, **more)
        except httpx2.HTTPError as error:
            self._seen.errors.append(f"{path}: {type(error).__name__} {error}")
            return None
        self._seen.seconds[kind].append(time.perf_counter() - begun)
        if answer.status_code >= 400:
            self._seen.errors.append(f"{path}: {answer.status_code} {answer.text[:200]}")
            return None
        return answer

    async def open_page(self) -> None:
        """The page, and what it names that is not kept yet."""
        page = await self.ask("page", "GET", "/", headers={"If-None-Match": self._tag} if self._tag else {})
        if page is not None and page.status_code == 200:
            self._tag = page.headers["etag"]
            wanted = re.findall(r'(?:href|src)="([^"]+\.(?:js|css|svg))"', page.text)
            while new := [path for path in wanted if path not in self._kept]:
                self._kept.update(new)
                files = await self._together(new)
                modules = [(path, text) for path, text in files.items() if path.endswith(".js")]
                wanted = [urljoin(path, name) for path, text in modules for name in _IMPORTED.findall(text)]
                wanted += [urljoin(path, "i18n/en.json") for path, _ in modules if path.endswith("/i18n.js")]
        await self.ask("api", "GET", "/api/games")

    async def _together(self, paths: list[str]) -> dict[str, str]:
        """Files, by as many connections as a browser has."""
        texts: dict[str, str] = {}
        waiting = list(dict.fromkeys(paths))

        async def connection() -> None:
            while waiting:
                path = waiting.pop()
                answer = await self.ask("page", "GET", path)
                texts[path] = "" if answer is None else answer.text

        await asyncio.gather(*(connection() for _ in range(_CONNECTIONS)))
        return texts

    async def walk(self, until: float, arrive: float) -> None:
        """The page, then positions: a move every second or so."""
        await asyncio.sleep(self._dice.uniform(0, arrive))
        while time.monotonic() < until:
            await self.open_page()
            game = self._dice.choice(GAMES)
            moves: list[str] = []
            for _ in range(self._dice.randrange(4, 16)):
                record = {"game": game, "moves": moves}
                answer = await self.ask("api", "POST", "/api/position", json={"record": record})
                if answer is None or not (legal := answer.json()["legalMoves"]) or time.monotonic() >= until:
                    break
                moves = [*moves, self._dice.choice(legal)]
                await asyncio.sleep(self._dice.uniform(0.5, 1.5))


async def watch(address: str, room: str, seen: Seen, until: float) -> None:
    """A spectator of a room."""
    async with connect(f"ws{address[4:]}/api/rooms/{room}", origin=address) as socket:  # type: ignore[arg-type]
        await socket.send(json.dumps({"type": "join"}))
        while (left := until - time.monotonic()) > 0:
            try:
                message = json.loads(await asyncio.wait_for(socket.recv(), left))
            except asyncio.TimeoutError:
                return
            seen.states += 1
            if message.get("type") == "error":
                seen.errors.append(f"room: {message['error']}")


async def analyze(address: str, number: int, seen: Seen, until: float) -> None:
    """One analysis after another, on a connection of its own."""
    game = GAMES[number % len(GAMES)]
    async with connect(f"ws{address[4:]}/api/analyses", origin=address, max_size=None) as socket:  # type: ignore[arg-type]
        while (left := until - time.monotonic()) > 0.5:
            budget = {"seconds": min(20.0, left)}
            position = {"game": game, "moves": list(registry.get(game).demo[:1])}
            request = {"position": position, "budget": budget}
            await socket.send(json.dumps({"type": "start", "id": "a", "request": request}))
            while True:
                message = json.loads(await socket.recv())
                if message["type"] == "report":
                    seen.reports += 1
                    continue
                if message["type"] == "error":
                    seen.errors.append(f"analysis: {message['error']}")
                break


async def rooms_of(http: httpx2.AsyncClient, count: int) -> list[str]:
    """Rooms where two engines play."""
    rooms = []
    for number in range(count):
        game = GAMES[number % len(GAMES)]
        sides = registry.get(game).position.side_names
        level = registry.get(game).levels[0].name
        wanted = {"new": {"game": game}, "engines": dict.fromkeys(sides, level)}
        answer = await http.post("/api/rooms", json=wanted)
        answer.raise_for_status()
        rooms.append(answer.json()["id"])
    return rooms


async def load(address: str, spectators: int, analyses: int, seconds: float, arrive: float) -> Seen:
    seen = Seen()
    limits = httpx2.Limits(max_connections=_CONNECTIONS * spectators, max_keepalive_connections=None)
    async with httpx2.AsyncClient(base_url=address, timeout=30.0, limits=limits) as http:
        rooms = await rooms_of(http, 5)
        until = time.monotonic() + seconds
        work = [Visitor(http, seen, number).walk(until, arrive) for number in range(spectators)]
        work += [watch(address, rooms[number % len(rooms)], seen, until) for number in range(spectators)]
        work += [analyze(address, number, seen, until) for number in range(analyses)]
        for result in await asyncio.gather(*work, return_exceptions=True):
            if isinstance(result, BaseException):
                seen.errors.append(f"{type(result).__name__}: {result}")
    return seen


def start_server(folder: str, cores: int | None) -> tuple[subprocess.Popen[str], str]:
    """`kibitz serve` as a process, and its address."""
    command = [sys.executable, "-c", "from kibitz.cli import main; main()", "serve", "--port", "0"]
    command += ["--database", f"sqlite:///{folder}/load.db", *(["--cores", str(cores)] if cores else [])]
    environment = {**os.environ, "KIBITZ_DATA": folder, "PYTHONUNBUFFERED": "1"}
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert server.stdout is not None
    line = server.stdout.readline()
    words = [word for word in line.split() if word.startswith("http://")]
    if not words:
        server.kill()
        raise SystemExit(f"the server did not start: {line!r}")
    return server, words[0]


def main() -> None:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--spectators", type=int, default=50)
    parser.add_argument("--analyses", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--arrive", type=float, default=10.0, help="seconds in which all spectators come")
    parser.add_argument("--cores", type=int, default=None, help="of the server's searches; all by default")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server, address = start_server(folder, given.cores)
        try:
            seen = asyncio.run(load(address, given.spectators, given.analyses, given.seconds, given.arrive))
            answering, asking = scheduled(server.pid), scheduled(os.getpid())
        finally:
            server.terminate()
            server.wait(20)
    every = seen.all()
    late = sum(one > IN_TIME for one in every)
    result: dict[str, Any] = {
        "spectators": given.spectators,
        "analyses": given.analyses,
        "seconds": given.seconds,
        "answers": len(every),
        "medianMs": round(1000 * statistics.median(every), 1) if every else None,
        "p95Ms": round(1000 * percentile(every, 0.95), 1),
        "p99Ms": round(1000 * percentile(every, 0.99), 1),
        "mostMs": round(1000 * max(every, default=0.0), 1),
        "late": late,
        "reports": seen.reports,
        "roomStates": seen.states,
        "errors": len(seen.errors),
    }
    for name, times in (("answering", answering), ("asking", asking)):
        if times is not None:
            result[name] = {"ran": round(times[0], 1), "waited": round(times[1], 1)}
    kinds = {kind: percentile(rows, 0.95) for kind, rows in seen.seconds.items()}
    for kind, within in kinds.items():
        result[kind] = {"answers": len(seen.seconds[kind]), "p95Ms": round(1000 * within, 1)}
    if given.json:
        print(json.dumps(result))
    else:
        for name, value in result.items():
            print(f"{name:12} {value}")
    for error in seen.errors[:20]:
        print(error, file=sys.stderr)
    if seen.errors or max(kinds.values(), default=0.0) > IN_TIME:
        sys.exit(1)


if __name__ == "__main__":
    main()
