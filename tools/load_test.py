"""Players, spectators, page clients and analyses at once, and how long the answers of the server take.

    python -m tools.load_test                        50 spectators, 20 analyses, 5 minutes
    python -m tools.load_test --rooms 200 --spectators 500 --analyses 40 --seconds 600 --json

It starts `kibitz serve` itself, on this machine, with a database in a temporary folder. In each room somebody
plays the engine, with clocks. Each spectator watches a room. Visitors walk through the page as browsers do,
and now and then open it anew, with what they have kept of it. All come within some seconds, from several
addresses of this machine, since quotas are by address. A move is late when it is not acknowledged within
100 ms, another answer after 300 ms; the command fails on any error, when an engine loses on time, and when
less than 95% of a kind (move, page, api) are in time.
On Linux it reports the memory of the server, and how long the thread that answers worked and how long it was
ready but had no core: a large second number means that other programs, or its own searches, had the cores.
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

#: 95% of answers within so many seconds, and of moves.
IN_TIME, MOVE_IN_TIME = 0.3, 0.1
#: Addresses of this machine that clients come from.
_ADDRESSES = 20
GAMES = ("othello", "chess", "go", "uttt")
#: How a module names another.
_IMPORTED = re.compile(r'^(?:import|export)[^;]*?"(\./[\w./-]+\.js)"', re.MULTILINE)
#: Of a browser to one server.
_CONNECTIONS = 6
#: The room in which each player plays at the moment.
rooms_open: dict[int, str] = {}


@dataclass
class Seen:
    """What the clients saw."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: list[str] = field(default_factory=list)
    reports: int = 0
    states: int = 0
    games: int = 0
    #: Seconds since the start, and MB of the server.
    memory: list[tuple[float, float]] = field(default_factory=list)

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


def _socket(address: str, path: str, number: int) -> connect:
    """A connection of client `number`, from one of the addresses of this machine."""
    local = f"127.0.0.{2 + number % _ADDRESSES}", 0
    origin: Any = address
    return connect(
        f"ws{address[4:]}/api/{path}", origin=origin, local_addr=local, max_size=None, open_timeout=60
    )


async def play(address: str, room: str, number: int, seen: Seen, until: float, think: float) -> None:
    """Somebody who plays the engine of a room at random; how long moves take to be acknowledged."""
    chance = random.Random(number)
    secret = f"{number:030}"
    sent, length = 0.0, 0
    async with _socket(address, f"rooms/{room}", number) as socket:
        await socket.send(json.dumps({"type": "join", "token": secret}))
        while (left := until - time.monotonic()) > 0:
            try:
                state = json.loads(await asyncio.wait_for(socket.recv(), left))
            except asyncio.TimeoutError:
                return
            if state["type"] == "error":
                seen.errors.append(f"player: {state['error']}")
                return
            if state["you"] is None:
                empty = next(seat["seat"] for seat in state["seats"] if not seat["taken"])
                await socket.send(json.dumps({"type": "sit", "seat": empty, "name": "me", "token": secret}))
                continue
            line = (state["board"] or {}).get("line", ())
            if sent and len(line) > length:
                seen.seconds["move"].append(time.perf_counter() - sent)
                sent = 0.0
            if state["phase"] == "over":
                seen.games += 1
                if "time" in str(state["ending"]):
                    seen.errors.append(f"room {room}: {state['ending']}")
                return
            if not sent and state["mover"] == state["you"]:
                await asyncio.sleep(chance.uniform(0.5, 1.5) * think)
                length, sent = len(line), time.perf_counter()
                await socket.send(
                    json.dumps({"type": "move", "move": chance.choice(state["board"]["legalMoves"])})
                )


async def keep_playing(
    address: str, number: int, seen: Seen, until: float, arrive: float, think: float
) -> None:
    """One game after another."""
    await asyncio.sleep(random.Random(number).uniform(0, arrive))
    while until - time.monotonic() > 1:
        room = await open_room(address, number)
        rooms_open[number] = room
        await play(address, room, number, seen, until, think)


async def watch(address: str, number: int, rooms: int, seen: Seen, until: float) -> None:
    """A spectator of one room after another."""
    await asyncio.sleep(random.Random(number).uniform(1, 5))
    while until - time.monotonic() > 1:
        room = rooms_open.get(number % rooms)
        if room is None:
            await asyncio.sleep(0.5)
            continue
        await _watch(address, room, number, seen, until)


async def _watch(address: str, room: str, number: int, seen: Seen, until: float) -> None:
    """A spectator of a room."""
    async with _socket(address, f"rooms/{room}", number) as socket:
        await socket.send(json.dumps({"type": "join"}))
        while (left := until - time.monotonic()) > 0:
            try:
                message = json.loads(await asyncio.wait_for(socket.recv(), left))
            except asyncio.TimeoutError:
                return
            seen.states += 1
            if message.get("type") == "error":
                seen.errors.append(f"room: {message['error']}")
            if message.get("phase") == "over":
                return


