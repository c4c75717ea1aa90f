"""People who play on whatever happens, and remember what the server has acknowledged.

A move is acknowledged when whoever sent it is shown a game that has it. The oracle is the table of actions in
the database, read by its driver and not by Kibitz.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
import secrets
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx2
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from kibitz.games.junqi import layouts

#: Seconds that a person waits for an answer before connecting again.
PATIENCE = 4.0
#: Between two moves of a person.
PAUSE = 0.2
_FAILURES = (OSError, WebSocketException, asyncio.TimeoutError, httpx2.HTTPError)


@dataclass
class Address:
    """A server, as its clients see it."""

    host: str
    token: str = ""

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def room(self, name: str) -> connect:
        return connect(
            f"ws://{self.host}/api/rooms/{name}",
            additional_headers=self.headers,
            open_timeout=PATIENCE,
            close_timeout=0.2,
            max_size=None,
            proxy=None,
        )

    async def open_room(self, game: str, **more: Any) -> str:
        async with httpx2.AsyncClient(timeout=PATIENCE, trust_env=False) as http:
            wanted = {"new": {"game": game, **more}}
            made = await http.post(f"http://{self.host}/api/rooms", json=wanted, headers=self.headers)
        if made.status_code != 201:
            raise OSError(f"no room: {made.status_code} {made.text[:200]}")
        return str(made.json()["id"])


@dataclass
class Seen:
    """What all the people together saw that must not be."""

    faults: list[str] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    #: Secrets by their owner: (room, seat).
    secrets: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    messages: int = 0

    def check_secrets(self, text: str, room: str, seat: str, over: bool) -> None:
        """No seat's secret is in what another one is sent; layouts are open when the game is over."""
        self.messages += 1
        for owner, (token, hashed, layout) in self.secrets.items():
            if owner == (room, seat):
                continue
            hidden = [token, hashed, *([layout] if layout and not (over and owner[0] == room) else [])]
            if any(secret in text for secret in hidden):
                self.faults.append(f"room {room}: {seat} was sent a secret of {owner[1]}")


class Person:
    """Somebody at a seat of a room."""

    def __init__(self, servers: Sequence[Address], room: str, seat: str, layout: str, seen: Seen) -> None:
        self._servers, self._at = servers, 0
        self.room, self.seat, self._layout, self._seen = room, seat, layout, seen
        self._token = secrets.token_urlsafe(24)
        hashed = hashlib.sha256(self._token.encode()).hexdigest()
        seen.secrets[room, seat] = self._token, hashed, layout
        self._chance = random.Random(room + seat)
        self.sent: list[str] = []
        self.acknowledged: list[str] = []
        self._pending: tuple[str, int] | None = None
        self._name = ""
        self._longest: list[str] = []
        self.over = False

    async def play(self) -> None:
        """Plays until the game is over, at another server when one fails."""
        while not self.over:
            try:
                async with self._servers[self._at % len(self._servers)].room(self.room) as socket:
                    await self._talk(socket)
            except _FAILURES:
                pass
            self._at += 1
            self._pending = None  # whether it was kept is not known
            await asyncio.sleep(0.1)

    async def _talk(self, socket: ClientConnection) -> None:
        await _send(socket, "join", token=self._token)
        while not self.over:
            text = str(await asyncio.wait_for(socket.recv(), PATIENCE if self._pending else 3 * PATIENCE))
            message = json.loads(text)
            self._seen.check_secrets(text, self.room, self.seat, message.get("phase") == "over")
            if message["type"] == "error":
                self._seen.errors[message["error"]] += 1
                self._pending = None
                await asyncio.sleep(PAUSE)
                return  # come again, and look
            await self._answer(socket, message)

    async def _answer(self, socket: ClientConnection, state: dict[str, Any]) -> None:
        if state["you"] is None:
            await _send(socket, "sit", seat=self.seat, name=self.seat, token=self._token)
            return
        mine = next(one for one in state["seats"] if one["seat"] == self.seat)
        if state["phase"] == "set-up":
            if state["setsUp"] and not state["layout"]:
                await _send(socket, "layout", layout=self._layout)
            elif state["setsUp"] and not mine["ready"]:
                await _send(socket, "ready")
            return
        line = state["board"]["line"]
        if state["phase"] == "playing":  # Junqi's moves are shown with all pieces when the game is over
            self._check_line(line)
        if self._pending is not None and len(line) > self._pending[1]:
            # After a reconnection the move at that place may be one sent before, whose answer was lost.
            if _is_move(self._pending[0], self._name, line[self._pending[1]]):
                self.acknowledged.append(self._pending[0])
            self._pending = None
        self.over = state["phase"] == "over"
        if state["mover"] == self.seat and self._pending is None:
            await asyncio.sleep(PAUSE * self._chance.uniform(0.5, 1.5))
            move = self._chance.choice(state["board"]["legalMoves"])
            self._pending, self._name = (move, len(line)), state["board"]["moveNames"].get(move, move)
            self.sent.append(move)
            await _send(socket, "move", move=move)

    def _check_line(self, line: list[str]) -> None:
        """A game that was shown never gets shorter or another one."""
        if line[: len(self._longest)] != self._longest[: len(line)]:
            self._seen.faults.append(f"room {self.room}: another game than before was shown to {self.seat}")
        if len(line) > len(self._longest):
            self._longest = line

    def lost(self, kept: Sequence[str], count: int) -> int:
        """How many of the first `count` acknowledged moves are not among those that the database has of this
        seat, in order."""
        rest = iter(kept)
        lost = sum(move not in rest for move in self.acknowledged[:count])
        unknown = Counter(kept) - Counter(self.sent)
        if unknown:
            self._seen.faults.append(f"room {self.room}: {self.seat} never sent {dict(unknown)}")
        return lost


