"""The faults. Each happens, lasts and is lifted; what it returns is over when it does."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

from tests.processes import children
from tools.chaos.players import Address
from tools.chaos.world import DISK, Server, World

#: Seconds that the database is gone for: shortly in most rounds, long in one of twenty.
_SHORT, _LONG, _LONG_SHARE = (0.3, 4.0), 30.0, 0.05
#: Who must be back when a fault is lifted: their addresses.
Hurt = list[Address]
Fault = Callable[[World, random.Random], Awaitable[Hurt]]


def _outage(chance: random.Random) -> float:
    return _LONG if chance.random() < _LONG_SHARE else chance.uniform(*_SHORT)


def _shared(world: World) -> Hurt:
    return [server.address for server in world.servers]


async def _killed(servers: list[Server], chance: random.Random) -> None:
    for server in servers:
        server.kill()
    await asyncio.sleep(chance.uniform(0, 1))
    await asyncio.gather(*(server.start() for server in servers))


async def kill_server(world: World, chance: random.Random) -> Hurt:
    """kill -9 of one of the two servers; the other goes on, and the first is started again."""
    await _killed([chance.choice(world.servers)], chance)
    return _shared(world)


async def kill_servers(world: World, chance: random.Random) -> Hurt:
    """kill -9 of both servers at once."""
    await _killed(world.servers, chance)
    return _shared(world)


async def kill_solo(world: World, chance: random.Random) -> Hurt:
    """kill -9 of the server with SQLite."""
    await _killed([world.solo], chance)
    return [world.solo.address]


async def kill_database(world: World, chance: random.Random) -> Hurt:
    """kill -9 of all processes of PostgreSQL."""
    await asyncio.to_thread(world.postgres.kill)
    await asyncio.sleep(_outage(chance))
    await asyncio.to_thread(world.postgres.start)
    return _shared(world)


async def database_gone(world: World, chance: random.Random) -> Hurt:
    """PostgreSQL is stopped, and comes again."""
    await asyncio.to_thread(world.postgres.stop)
    await asyncio.sleep(_outage(chance))
    await asyncio.to_thread(world.postgres.start)
    return _shared(world)


async def full_disk(world: World, chance: random.Random) -> Hurt:
    """The disk of the server with SQLite is full for a while."""
    filler = world.disk / "filler"
    file = os.open(filler, os.O_WRONLY | os.O_CREAT)
    with suppress(OSError):
        for _ in range(DISK // 4096):
            os.write(file, bytes(4096))
    os.close(file)
    await asyncio.sleep(chance.uniform(0.5, 3))
    filler.unlink()
    return [world.solo.address]


async def clock_jumps(world: World, chance: random.Random) -> Hurt:
    """The clocks of all servers jump, and jump back."""
    jump = chance.choice([-3600, -60, -5, 5, 60, 3600, 86400])
    for server in (*world.servers, world.solo):
        server.set_clock(jump)
    await asyncio.sleep(chance.uniform(1, 3))
    for server in (*world.servers, world.solo):
        server.set_clock(0)
    return [*_shared(world), world.solo.address]


async def packets_lost(world: World, chance: random.Random) -> Hurt:
    """Some packets between servers and database are lost, all are late."""
    for link in world.links:
        link.set(loss=chance.uniform(0.02, 0.3), delay=chance.uniform(0, 0.05))
    await asyncio.sleep(chance.uniform(1, 4))
    for link in world.links:
        link.set()
    return _shared(world)


async def network_cut(world: World, chance: random.Random) -> Hurt:
    """Nothing gets through between one server, or both, and the database."""
    links = world.links if chance.random() < 0.3 else [chance.choice(world.links)]
    for link in links:
        link.set(loss=1.0)
    await asyncio.sleep(_outage(chance))
    for link in links:
        link.set()
    return _shared(world)


async def slow_disk(world: World, chance: random.Random) -> Hurt:
    """Every write of PostgreSQL that must reach the disk takes long."""
    world.disk_delay.write_text(str(chance.randrange(20, 800)))
    await asyncio.sleep(chance.uniform(1, 4))
    world.disk_delay.write_text("0")
    return _shared(world)


async def kill_worker(world: World, chance: random.Random) -> Hurt:
    """kill -9 of a worker of a match, then of the match itself, which is resumed: each game is there once."""
    path = world.folder / f"match-{chance.getrandbits(40)}.jsonl"
    games = 16
    words = [
        "match",
        "uttt",
        "uct",
        "random",
        "--games",
        str(games),
        "--simulations",
        "20",
        "--processes",
        "2",
    ]
    command = [sys.executable, "-c", "from kibitz.cli import main; main()", *words, "--output", str(path)]
    match = _quiet(command)
    await _until(lambda: _lines(path) > chance.randrange(2, 8))
    workers = _workers(match.pid)
    if workers:
        os.kill(chance.choice(workers), signal.SIGKILL)
        await asyncio.sleep(chance.uniform(0, 1))
    match.kill()
    match.wait()
    resumed = _quiet([*command, "--resume"])
    if await asyncio.to_thread(resumed.wait):
        raise Lost(f"the match could not be resumed: exit code {resumed.returncode}")
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    numbers = sorted(row["game"] for row in rows if "game" in row and isinstance(row["game"], int))
    if numbers != list(range(games)):
        raise Lost(f"games of the resumed match: {numbers}")
    return []


def _quiet(command: list[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class Lost(Exception):
    """A job that is not whole after its fault."""


def _lines(path: Path) -> int:
    try:
        return path.read_bytes().count(b"\n")
    except OSError:
        return 0


def _workers(process: int) -> list[int]:
    """Worker processes of a match; beside them there is multiprocessing's own process."""
    return [one for one in children(process) if b"tracker" not in Path(f"/proc/{one}/cmdline").read_bytes()]


async def _until(condition: Callable[[], bool], seconds: float = 120) -> None:
    for _ in range(int(seconds / 0.05)):
        if condition():
            return
        await asyncio.sleep(0.05)


FAULTS: dict[str, Fault] = {
    one.__name__.replace("_", " "): one
    for one in (
        kill_server,
        kill_servers,
        kill_solo,
        kill_database,
        kill_worker,
        database_gone,
        full_disk,
        clock_jumps,
        packets_lost,
        network_cut,
        slow_disk,
    )
}
