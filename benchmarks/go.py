"""Go's speed beside KataGo's, asked the same questions in one run; int8's accuracy; the cost of guarantees.

    python benchmarks/go.py [--katago PATH] [--network FILE] [--visits 400] [--positions 8] [--runs 2]

Peer: KataGo's CPU build (Eigen, AVX2; https://github.com/lightvector/KataGo, cmake -DUSE_BACKEND=EIGEN
-DUSE_AVX2=1), found by --katago or on PATH. Both are processes that speak the analysis protocol, are given
every position at once and the same visits; KataGo runs with several settings of its threads and its best one
counts, on 9x9 with its buffers made for 9x9. We run as we come: tuned to the machine by ourselves.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np

import kibitz
from kibitz import nets
from kibitz.nets.quantize import StatePlayer, divergence
from kibitz.nets.session import usable_cores
from kibitz.nets.tune import cpu_name

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "nets" / "g170-b6c96-s175395328-d26788732.bin.gz"
Query = dict[str, Any]


# -- the questions ------------------------------------------------------------------------------------------


def games(network: nets.Network, size: int, count: int) -> list[list[str]]:
    """Moves of games the network plays by drawing from its policy, broken off at lengths that differ."""
    random = np.random.default_rng(7)
    move_lists = []
    longest = 2 * size * size // 3
    with kibitz.Engine("go", network=network, root_symmetry=False) as engine:
        for number in range(count):
            length = 4 + (longest - 4) * number // count
            position = kibitz.go.Position(size, rules="tromp-taylor", komi=7.5)
            for _ in range(length):
                report = engine.analyze(position, visits=1)
                moves = [move for move in report.policy if move != "pass"]
                if not moves:
                    break
                chances = np.array([report.policy[move] for move in moves])
                position = position.play(str(random.choice(moves, p=chances / chances.sum())))
            move_lists.append(list(position.moves))
    return move_lists


def queries(size: int, lines: Sequence[Sequence[str]], visits: int) -> list[Query]:
    return [
        {
            "id": str(number),
            "moves": [["BW"[ply % 2], move] for ply, move in enumerate(moves)],
            "rules": "tromp-taylor",
            "komi": 7.5,
            "boardXSize": size,
            "boardYSize": size,
            "maxVisits": visits,
        }
        for number, moves in enumerate(lines)
    ]


# -- the programs -------------------------------------------------------------------------------------------


@contextmanager
def started(command: Sequence[str]) -> Iterator[subprocess.Popen[str]]:
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True, bufsize=1
        )
        try:
            yield process
        finally:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.close()
            process.stdout.read()
            if process.wait() != 0:
                log.seek(0)
                print(f"{command[0]} failed:\n{log.read()[-2000:]}", file=sys.stderr)


def visits_a_second(process: subprocess.Popen[str], asked: Sequence[Query]) -> float:
    """All questions at once; the clock runs from the first to the last answer."""
    assert process.stdin is not None
    assert process.stdout is not None
    lines = [json.dumps(query) for query in asked]
    begun = time.perf_counter()
    for line in lines:
        process.stdin.write(line + "\n")
    process.stdin.flush()
    total = 0
    for _ in lines:
        answer = json.loads(process.stdout.readline())
        total += answer["rootInfo"]["visits"]
    return total / (time.perf_counter() - begun)


def measured(process: subprocess.Popen[str], asked: Sequence[Query]) -> float:
    """The same with nothing remembered from before."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write('{"id": "clear", "action": "clear_cache"}\n')
    process.stdin.flush()
    process.stdout.readline()
    return visits_a_second(process, asked)


def katago_commands(program: str, network: Path, size: int, folder: Path) -> Iterator[tuple[str, list[str]]]:
    """KataGo with ways to share the machine between positions, searches and evaluations."""
    cores = usable_cores()
    for positions, threads in dict.fromkeys(
        [(cores, 1), (cores, 2), (2 * cores, 1), (1, 2 * cores), (1, 8 * cores)]
    ):
        settings = {
            "logDir": str(folder / "log"),
            "logAllRequests": "false",
            "logAllResponses": "false",
            "nnMaxBatchSize": max(8, positions * threads),
            "nnCacheSizePowerOfTwo": 20,
            "nnMutexPoolSizePowerOfTwo": 14,
            "numEigenThreadsPerModel": cores,
            "maxBoardXSizeForNNBuffer": size,
            "maxBoardYSizeForNNBuffer": size,
            "numAnalysisThreads": positions,
            "numSearchThreadsPerAnalysisThread": threads,
        }
        config = folder / f"{positions}-{threads}.cfg"
        config.write_text("".join(f"{name} = {value}\n" for name, value in settings.items()))
        label = f"KataGo, {positions} positions x {threads} threads"
        yield label, [program, "analysis", "-model", str(network), "-config", str(config)]


def our_command(network: Path, precision: str) -> list[str]:
    program = [sys.executable, "-c", "import sys; from kibitz.cli import main; sys.exit(main())"]
    return [*program, "katago", "analysis", "-model", str(network), "--precision", precision]


