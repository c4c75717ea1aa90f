"""Faults on purpose: people play while servers, workers, database, disk, clock and network fail.

    python -m tools.chaos --rounds 200 --seed 1          (make chaos; about half an hour, as root)
    python -m tools.chaos --rounds 5 --only "network cut" --json

Two servers on PostgreSQL, each in a network namespace of its own, and one with SQLite. In each round a fault
happens at a random moment of games between people, and is lifted. Then every acknowledged move must be in the
database, nobody may have been sent another's secret (that of a seat, Junqi's set-ups), and within five
seconds every server must acknowledge a new action and every game go on.
It needs Linux, root, iproute2, a C compiler, PostgreSQL's server; clocks jump where libfaketime is installed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tools.chaos.faults import FAULTS, Hurt, Lost
from tools.chaos.players import Address, Crowd, Probe
from tools.chaos.world import World, fake_time, missing

#: Seconds until service must be back, and until it is given up.
BACK, NEVER = 5.0, 60.0
ROOMS = 3


@dataclass
class Kind:
    """Rounds of one fault."""

    rounds: int = 0
    acknowledged: int = 0
    lost: int = 0
    #: Seconds until the last server acknowledged something and all games went on, of each round.
    back: list[float] = field(default_factory=list)
    #: The same just before each fault: what a busy machine takes anyway.
    calm: list[float] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        ordered, calm = sorted(self.back), sorted(self.calm)
        return {
            "rounds": self.rounds,
            "acknowledged": self.acknowledged,
            "lost": self.lost,
            "back": {"median": ordered[len(ordered) // 2], "most": ordered[-1]} if ordered else None,
            "calm": {"median": calm[len(calm) // 2], "most": calm[-1]} if calm else None,
            "late": sum(one > BACK for one in ordered),
        }


@dataclass
class Outcome:
    """All rounds."""

    kinds: dict[str, Kind] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    messages: int = 0
    tracebacks: int = 0
    errors: dict[str, int] = field(default_factory=dict)
    #: Seconds that a server took to start and to work for it, and the longest start.
    starts: dict[str, float] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        kinds = {name: kind.to_dict() for name, kind in self.kinds.items()}
        total = {
            key: sum(kind[key] for kind in kinds.values())
            for key in ("rounds", "acknowledged", "lost", "late")
        }
        rest = {
            "messages": self.messages,
            "tracebacks": self.tracebacks,
            "errors": self.errors,
            "starts": self.starts,
        }
        return {**total, **rest, "faults": self.faults, "kinds": kinds}

    def holds(self) -> bool:
        counts = self.to_dict()
        return not (counts["lost"] or counts["late"] or counts["faults"] or counts["tracebacks"])


async def _back(probes: dict[str, Probe], crowds: list[Crowd], hurt: Hurt) -> float | None:
    """Seconds until all servers acknowledge an action and all games go on; None when one never does."""
    waits = [probes[one.host].seconds(NEVER) for one in hurt]
    seconds = await asyncio.gather(*waits, *(crowd.moved(NEVER) for crowd in crowds))
    known = [one for one in seconds if one is not None]
    return max(known) if len(known) == len(seconds) else None


async def run(world: World, names: list[str], rounds: int, seconds: float, seed: int, quiet: bool) -> Outcome:
    await world.start()
    chance, outcome = random.Random(seed), Outcome()
    shared = [server.address for server in world.servers]
    crowds = [Crowd(shared, ROOMS, seed), Crowd([world.solo.address], 1, seed + 1)]
    probes = {one.host: Probe(one) for one in (*shared, world.solo.address)}
    for crowd in crowds:
        await crowd.start()
    await _back(probes, crowds, [Address(host) for host in probes])
    order = [name for _ in range(-(-rounds // len(names))) for name in chance.sample(names, len(names))]
    end = time.monotonic() + seconds
    for number, name in enumerate(order[:rounds], 1):
        if time.monotonic() > end:
            break
        kind = outcome.kinds.setdefault(name, Kind())
        before = sum(crowd.acknowledged for crowd in crowds)
        calm = await _back(probes, crowds, [Address(host) for host in probes])
        kind.calm += [] if calm is None else [round(calm, 2)]
        await asyncio.sleep(chance.uniform(0.2, 2))
        begun = time.monotonic()
        try:
            hurt = await FAULTS[name](world, chance)
        except Lost as error:
            kind.lost += 1
            outcome.faults.append(f"round {number}, {name}: {error}")
            hurt = []
        lasted = time.monotonic() - begun
        back = await _back(probes, crowds, hurt) if hurt else 0.0
        if back is None:
            outcome.faults.append(f"round {number}, {name}: a server did not come back in {NEVER:.0f} s")
        elif hurt:
            kind.back.append(round(back, 2))
        counts = [crowd.counts() for crowd in crowds]
        rows = await asyncio.to_thread(world.rows)
        checks = zip(crowds, rows, counts, strict=True)
        lost = sum(crowd.lost(found, known) for crowd, found, known in checks)
        kind.rounds, kind.lost = kind.rounds + 1, kind.lost + lost
        kind.acknowledged += sum(crowd.acknowledged for crowd in crowds) - before
        if not quiet:
            shown = "never" if back is None else f"{back:.2f} s"
            text = f"lasted {lasted:.1f} s, back after {shown} ({calm or NEVER:.2f} s before), {lost} lost"
            print(f"{number:4} {name:15} {text}", flush=True)
    for crowd in crowds:
        await crowd.stop()
        outcome.faults += crowd.seen.faults
        outcome.messages += crowd.seen.messages
        for text, count in crowd.seen.errors.items():
            outcome.errors[text] = outcome.errors.get(text, 0) + count
    starts = [one for server in (*world.servers, world.solo) for one in server.starts]
    took, worked = (sorted(column) for column in zip(*starts, strict=True))
    middle = len(starts) // 2
    outcome.starts = {
        "count": len(starts),
        "median": round(took[middle], 2),
        "most": round(took[-1], 2),
        "medianWorked": round(worked[middle], 2),
    }
    outcome.tracebacks = sum(server.tracebacks() for server in (*world.servers, world.solo))
    return outcome


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="tools.chaos", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=1e9, help="no round is begun later")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", choices=sorted(FAULTS), help="only this fault; repeatable")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> None:
    given = _arguments()
    reason = missing()
    if reason:
        sys.exit(f"chaos: {reason}")
    if not given.inside:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # what runs inside ends with this
        with tempfile.TemporaryDirectory(prefix="kibitz-chaos-") as folder:
            os.chmod(folder, 0o755)  # PostgreSQL is another user
            apart = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
            command = [*apart, sys.executable, "-m", "tools.chaos", *sys.argv[1:], "--inside", folder]
            sys.exit(subprocess.run(command, check=False).returncode)
    names = given.only or [name for name in FAULTS if name != "clock jumps" or fake_time()]
    world = World(Path(given.inside))
    try:
        outcome = asyncio.run(run(world, names, given.rounds, given.seconds, given.seed, given.json))
    finally:
        world.stop()
    counts = outcome.to_dict()
    if given.json:
        print(json.dumps(counts))
    else:
        for name, kind in counts.pop("kinds").items():
            print(f"{name:16} {json.dumps(kind)}")
        for name, value in counts.items():
            print(f"{name:16} {value}")
    if not outcome.holds():
        sys.exit(1)


if __name__ == "__main__":
    main()
