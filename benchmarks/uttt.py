"""Ultimate tic-tac-toe, measured: `python benchmarks/uttt.py`, or some parts of it: `... playouts probes`.

    playouts    plain UCT on one core, in turns with OpenSpiel's where that is installed
    probes      warm probes: native, from Python, many at once
    solver      positions of good play with 20 and with 28 empty cells
    levels      the build of levels 1 to 4: seconds, processor seconds, memory
    level5      the build of all of level 5 (130 MB of files)
    wide        the build with two open sub-boards up to ten empty cells (2.3 GB of files)

The last two run only if named. Everything is timed by the processor time of the process, so that other
programs change it little, and by the clock.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from kibitz import _native
from kibitz.engine import Engine
from kibitz.games.uttt import Position, solve
from kibitz.tablebase import Tablebase, encode
from kibitz.tablebase.verify import random_positions

SIMULATIONS = 1_000_000
RUNS = 3


def timed(action: Callable[[], object]) -> tuple[float, float]:
    """Wall-clock and processor seconds."""
    wall, processor = time.perf_counter(), time.process_time()
    action()
    return time.perf_counter() - wall, time.process_time() - processor


# -- speed ----------------------------------------------------------------------------------------------


def our_playouts() -> tuple[float, float]:
    with Engine("uttt", "uct") as engine:
        wall, processor = timed(lambda: engine.analyze(Position(), simulations=SIMULATIONS))
    return SIMULATIONS / processor, SIMULATIONS / wall


def peers_playouts() -> float:
    import pyspiel

    game = pyspiel.load_game("ultimate_tic_tac_toe")
    simulations = 5_000
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 1.414, simulations, 1000, False, 1, False)
    state = game.new_initial_state()
    _, processor = timed(lambda: bot.mcts_search(state))
    return simulations / processor


def playouts() -> None:
    try:
        import pyspiel  # noqa: F401

        peer: list[float] = []
        ours = [(our_playouts(), peer.append(peers_playouts()))[0] for _ in range(RUNS)]
    except ImportError:
        peer, ours = [], [our_playouts() for _ in range(RUNS)]
    rates = ", ".join(f"{processor:,.0f}" for processor, _ in ours)
    best, wall = max(ours)
    print(f"playouts: plain UCT {rates} a second of one core (best by the clock {wall:,.0f})")
    if peer:
        print(f"playouts: OpenSpiel's MCTS {max(peer):,.0f} a second; ratio {best / max(peer):.1f}")
    else:
        print("playouts: no peer; OpenSpiel is not installed (pip install open_spiel)")


def probes() -> None:
    tables = Tablebase()
    positions = random_positions(2000, random.Random(1), lambda position: position.empties <= 4)
    rows = encode(positions)
    for _ in range(2):
        tables.probe_many(rows)
    _, native = timed(lambda: [tables.probe_many(rows) for _ in range(50)])
    _, objects = timed(lambda: [tables.probe_many(positions) for _ in range(50)])
    _, single = timed(lambda: [tables.probe(position) for _ in range(10) for position in positions])
    each = 1e6 / len(positions)
    print(f"probes: warm, {each * native / 50:.2f} us native, {each * single / 10:.2f} us from Python")
    print(
        f"probes: probe_many, {50 * len(positions) / native:,.0f} a second from rows, "
        f"{50 * len(positions) / objects:,.0f} from positions"
    )


def good_positions(empties: int, count: int) -> list[Position]:
    """Positions of games between engines (1,000 simulations a move), after an opening in which every third
    move is random, so that no two games are alike."""
    rng = random.Random(empties)
    positions: list[Position] = []
    with Engine("uttt", "uct", c=0.7) as engine:
        while len(positions) < count:
            position = Position()
            engine.new_game(seed=len(positions) + 1)
            while not position.is_over and position.empties > empties:
                opening = position.empties > 60 and rng.random() < 1 / 3
                move = (
                    rng.choice(position.legal_moves)
                    if opening
                    else engine.best_move(position, simulations=1000)
                )
                position = position.play(move)
            if not position.is_over and position.empties == empties:
                positions.append(Position(position.notation))
    return positions


def solver() -> None:
    for empties, count in ((20, 200), (28, 100)):
        times = []
        for position in good_positions(empties, count):
            native = _native.UtttSolver(64)  # nothing is remembered from one position to the next
            solved: list[bool] = []
            times.append(timed(lambda: solved.append(solve(position, solver=native).solved)))  # noqa: B023
            assert solved == [True]
        walls, processors = (sorted(1000 * seconds for seconds in kind) for kind in zip(*times, strict=True))
        ninth = 9 * count // 10 - 1
        print(
            f"solver: {empties} empty cells, {count} positions of good play: median "
            f"{statistics.median(processors):.2f} ms, 90th percentile {processors[ninth]:.2f} ms, longest "
            f"{processors[-1]:.0f} ms of processor time (90th percentile by the clock {walls[ninth]:.2f} ms)"
        )


# -- builds ---------------------------------------------------------------------------------------------


def build_command(folder: Path, *options: str) -> list[str]:
    return [sys.executable, "-m", "kibitz.tablebase.builder", "--output", str(folder), "--json", *options]


def measured_build(name: str, *options: str) -> None:
    """A build in a process of its own, so that its memory and processor time are its own."""
    with tempfile.TemporaryDirectory(prefix="uttt-") as folder:
        begun = time.perf_counter()
        run = subprocess.Popen(
            build_command(Path(folder), *options), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        assert run.stdout is not None
        answer = json.loads(run.stdout.read())
        _, status, usage = os.wait4(run.pid, 0)
        seconds = time.perf_counter() - begun
        assert status == 0
        assert all(level["unknown"] == 0 for level in answer["levels"])
        positions = sum(level["positions"] for level in answer["levels"])
        print(
            f"{name}: {positions:,} positions in {seconds:.1f} s on {os.cpu_count()} cores "
            f"({usage.ru_utime + usage.ru_stime:.1f} s of processor time), peak memory "
            f"{usage.ru_maxrss / 1024:,.0f} MB"
        )


def levels() -> None:
    measured_build("levels 1-4", "--max-empty", "4")


def level5() -> None:
    measured_build("level 5", "--max-empty", "5")


def wide() -> None:
    measured_build("two open, ten empty", "--max-empty", "10", "--max-open", "2")


PARTS = {part.__name__: part for part in (playouts, probes, solver, levels, level5, wide)}
LONG = ("level5", "wide")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"some of {', '.join(PARTS)}")
    parts = parser.parse_args().parts or [name for name in PARTS if name not in LONG]
    for name in parts:
        if name not in PARTS:
            parser.error(f"no part {name!r}; there are {', '.join(PARTS)}")
    for name in parts:
        PARTS[name]()
        sys.stdout.flush()


if __name__ == "__main__":
    main()
