"""Plays games of `kibitz uci` with itself on a clock and says how much of it was used, and who lost on time.

    python -m tools.clock_games --games 200 --time 1 --increment 0.01 --busy

`--busy` keeps every core working beside the games. The clock runs from the moment a `go` is written until its
`bestmove` is read, as in a GUI, so that pipes and a late scheduler are on the engine's time. Of a loss it
says how much of the move's time the engine was on a core: a move that was in time by that was not late
by thinking. A thread that only sleeps, a millisecond at a time, sees whether the whole machine pauses.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from kibitz.games.chess import Position

#: Plies after which a game is a draw.
LONGEST = 400
#: Keeps a core working for as long as its parent lives.
BURNER = "import os; parent = os.getppid()\nwhile os.getppid() == parent: pass"


@dataclass
class Totals:
    """What the games came to."""

    games: int = 0
    moves: int = 0
    forfeits: int = 0
    lowest: float = float("inf")
    #: For each side of each game, the share of all the time it had that it did not use.
    unused: list[float] = field(default_factory=list)
    slowest: float = 0.0
    #: Losses on time of moves that were in time by what the engine used of a core.
    waiting: int = 0


class StallWatcher(threading.Thread):
    """Sleeps for a millisecond, over and over, and remembers the longest time that a sleep took."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._longest = 0.0
        self.worst = 0.0

    def run(self) -> None:
        last = time.monotonic()
        while True:
            time.sleep(0.001)
            now = time.monotonic()
            self._longest = max(self._longest, now - last - 0.001)
            self.worst = max(self.worst, self._longest)
            last = now

    def since(self) -> float:
        """The longest pause since the last question."""
        longest, self._longest = self._longest, 0.0
        return longest


class Engine:
    """One `kibitz uci` process."""

    def __init__(self, options: list[str]) -> None:
        command = [sys.executable, "-c", "from kibitz.cli import main; main()", "uci"]
        for option in options:
            command += ["--option", option]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.send("uci")
        self.wait("uciok")

    def send(self, line: str) -> None:
        assert self._process.stdin
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def wait(self, word: str) -> str:
        assert self._process.stdout
        for line in self._process.stdout:
            if line.startswith(word):
                return line.strip()
        raise SystemExit("an engine has ended")

    def on_core(self) -> float:
        """Seconds that the process was on a core, all threads together; 0 where there is no /proc."""
        try:
            fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        self.send("quit")
        self._process.wait(20)


def play(
    engines: list[Engine],
    number: int,
    seconds: float,
    increment: float,
    totals: Totals,
    watcher: StallWatcher,
) -> None:
    """One game, the first engine white in every second one."""
    sides = engines if number % 2 == 0 else engines[::-1]
    for engine in engines:
        engine.send("ucinewgame")
        engine.send("isready")
        engine.wait("readyok")
    # Another opening for each pair of games, so that they are not all the same.
    position = Position()
    for ply in range(4):
        position = position.play(
            position.legal_moves[(number // 2 * 7 + 3 * ply) % len(position.legal_moves)]
        )
    clocks, granted = [seconds, seconds], [seconds, seconds]
    while not position.is_over and len(position.moves) < LONGEST:
        side = position.to_move
        engine = sides[side]
        engine.send(f"position startpos moves {' '.join(position.moves)}")
        white, black = (max(1, round(1000 * clock)) for clock in clocks)
        more = round(1000 * increment)
        watcher.since()
        busy = engine.on_core()
        begun = time.monotonic()
        engine.send(f"go wtime {white} btime {black} winc {more} binc {more}")
        best = engine.wait("bestmove").split()[1]
        used = time.monotonic() - begun
        totals.moves += 1
        totals.slowest = max(totals.slowest, used)
        clocks[side] -= used
        totals.lowest = min(totals.lowest, clocks[side])
        if clocks[side] < 0:
            totals.forfeits += 1
            busy = engine.on_core() - busy
            totals.waiting += busy < clocks[side] + used
            print(
                f"game {number}: lost on time after {len(position.moves)} plies by {-clocks[side]:.3f} s: "
                f"had {clocks[side] + used:.3f} s, took {used:.3f} s, {busy:.2f} s of it on a core, "
                f"the machine's longest pause {watcher.since():.3f} s",
                flush=True,
            )
            break
        clocks[side] += increment
        granted[side] += increment
        position = position.play(best)
    totals.games += 1
    totals.unused += [left / whole for left, whole in zip(clocks, granted, strict=True)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--time", type=float, default=1.0)
    parser.add_argument("--increment", type=float, default=0.01)
    parser.add_argument("--option", action="append", default=[], help="a UCI option of both, NAME=VALUE")
    parser.add_argument("--busy", action="store_true", help="keep every core working beside the games")
    wanted = parser.parse_args()
    burners = [
        subprocess.Popen([sys.executable, "-c", BURNER])
        for _ in range((os.cpu_count() or 1) if wanted.busy else 0)
    ]
    totals = Totals()
    watcher = StallWatcher()
    watcher.start()
    engines = [Engine(["Threads=1", *wanted.option]) for _ in range(2)]
    try:
        for number in range(wanted.games):
            play(engines, number, wanted.time, wanted.increment, totals, watcher)
            if (number + 1) % 20 == 0:
                print(f"{number + 1} games, {totals.forfeits} lost on time", flush=True)
    finally:
        for engine in engines:
            engine.close()
        for burner in burners:
            burner.kill()
    mean = sum(totals.unused) / len(totals.unused)
    length = totals.moves / totals.games / 2
    print(
        f"{totals.games} games of {wanted.time:g}+{wanted.increment:g}, {length:.0f} moves a side: "
        f"{totals.forfeits} lost on time ({totals.waiting} waiting for a core), "
        f"{100 * mean:.0f}% of the time left unused, lowest clock {1000 * totals.lowest:.0f} ms, "
        f"slowest move {1000 * totals.slowest:.0f} ms, "
        f"longest pause of the machine {1000 * watcher.worst:.0f} ms"
    )
    sys.exit(1 if totals.forfeits else 0)


if __name__ == "__main__":
    main()
