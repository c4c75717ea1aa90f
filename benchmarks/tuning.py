"""Does the self-tuning find the best setting of a network?

    python benchmarks/tuning.py FILE... [--board 19] [--precision fp32] [--rounds 8] [--seconds 0.25]

Tunes each network as an engine does, with an empty cache, then measures every setting that it could have
chosen: runtime, threads, streams and batch, all in turns, in evaluations per second of processor time, the
median of the rounds. Prints each beside the best and the chosen one last; exits with 1 where that one
reaches less than 95% of the best. `KIBITZ_CPU_LEVEL=v3` measures another CPU level that was built.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

# This folder's chess.py would hide the library of that name.
sys.path.pop(0)

from kibitz import _native, nets
from kibitz.nets import tune
from kibitz.nets.lowering import Unsupported
from kibitz.nets.session import Session, usable_cores

ENOUGH = 0.95
Setting = tuple[str, int, int, int]  # runtime, threads, streams, batch


def candidates(network: nets.Network, shape: nets.Shape) -> Iterator[tuple[Setting, Session]]:
    """Every setting that tuning may choose, with a session for it."""
    for runtime in tune._runtimes(network):
        for threads, streams in tune._plans(runtime, usable_cores()):
            try:
                session = network.open(shape, runtime, threads, streams)
            except Unsupported:
                continue
            for batch in tune._BATCHES:
                yield (runtime, threads, streams, batch), session


def speeds(network: nets.Network, shape: nets.Shape, rounds: int, seconds: float) -> dict[Setting, float]:
    """Evaluations per second of processor time of each setting, times the cores it uses; the median of the
    rounds."""
    known: dict[Setting, list[float]] = {}
    settings = list(candidates(network, shape))
    for _ in range(rounds):
        for setting, session in settings:
            _, threads, streams, batch = setting
            feed = network.inputs_of(session, *tune.example(shape, batch))
            session.run(("policy", "outcome"), feed)
            wall, used = time.perf_counter(), time.process_time()
            made = tune.measure(session, feed, streams, seconds) * (time.perf_counter() - wall)
            pace = made / (time.process_time() - used)
            known.setdefault(setting, []).append(pace * threads * streams)
    return {setting: statistics.median(paces) for setting, paces in known.items()}


def report(path: str, board: int, precision: str, rounds: int, seconds: float) -> bool:
    network = nets.load(nets.find(path), precision=precision)
    sides = () if network.game == "chess" else (board, board)
    shape = network.shape(*sides)
    begun = time.perf_counter()
    chosen = network.tune(*sides)
    took = time.perf_counter() - begun
    measured = speeds(network, shape, rounds, seconds)
    best = max(measured.values())
    print(f"\n{network.name} {precision}, {shape.columns}x{shape.rows}: tuned in {took:.1f} s", end="")
    print(f", {rounds} rounds of {seconds:g} s")
    for setting, speed in measured.items():
        runtime, threads, streams, batch = setting
        print(f"  {runtime:12} {streams} x {threads} batch {batch:3}: {speed:9,.1f}/s  {speed / best:6.1%}")
    share = measured[chosen.runtime, chosen.threads, chosen.streams, chosen.batch] / best
    print(f"  chosen: {chosen}; {share:.1%} of the best")
    return share >= ENOUGH


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+")
    parser.add_argument("--board", type=int, default=19)
    parser.add_argument("--precision", default="fp32")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=0.25)
    given = parser.parse_args()
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(f"{tune.cpu_name()}, level {_native.LEVEL}, {usable_cores()} of {os.cpu_count()} cores{load}")
    enough = True
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder) / "cache"
        os.environ["KIBITZ_CACHE"] = str(kept)
        for file in given.files:
            enough &= report(file, given.board, given.precision, given.rounds, given.seconds)
    sys.exit(0 if enough else 1)


if __name__ == "__main__":
    main()
