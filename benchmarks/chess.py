"""Nodes a second of `kibitz uci` beside Lc0, with one network and the same positions, in one run.

    python benchmarks/chess.py maia-1900.pb.gz --lc0 /path/to/lc0

Peer: lc0 (https://lczero.org, or built from its sources with the onednn and blas backends). Which flags are
the fastest here is tried first, for ours and for lc0; every program uses all cores. Each position is searched
by every program in turns with an empty tree and an empty cache, for the same time; a figure is all nodes over
all time, of the run in which the program was fastest.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

# The package is wanted, not the file of that name in this folder.
sys.path.pop(0)

import chess.engine

from kibitz.nets.session import installed_runtimes, usable_cores
from kibitz.nets.tune import cpu_name

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "nets" / "maia-1900.pb.gz"

#: From the opening to the endgame.
POSITIONS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkb1r/pp1n1ppp/2p1pn2/3p4/2PP4/2N1PN2/PP3PPP/R1BQKB1R w KQkq - 1 6",
    "r1bq1rk1/pp2ppbp/2np1np1/8/3NP3/2N1BP2/PPPQ2PP/R3KB1R w KQ - 3 9",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "r2q1rk1/1b2bppp/p2ppn2/1p6/3NPP2/P1N1B3/1PP1Q1PP/R4RK1 w - - 0 14",
    "8/5pk1/1p2p1p1/p1r1P2p/P1R4P/1P3KP1/5P2/8 w - - 2 38",
)


class Program:
    """A UCI program that stays open, and what it has done so far."""

    def __init__(self, name: str, command: list[str], options: dict[str, str | int | bool]) -> None:
        self.name = name
        self.engine = chess.engine.SimpleEngine.popen_uci(command, timeout=300)
        known = {key: value for key, value in options.items() if key in self.engine.options}
        self.engine.configure(known)
        self.engine.ping()

    def nodes_per_second(self, positions: tuple[str, ...], seconds: float) -> float:
        """Over all positions, each with a new game."""
        nodes, spent = 0, 0.0
        for fen in positions:
            board = chess.Board(fen)
            begun = time.perf_counter()
            with self.engine.analysis(board, chess.engine.Limit(time=seconds), game=object()) as analysis:
                analysis.wait()
                spent += time.perf_counter() - begun
                nodes += int(analysis.info.get("nodes", 0))
        return nodes / spent

    def close(self) -> None:
        self.engine.quit()


def ours(network: str, backend: str, threads: int, batch: int) -> Program:
    """With 0 threads and 0 for the batch, as Kibitz itself finds best for the network."""
    command = [sys.executable, "-c", "from kibitz.cli import main; main()", "uci"]
    options: dict[str, str | int | bool] = {
        "WeightsFile": network,
        "Backend": backend,
        "Threads": threads,
        "MinibatchSize": batch,
        "MoveOverheadMs": 0,
        "SmartPruningFactor": "0",
    }
    return Program(f"kibitz {backend}, {flags(threads, batch)}", command, options)


def peer(lc0: str, network: str, backend: str, threads: int, batch: int) -> Program:
    command = [lc0, f"--weights={network}", f"--backend={backend}"]
    options: dict[str, str | int | bool] = {
        "Threads": threads,
        "MinibatchSize": batch,
        "MoveOverheadMs": 0,
        "SmartPruningFactor": "0",
    }
    return Program(f"lc0 {backend}, {flags(threads, batch)}", command, options)


def flags(threads: int, batch: int) -> str:
    return f"{threads} threads, batch {batch}" if threads else "as tuned"


def fastest(candidates: list[Callable[[], Program]], seconds: float) -> Program:
    """The program with the flags that are the fastest here."""
    best: tuple[float, Program] | None = None
    for start in candidates:
        try:
            program = start()
            program.nodes_per_second(POSITIONS[:1], 1.0)  # loads the network, measures how to run it
            speed = program.nodes_per_second(POSITIONS[1:4], seconds)
        except chess.engine.EngineError as error:
            print(f"  does not run here: {error}")
            continue
        print(f"  {program.name:<48} {speed:>8,.0f}/s", flush=True)
        loser: Program | None = program
        if best is None or speed > best[0]:
            loser = best[1] if best else None
            best = speed, program
        if loser is not None:
            loser.close()
    if best is None:
        raise SystemExit("none of the flags runs")
    return best[1]


def main() -> None:
    parser = argparse.ArgumentParser(description="Nodes a second of kibitz uci beside Lc0.")
    parser.add_argument("network", nargs="?", default=str(BESIDE), help="an Lc0 network (.pb.gz)")
    parser.add_argument("--lc0", default="lc0", help="the program to compare with")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3.0, help="for each position")
    parser.add_argument("--backends", default="auto,int8,int8-all", help="of ours, by commas")
    arguments = parser.parse_args()
    if not Path(arguments.network).is_file():
        print(f"chess: there is no network {arguments.network}; name one")
        return
    print(f"{cpu_name()}, {usable_cores()} cores, {', '.join(installed_runtimes())}")
    lc0 = shutil.which(arguments.lc0)
    if lc0 is None:
        print("lc0 is not installed (https://lczero.org): no peer to compare with; --lc0 PATH names it")
    network, trial = arguments.network, arguments.seconds / 2
    cores = usable_cores()
    programs = [
        fastest(
            [
                partial(ours, network, backend, *plan)
                for plan in ((0, 0), (cores, 33), (cores + 1, 33), (cores, 129))
            ],
            trial,
        )
        for backend in arguments.backends.split(",")
    ]
    plans = [("onednn", cores, batch) for batch in (129, 65, 33)]
    plans += [("onednn", 1, 129), ("onednn", 1, 257), ("blas", cores, 33), ("blas", cores, 8)]
    other = fastest([partial(peer, lc0, network, *plan) for plan in plans], trial) if lc0 else None
    figures: dict[str, list[float]] = {}
    for _ in range(arguments.runs):
        for program in (*programs, *([other] if other else [])):
            speed = program.nodes_per_second(POSITIONS, arguments.seconds)
            figures.setdefault(program.name, []).append(speed)
    reference = max(figures[other.name]) if other else 0.0
    for name, speeds in figures.items():
        ratio = f"   ratio {max(speeds) / reference:.2f}" if reference else ""
        each = " ".join(f"{speed:,.0f}" for speed in speeds)
        print(f"{name:<48} {max(speeds):>8,.0f}/s{ratio}   (runs: {each})")
    for program in (*programs, *([other] if other else [])):
        program.close()


if __name__ == "__main__":
    main()
