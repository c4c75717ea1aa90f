"""Games of Junqi in pairs: the hidden pieces exchanged in a way that nobody at a seat could have noticed (the
same things happened). Whatever the seat is sent, answered or advised must be the same in both.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from kibitz import explanation
from kibitz.engine import Engine
from kibitz.errors import KibitzError
from kibitz.games import registry
from kibitz.games.junqi import Position, layouts
from kibitz.games.junqi.beliefs import believe
from kibitz.games.junqi.table import Table
from kibitz.games.page_facts import Look
from kibitz.json_form import encode
from kibitz.request import Budget
from kibitz.review.effort import Effort
from kibitz.review.examine import Examination
from kibitz.review.records import record_of
from kibitz.server.rooms.client import Client
from kibitz.server.rooms.hub import Hub
from kibitz.server.rooms.live import LiveRoom
from kibitz.server.rooms.settings import Clock, RoomSettings
from kibitz.server.settings import Limits
from kibitz.server.store.database import Database

__all__ = ["SecretGame", "advice", "secret_games", "sent_in_room"]

#: Who says what: a seat and a message.
Script = list[tuple[str, dict[str, Any]]]
TOKENS = {seat: seat * 30 for seat in "SENW"}


# -- games -------------------------------------------------------------------------------------------


def deed_of(table: Table, seat: str, message: dict[str, Any]) -> None:
    """What a message does at a table."""
    kind = message["type"]
    if kind == "move":
        table.play(seat, message["move"])
    elif kind == "undo":
        table.ask_undo(seat)
    elif kind == "draw":
        table.offer_draw(seat)
    elif kind == "resign":
        table.resign(seat)
    elif kind in ("accept", "decline"):
        table.answer(seat, kind == "accept")


def seen(setups: Sequence[str], script: Script, seat: str) -> list[object] | None:
    """What happened after each step of a script, as the seat may know it; None when the pieces cannot do it,
    or when the game ends and everything is open."""
    table = Table(len(setups), now=lambda: 0.0)
    for name, setup in zip(table.seats, setups, strict=True):
        table.set_up(name, setup)
        table.ready(name)
    out: list[object] = []
    for name, message in script:
        refused = message.get("refused", False)
        try:
            deed_of(table, name, message)
        except KibitzError:
            if not refused:
                return None
        else:
            if refused:
                return None
        if table.phase == "over":
            return None
        out.append((table.view(seat).notation, table.spectator().notation, table.offer))
    return out


def random_step(table: Table, seat: str, chance: random.Random) -> tuple[str, dict[str, Any]]:
    """Something that somebody does; at the recorded seat also what it may not do."""
    mover = table.mover
    assert mover is not None
    if table.offer is not None:
        waiting = [one for one in table.seats if table.in_game(one) and one not in table.offer.agreed]
        answer = "decline" if table.offer.kind == "draw" or chance.random() < 0.3 else "accept"
        return chance.choice(waiting), {"type": answer}
    luck = chance.random()
    if luck < 0.15:
        nodes = [node for node, *_ in table.view(seat).state.standing()]
        move = f"{chance.choice(nodes)}-{chance.choice(nodes)}"
        if move not in table.view(seat).legal_moves:
            return seat, {"type": "move", "move": move, "refused": True}
    if luck < 0.18:
        return seat, {"type": chance.choice(["accept", "decline"]), "refused": True}
    if luck < 0.22 and table.in_game(seat):
        return chance.choice([one for one in table.seats if table.in_game(one)]), {
            "type": chance.choice(["draw", "undo"])
        }
    if luck < 0.225 and len(table.seats) == 4:
        return chance.choice([one for one in table.seats if table.in_game(one)]), {"type": "resign"}
    moves = table.view(mover).legal_moves
    taken = {node for node, *_ in table.view(mover).state.standing()}
    attacks = [move for move in moves if move[4:7] in taken]
    return mover, {
        "type": "move",
        "move": chance.choice(attacks if attacks and chance.random() < 0.4 else moves),
    }


def random_script(
    setups: Sequence[str], seat: str, steps: int, chance: random.Random
) -> tuple[Script, Position]:
    """A game that is not over, and its position."""
    table = Table(len(setups), now=lambda: 0.0)
    for name, setup in zip(table.seats, setups, strict=True):
        table.set_up(name, setup)
        table.ready(name)
    script: Script = []
    for _ in range(steps):
        who, message = random_step(table, seat, chance)
        try:
            deed_of(table, who, message)
        except KibitzError:
            message = {**message, "refused": True}
            if who != seat:
                continue  # what others are refused is told to them alone
        script.append((who, message))
        if table.phase == "over":
            script.pop()
            break
    *_, last = _positions(setups, script)
    return script, last


def _positions(setups: Sequence[str], script: Script) -> list[Position]:
    table = Table(len(setups), now=lambda: 0.0)
    for name, setup in zip(table.seats, setups, strict=True):
        table.set_up(name, setup)
        table.ready(name)
    for who, message in script:
        if not message.get("refused"):
            deed_of(table, who, message)
    assert table._game is not None
    return [*table._game.backwards()][::-1]


def exchanged(
    setups: Sequence[str], script: Script, position: Position, seat: str, seed: int
) -> Sequence[str] | None:
    """Other set-ups in which the same happens, as far as the seat can tell."""
    same = seen(setups, script, seat)
    assert same is not None
    for choice in believe(position.view(seat), samples=24, seed=seed).layouts():
        other = [choice[name] for name in position.seat_names]
        if other != list(setups) and seen(other, script, seat) == same:
            return other
    return None


# -- the room ----------------------------------------------------------------------------------------


class Recorder:
    """A WebSocket that keeps what is sent."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.said: asyncio.Queue[str] = asyncio.Queue()
        self._news = asyncio.Event()

    async def receive_text(self) -> str:
        return await self.said.get()

    async def send_text(self, text: str) -> None:
        self.sent.append(text)
        self._news.set()

    async def close(self, code: int) -> None:
        raise AssertionError(f"closed with {code}")

    async def say(self, message: dict[str, Any]) -> None:
        """Says something and waits for the answer, which everything has."""
        before = len(self.sent)
        self.said.put_nowait(json.dumps({key: value for key, value in message.items() if key != "refused"}))
        await self.has_heard(before + 1)

    async def has_heard(self, count: int) -> None:
        while len(self.sent) < count:
            self._news.clear()
            await self._news.wait()

    async def is_told(self, live: LiveRoom) -> None:
        """Waits until it knows the room as it is."""
        while f'"number":{live.room.number},' not in self.sent[-1][:100]:
            await self.has_heard(len(self.sent) + 1)