def _is_move(move: str, name: str, shown: str) -> bool:
    """Whether what a line shows is the move. Junqi's has how the attack ended: S11xN15+ for S11-N15."""
    return shown in (move, name) or (shown[:3], shown[4:7]) == (move[:3], move[4:7])


async def _send(socket: ClientConnection, kind: str, **more: str) -> None:
    await socket.send(json.dumps({"type": kind, **more}))


GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("othello", {}),
    ("junqi", {"players": 2}),
    ("uttt", {}),
    ("junqi", {"players": 2}),
    ("chess", {}),
)


class Crowd:
    """Rooms of two people each, at the servers of one database. A room whose game is over is followed by
    another."""

    def __init__(self, servers: Sequence[Address], rooms: int, seed: int) -> None:
        self._servers, self._rooms = servers, rooms
        self._chance = random.Random(seed)
        self.seen = Seen()
        self.people: list[Person] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._opened = 0

    async def start(self) -> None:
        for _ in range(self._rooms):
            self._tasks.append(asyncio.create_task(self._games()))

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def acknowledged(self) -> int:
        return sum(len(person.acknowledged) for person in self.people)

    async def moved(self, patience: float) -> float | None:
        """Seconds until every game under way has a new acknowledged move; None when one has none in time."""
        begun = time.monotonic()
        rooms: dict[str, list[Person]] = {}
        for person in self.people:
            if not person.over:
                rooms.setdefault(person.room, []).append(person)
        before = {room: sum(len(one.acknowledged) for one in both) for room, both in rooms.items()}
        while rooms:
            for room, both in list(rooms.items()):
                over = any(one.over for one in both)
                if over or sum(len(one.acknowledged) for one in both) > before[room]:
                    del rooms[room]
            if time.monotonic() - begun > patience:
                return None
            await asyncio.sleep(0.02)
        return time.monotonic() - begun

    async def _games(self) -> None:
        while True:
            game, more = GAMES[self._opened % len(GAMES)]
            self._opened += 1
            try:
                room = await self._chance.choice(self._servers).open_room(game, **more)
            except _FAILURES:
                await asyncio.sleep(0.3)
                continue
            sides = {"junqi": "SN", "uttt": ("x", "o"), "chess": ("white", "black")}.get(
                game, ("black", "white")
            )
            people = []
            for number, seat in enumerate(sides):
                servers = [*self._servers[number:], *self._servers[:number]]
                layout = layouts.random_layout(self._chance.randrange(2**30)) if game == "junqi" else ""
                people.append(Person(servers, room, seat, layout, self.seen))
            self.people += people
            await asyncio.gather(*(person.play() for person in people))

    def counts(self) -> list[int]:
        """How many moves of each person are acknowledged."""
        return [len(person.acknowledged) for person in self.people]

    def lost(self, actions: Sequence[tuple[str, int, str, str, str]], counts: Sequence[int]) -> int:
        """Acknowledged moves that are not in the database, whose rows are room, number, seat, kind, text. The
        counts are from before the rows were read: people play on."""
        moves: dict[tuple[str, str], list[str]] = {}
        numbers: dict[str, list[int]] = {}
        for room, number, seat, kind, text in actions:
            numbers.setdefault(room, []).append(number)
            if kind == "move":
                moves.setdefault((room, seat), []).append(text)
        for room, found in numbers.items():
            if found != list(range(1, len(found) + 1)):
                self.seen.faults.append(f"room {room}: its actions have the numbers {found}")
        people = zip(self.people, counts, strict=False)
        return sum(person.lost(moves.get((person.room, person.seat), []), count) for person, count in people)


class Probe:
    """Asks a server for something that must be written, until it is acknowledged."""

    def __init__(self, server: Address) -> None:
        self._server = server
        self._token = secrets.token_urlsafe(24)
        self._room, self._said = "", 0

    async def seconds(self, patience: float) -> float | None:
        """How long it took; None when it did not happen within the patience."""
        begun = time.monotonic()
        while time.monotonic() - begun < patience:
            try:
                await asyncio.wait_for(self._ask(), 2.5)
                return time.monotonic() - begun
            except _FAILURES:
                await asyncio.sleep(0.05)
        return None

    async def _ask(self) -> None:
        if not self._room or self._said > 300:
            self._room, self._said = await self._server.open_room("othello"), 0
        async with self._server.room(self._room) as socket:
            await _send(socket, "join", token=self._token)
            word = ""
            while True:
                state = json.loads(await socket.recv())
                if state["type"] == "error":
                    raise OSError(state["error"])
                if state["you"] is None:
                    await _send(socket, "sit", seat="black", name="probe", token=self._token)
                elif not word:
                    self._said += 1
                    word = secrets.token_hex(4)
                    await _send(socket, "say", text=word)
                elif any(one["text"] == word for one in state["talk"]):
                    return