def speed(options: argparse.Namespace, size: int) -> None:
    file = Path(options.network)
    asked = queries(size, games(nets.load(file), size, options.positions), options.visits)
    print(f"\n{size}x{size}, {len(asked)} positions, {options.visits} visits each; visits a second")
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        ways = [(f"kibitz, {precision}", our_command(file, precision)) for precision in options.precisions]
        ways += list(katago_commands(options.katago, file, size, Path(folder))) if options.katago else []
        running = {}
        # One after the other, each asked a first question: nobody tunes itself beside others, or is measured
        # while still loading.
        for label, command in ways:
            running[label] = stack.enter_context(started(command))
            visits_a_second(running[label], [{**asked[0], "maxVisits": 40, "rules": "chinese"}])
        best = dict.fromkeys(running, 0.0)
        # In turns, the best of each: whatever else runs on the machine can only make one look slower. After a
        # round only the two fastest ways to run KataGo go on.
        for turn in range(options.runs):
            theirs = [label for label in running if label.startswith("KataGo")]
            slow = sorted(theirs, key=lambda label: best[label])[:-2] if turn else []
            for label, process in running.items():
                if label not in slow:
                    best[label] = max(best[label], measured(process, asked))
    peer = max((figure for label, figure in best.items() if label.startswith("KataGo")), default=0.0)
    for label, figure in best.items():
        ratio = f"   ratio {figure / peer:.2f}" if peer and label.startswith("kibitz") else ""
        print(f"  {label:36}{figure:>10,.1f}{ratio}", flush=True)


# -- guarantees and accuracy --------------------------------------------------------------------------------


def guarantees(options: argparse.Namespace, size: int = 9) -> None:
    """The time that the same number of visits takes with and without guaranteed moves among them."""
    network = nets.load(options.network)
    visits, each = options.visits, options.visits // 10
    plain = steered = 0.0
    # No cache: every visit costs an evaluation, whichever moves it goes to.
    with kibitz.Engine("go", network=network, cache_mb=0, batch=4, reuse=False) as engine:
        for moves in games(network, size, options.positions):
            position = kibitz.go.Position(size, rules="tromp-taylor", komi=7.5).play(*moves)
            wanted = [move for move in position.legal_moves if move != "pass"][:4]
            pairs = []
            for _ in range(options.runs + 1):
                usual = engine.analyze(position, visits=visits)
                searched = visits - each * len(wanted)
                forced = engine.analyze(position, visits=searched, include=wanted, min_visits=each)
                assert usual.root.visits == forced.root.visits == visits
                pairs.append((usual.seconds, forced.seconds))
            plain += min(pair[0] for pair in pairs)
            steered += min(pair[1] for pair in pairs)
    count = options.positions * visits
    print(f"\nGuaranteed visits, {size}x{size}, four tenths of {visits} visits guaranteed to four moves")
    print(f"  {count / plain:,.1f} visits a second without, {count / steered:,.1f} with: ", end="")
    print(f"they cost {steered / plain - 1:+.1%}", flush=True)


def start(shape: nets.Shape) -> Any:
    return kibitz.go.Position((shape.columns, shape.rows), rules="chinese").state.as_root("root")


def accuracy(options: argparse.Namespace, size: int, count: int = 128) -> None:
    """int8 beside fp32, on other positions than it was calibrated on, and beside the noise of a mirror."""
    exact = nets.load(options.network)
    quick = nets.load(options.network, precision="int8", calibration=nets.self_play(start))
    shape = exact.shape(size, size)
    players = (StatePlayer(start(shape), 2 * size * size // 3) for _ in itertools.count())
    planes, numbers = nets.collect(exact, players, count, seed=2)
    reference = exact(planes, numbers)
    policy, outcomes = exact(np.ascontiguousarray(planes[:, :, :, ::-1]), numbers)
    board = policy[:, :-1].reshape(-1, size, size)[:, :, ::-1].reshape(count, -1)
    mirror = np.concatenate([board, policy[:, -1:]], axis=1), outcomes
    print(f"\nAccuracy, {size}x{size}, {count} positions: same first choice, KL, winrate error")
    for name, other in (("fp32 in a mirror", mirror), ("int8", quick(planes, numbers))):
        same = float((reference[0].argmax(axis=1) == other[0].argmax(axis=1)).mean())
        rates = [answer[1][:, 0] + answer[1][:, 1] / 2 for answer in (reference, other)]
        error = float(np.abs(rates[0] - rates[1]).mean())
        print(f"  {name:24}{same:>8.1%}{divergence(reference[0], other[0]):>10.4f}{error:>10.4f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--katago", default=shutil.which("katago"), help="KataGo's CPU build")
    parser.add_argument("--network", default=str(BESIDE), help="a KataGo network")
    parser.add_argument("--visits", type=int, default=400)
    parser.add_argument("--positions", type=int, default=8)
    parser.add_argument("--runs", type=int, default=3, help="how often each program is measured")
    parser.add_argument("--boards", type=int, nargs="*", default=[19, 9])
    parser.add_argument("--precisions", nargs="*", default=["fp32", "int8"])
    parser.add_argument("--only", choices=["speed", "guarantees", "accuracy"])
    options = parser.parse_args()
    if not Path(options.network).is_file():
        print("go: no network at hand; name one with --network FILE")
        return
    if not options.katago:
        print("go: no KataGo to compare with; build its CPU version and name it with --katago PATH")
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(f"{cpu_name()}, {usable_cores()} cores{load}; {Path(options.network).name}")
    if options.only in (None, "speed"):
        for size in options.boards:
            speed(options, size)
    if options.only in (None, "guarantees"):
        guarantees(options)
    if options.only in (None, "accuracy"):
        for size in options.boards:
            accuracy(options, size)


if __name__ == "__main__":
    main()