async def sent_in_room(
    database: Database, setups: Sequence[str], script: Script, seat: str
) -> tuple[list[str], list[str]]:
    """Every byte that the seat and a spectator are sent in a game."""
    time = [1000.0]
    hub = Hub(database, None, lambda: time[0])  # type: ignore[arg-type]
    name = await hub.open(RoomSettings(game="junqi", players=len(setups), clock=Clock(seconds=3600)))
    live = await hub.room(name)
    assert live is not None
    limits = Limits(room_burst=10_000)
    player, watcher = Recorder(), Recorder()
    tasks = []
    for one in (player, watcher):
        one.said.put_nowait('{"type": "join"}')
        tasks.append(asyncio.create_task(Client(hub, live, one, limits).serve()))  # type: ignore[arg-type]
        await one.has_heard(1)
    seats = list(live.room.seats)
    for one_seat, setup in zip(seats, setups, strict=True):
        if one_seat == seat:
            for message in (
                {"type": "sit", "seat": seat, "name": "me", "token": TOKENS[seat]},
                {"type": "layout", "layout": "nonsense"},
                {"type": "layout", "layout": setup},
                {"type": "ready"},
            ):
                await player.say(message)
                await watcher.is_told(live)
        else:
            who = json.dumps({"name": one_seat, "token": TOKENS[one_seat]})
            for kind, text in (("sit", who), ("layout", setup), ("ready", "")):
                await hub.act(live, one_seat, kind, text)
                await player.is_told(live)
                await watcher.is_told(live)
    await player.is_told(live)
    for who, message in script:
        time[0] += 0.5
        if who == seat:
            await player.say(message)
        else:
            await hub.act(live, who, message["type"], message.get("move", ""))
            await player.is_told(live)
        await watcher.is_told(live)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await hub.stop()
    assert json.loads(watcher.sent[-1])["phase"] == "playing"
    mine, theirs = ([text.replace(name, "ROOM") for text in one.sent] for one in (player, watcher))
    return mine, theirs


# -- pairs -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SecretGame:
    """A game as a seat knows it, and two worlds in which it may have happened."""

    number: int
    seat: str
    script: Script
    worlds: tuple[Sequence[str], Sequence[str]]
    battles: bool

    def to_move(self) -> tuple[Position, Position] | None:
        """The last position in which the seat is to move, in both worlds; None when there is none."""
        done = [step for step in self.script if not step[1].get("refused")]
        for count in range(len(done), -1, -1):
            first, second = (_positions(world, done[:count])[-1] for world in self.worlds)
            if first.mover == self.seat:
                return first, second
        return None


def secret_games() -> Iterator[SecretGame]:
    """Random games; those whose hidden pieces could not be exchanged are left out."""
    number = -1
    while True:
        number += 1
        chance = random.Random(number)
        players = 2 if number % 5 == 4 else 4
        setups = [layouts.random_layout(chance.randrange(2**30)) for _ in range(players)]
        seat = chance.choice("SENW" if players == 4 else "SN")
        script, position = random_script(setups, seat, chance.randrange(5, 60), chance)
        other = exchanged(setups, script, position, seat, number)
        if other is not None:
            battles = any("x" in event for event in position.events)
            yield SecretGame(number, seat, script, (setups, other), battles)


def advice(engine: Engine, position: Position) -> str:
    """All that the engine says to the seat to move: hint, review, why, beliefs, the board, and what is
    refused."""
    seat = position.mover
    page = registry.page_of("junqi")
    assert seat is not None
    assert page.beliefs is not None
    hint = engine.analyze(position.mover_view(), simulations=60, options={"seed": 5})
    look = Examination(
        record_of(position), Effort("", Budget(40), Budget(40), "simulations", {"seed": 5})
    ).look(len(position.moves))
    assert look is not None
    said = []
    *_, review = engine.run(look)
    for report in (hint, review):
        told = report.to_dict()
        del told["seconds"]
        said.append((told, encode(explanation.explain(report).reasons)))
    refused = []
    for move in ("S11-S11", "nonsense", "N11-S11", *(f"{seat}{n}-C22" for n in (11, 33, 53))):
        try:
            position.mover_view().play(move)
        except KibitzError as error:
            refused.append(str(error))
    shown = page.shown(position, seat)
    board = [str(shown), page.svg(shown, Look()), page.beliefs(position, seat)]
    return json.dumps([said, refused, board], sort_keys=True)