async def analyze(address: str, number: int, seen: Seen, until: float) -> None:
    """One analysis after another, on a connection of its own."""
    game = GAMES[number % len(GAMES)]
    async with _socket(address, "analyses", number) as socket:
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


async def open_room(address: str, number: int) -> str:
    """A room in which an engine with a clock waits for somebody."""
    game = GAMES[number % len(GAMES)]
    info = registry.get(game)
    engines = {info.position.side_names[number // len(GAMES) % 2]: info.levels[0].name}
    wanted = {"new": {"game": game}, "engines": engines, "clock": {"seconds": 300, "increment": 5}}
    local = f"127.0.0.{2 + number % _ADDRESSES}"
    transport = httpx2.AsyncHTTPTransport(local_address=local)
    async with httpx2.AsyncClient(base_url=address, timeout=60.0, transport=transport) as http:
        answer = await http.post("/api/rooms", json=wanted)
        answer.raise_for_status()
        return str(answer.json()["id"])


def megabytes(process: int) -> float | None:
    """The memory of a process (Linux)."""
    try:
        with open(f"/proc/{process}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    except (OSError, ValueError):
        return None


async def weigh(process: int, seen: Seen, until: float) -> None:
    """The memory of the server, every two seconds."""
    begun = time.monotonic()
    while time.monotonic() < until:
        if (size := megabytes(process)) is not None:
            seen.memory.append((time.monotonic() - begun, size))
        await asyncio.sleep(2)


def growth(memory: list[tuple[float, float]]) -> float | None:
    """MB a minute over the last four fifths, by least squares."""
    late = [row for row in memory if row[0] > memory[-1][0] / 5] if memory else []
    if len(late) < 3:
        return None
    middle, mean = statistics.fmean(row[0] for row in late), statistics.fmean(row[1] for row in late)
    spread = sum((at - middle) ** 2 for at, _ in late)
    return 60 * sum((at - middle) * (size - mean) for at, size in late) / spread


async def load(address: str, process: int, given: argparse.Namespace) -> Seen:
    seen = Seen()
    limits = httpx2.Limits(
        max_connections=_CONNECTIONS * max(1, given.visitors), max_keepalive_connections=None
    )
    async with httpx2.AsyncClient(base_url=address, timeout=30.0, limits=limits) as http:
        until = time.monotonic() + given.seconds
        work = [Visitor(http, seen, number).walk(until, given.arrive) for number in range(given.visitors)]
        work += [
            keep_playing(address, number, seen, until, given.arrive, given.think)
            for number in range(given.rooms)
        ]
        work += [watch(address, number, given.rooms, seen, until) for number in range(given.spectators)]
        work += [analyze(address, number, seen, until) for number in range(given.analyses)]
        work.append(weigh(process, seen, until))
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
    parser.add_argument("--rooms", type=int, default=5, help="rooms where somebody plays an engine")
    parser.add_argument("--think", type=float, default=5.0, help="seconds that people think about a move")
    parser.add_argument("--spectators", type=int, default=50)
    parser.add_argument("--visitors", type=int, default=50, help="browsers that walk through the page")
    parser.add_argument("--analyses", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--arrive", type=float, default=10.0, help="seconds in which all spectators come")
    parser.add_argument("--cores", type=int, default=None, help="of the server's searches; all by default")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server, address = start_server(folder, given.cores)
        try:
            seen = asyncio.run(load(address, server.pid, given))
            answering, asking = scheduled(server.pid), scheduled(os.getpid())
        finally:
            server.terminate()
            server.wait(20)
    every = seen.all()
    late = sum(one > IN_TIME for one in every)
    result: dict[str, Any] = {
        "rooms": given.rooms,
        "spectators": given.spectators,
        "visitors": given.visitors,
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
        "games": seen.games,
        "errors": len(seen.errors),
    }
    if seen.memory:
        slope = growth(seen.memory)
        ends = {"first": round(seen.memory[0][1]), "last": round(seen.memory[-1][1])}
        result["memoryMB"] = {**ends, "aMinute": None if slope is None else round(slope, 2)}
    for name, times in (("answering", answering), ("asking", asking)):
        if times is not None:
            result[name] = {"ran": round(times[0], 1), "waited": round(times[1], 1)}
    kinds = {kind: percentile(rows, 0.95) for kind, rows in seen.seconds.items()}
    for kind, within in kinds.items():
        result[kind] = {"answers": len(seen.seconds[kind]), "p95Ms": round(1000 * within, 1)}
    moves = seen.seconds["move"]
    if moves:
        result["move"]["inTime"] = round(sum(one <= MOVE_IN_TIME for one in moves) / len(moves), 4)
    if given.json:
        print(json.dumps(result))
    else:
        for name, value in result.items():
            print(f"{name:12} {value}")
    for error in seen.errors[:20]:
        print(error, file=sys.stderr)
    slow = any(within > (MOVE_IN_TIME if kind == "move" else IN_TIME) for kind, within in kinds.items())
    if seen.errors or slow:
        sys.exit(1)


if __name__ == "__main__":
    main()
