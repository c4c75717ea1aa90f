"""Othello's speed, beside peers measured in the same run: `make bench` or `python benchmarks/othello.py`.

Peer: rust-reversi (PyPI), a Rust MCTS with random playouts; install it with `pip install rust-reversi`. Every
figure is the best of several runs that alternate between us and the peer, so that both see the same machine.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import kibitz
from kibitz import _native

START = kibitz.othello.Position()
FFO = Path(__file__).parent / "data" / "ffo.obf"


def best_of(runs: int, *measures: Callable[[], float]) -> list[float]:
    """The best figure of each measure, taken in turns."""
    figures = [[measure() for measure in measures] for _ in range(runs)]
    return [max(column) for column in zip(*figures, strict=True)]


def searched(simulations: int, **options: object) -> float:
    """Simulations a second of a fresh search from the start."""
    wishes = options.pop("wishes", {})
    assert isinstance(wishes, dict)
    with kibitz.Engine("othello", "uct", **options) as engine:
        return engine.analyze(START, simulations=simulations, **wishes).simulations_per_second


def rust_reversi(simulations: int) -> float:
    from rust_reversi import Board, MctsSearch

    search = MctsSearch(simulations, 1.414, 2)
    begun = time.perf_counter()
    search.get_move(Board())
    return simulations / (time.perf_counter() - begun)


def show(name: str, figure: float, peer: str = "", other: float = 0.0) -> None:
    ratio = f"   {peer} {other:,.0f}/s   ratio {figure / other:.2f}" if other else ""
    print(f"{name:<48} {figure:>12,.0f}/s{ratio}", flush=True)


def playouts(runs: int) -> None:
    n = 300_000
    try:
        ours, lanes, peer = best_of(
            runs, lambda: searched(n), lambda: searched(n, batch=8), lambda: rust_reversi(n // 4)
        )
        show("UCT, one playout at a time, one thread", ours, "rust-reversi", peer)
        show("UCT, eight playouts in vector lanes, one thread", lanes, "rust-reversi", peer)
    except ImportError:
        print("rust-reversi is not installed: no peer to compare with")
        ours, lanes = best_of(runs, lambda: searched(n), lambda: searched(n, batch=8))
        show("UCT, one playout at a time, one thread", ours)
        show("UCT, eight playouts in vector lanes, one thread", lanes)


def threads(runs: int) -> None:
    n = 1_000_000
    for batch in (1, 8):
        one, two = best_of(
            runs,
            lambda batch=batch: searched(n, batch=batch),
            lambda batch=batch: searched(n, batch=batch, threads=2),
        )
        show(f"two threads, batch {batch}", two, "one thread", one)


def guarantees(runs: int) -> None:
    n = 400_000
    wishes = {"include": ["d3", "c4"], "min_visits": 20_000}
    plain, steered = best_of(runs, lambda: searched(n), lambda: searched(n, wishes=wishes))
    show("with two guaranteed moves", steered, "without", plain)


def perft() -> None:
    begun = time.perf_counter()
    leaves = kibitz.othello.perft(START, 11)
    seconds = time.perf_counter() - begun
    print(f"perft 11: {leaves:,} leaves in {seconds:.2f} s ({'exact' if leaves == 212258800 else 'WRONG'})")


def endgames(last: int) -> None:
    """CPU time of FFO #40 to #`last` on one core, with and without the evaluation.

    Published for #40-#44: Zebra 7.0 s, Edax without its evaluation file 20.5 s.
    """
    totals = {True: 0.0, False: 0.0}
    for line in FFO.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("%"):
            continue
        board, _, rest = line.partition(";")
        name, score = rest.split("%")[1].split()[0], int(rest.split(":")[1].split(";")[0])
        if int(name[1:]) > last:
            continue
        position = kibitz.othello.Position(board.strip())
        for patterns in totals:
            begun = time.process_time()
            solution = kibitz.othello.solve(position, patterns=patterns)
            seconds = time.process_time() - begun
            totals[patterns] += seconds
            verdict = "exact" if solution.score == score else f"WRONG, expected {score:+d}"
            how = "" if patterns else " without evaluation"
            print(f"FFO {name}{how}: {solution.score:+d} {solution.best}, {verdict}", end=", ")
            print(f"{solution.nodes:,} nodes, {seconds:.2f} s", flush=True)
    now, before = totals[True], totals[False]
    print(f"FFO #40-#{last}: {now:.2f} s, without evaluation {before:.2f} s, ratio {now / before:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="how often each figure is taken")
    parser.add_argument("--ffo", type=int, default=44, metavar="N", help="solve FFO #40 to #N")
    parser.add_argument("--only-ffo", action="store_true", help="measure nothing else")
    asked = parser.parse_args()
    runs = asked.runs
    print(f"kibitz {kibitz.__version__}, CPU level {_native.LEVEL}")
    endgames(asked.ffo)
    if asked.only_ffo:
        return
    perft()
    playouts(runs)
    threads(runs)
    guarantees(runs)


if __name__ == "__main__":
    main()
