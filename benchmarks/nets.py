"""How close int8 is to fp32, and how fast each is, for any network file.

    python benchmarks/nets.py FILE... [--board 19] [--positions 128]

Positions come from games the network plays with itself, other ones for calibration than for judging. Beside
int8 stands the network's own noise: what it says about the same positions seen in a mirror. Speeds are
evaluations per second of processor time on one thread, so that other programs disturb them little.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

# This folder's chess.py would hide the library of that name.
sys.path.pop(0)
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from kibitz import nets
from kibitz.nets.family import Shape
from kibitz.nets.lc0_moves import moves
from kibitz.nets.quantize import Player, best_rounding, calibrate, divergence, positions_for, weight_bits
from kibitz.nets.session import Session, installed_runtimes, open_session
from kibitz.nets.tune import cpu_name
from tests.nets.players import chess_games, go_games

Array = npt.NDArray[np.float32]
Answer = tuple[Array, Array]


def games_of(network: nets.Network, shape: Shape) -> Iterator[Player]:
    yield from chess_games() if network.game == "chess" else go_games(shape.rows)


def mirrored(network: nets.Network, planes: Array, inputs: Array) -> tuple[Answer, Array]:
    """The answers to the positions in a left-right mirror, and which positions may be mirrored at all."""
    usable = np.ones(len(planes), bool)
    if network.game == "chess":
        usable = ~planes[:, 104:108].any(axis=(1, 2, 3))  # castling is not the same on both sides
    policy, outcomes = network(np.ascontiguousarray(planes[:, :, :, ::-1]), inputs)
    if network.game == "chess":
        places = {move: place for place, move in enumerate(moves())}
        turn = str.maketrans("abcdefgh", "hgfedcba")
        order = [places[move[:4].translate(turn) + move[4:]] for move in moves()]
        return (policy[:, order], outcomes), usable
    rows, columns = planes.shape[2:]
    board = policy[:, :-1].reshape(-1, rows, columns)[:, :, ::-1].reshape(len(planes), -1)
    return (np.concatenate([board, policy[:, -1:]], axis=1), outcomes), usable


def likeness(exact: Answer, other: Answer, used: Array | None = None) -> tuple[float, float, float]:
    """(share of equal first choices, KL divergence of the policies, mean error of the winrate)."""
    chosen = slice(None) if used is None else used
    a, b = exact[0][chosen], other[0][chosen]
    same = float((a.argmax(axis=1) == b.argmax(axis=1)).mean())
    winrates = [answer[1][chosen, 0] + answer[1][chosen, 1] / 2 for answer in (exact, other)]
    return same, divergence(a, b), float(np.abs(winrates[0] - winrates[1]).mean())


def speed(
    network: nets.Network, session: Session, planes: Array, inputs: Array, seconds: float = 2.0
) -> float:
    feed = network.inputs_of(session, planes[:8], inputs[:8])
    session.run(("policy", "outcome"), feed)
    done, start = 0, time.process_time()
    while time.process_time() < start + seconds:
        session.run(("policy", "outcome"), feed)
        done += 8
    return done / (time.process_time() - start)


def report(path: str, board: int, count: int) -> None:
    network = nets.load(nets.find(path), runtime="onnxruntime")
    shape = network.shape(*(() if network.game == "chess" else (board, board)))
    start = time.perf_counter()
    learn = nets.collect(network, games_of(network, shape), positions_for(shape), seed=1)
    planes, inputs = nets.collect(network, games_of(network, shape), count, seed=2)
    ranges = calibrate(network, *learn)
    seconds = time.perf_counter() - start
    print(
        f"\n{network.name}, {shape.columns}x{shape.rows}: calibrated on {len(learn[0])} positions,", end=" "
    )
    print(f"judged on {count} others ({seconds:.0f} s to play and calibrate)")
    exact = network(planes, inputs)
    noise, usable = mirrored(network, planes, inputs)
    print(f"  {'':24}{'same first choice':>18}{'KL':>10}{'winrate error':>15}{'evaluations/core-s':>20}")
    row("fp32 in a mirror", likeness(exact, noise, usable), None)
    for runtime in installed_runtimes():
        session = open_session(network.graph(shape), runtime)
        answer = session.run(("policy", "outcome"), network.inputs_of(session, planes, inputs))
        base = speed(network, session, planes, inputs)
        row(f"fp32 {runtime}", likeness(exact, (answer[0], answer[1])), (base, 1.0))
        rounded = best_rounding(network, runtime, ranges, *learn)
        for name, edges in (("int8", False), ("int8-all", True)):
            graph = network.graph(
                shape, ranges, edges=edges, round_outputs=rounded, weight_bits=weight_bits(runtime)
            )
            session = open_session(graph, runtime)
            answer = session.run(("policy", "outcome"), network.inputs_of(session, planes, inputs))
            fast = speed(network, session, planes, inputs)
            row(f"{name} {runtime}", likeness(exact, (answer[0], answer[1])), (fast, fast / base))


def row(name: str, measures: tuple[float, float, float], pace: tuple[float, float] | None) -> None:
    same, distance, error = measures
    text = f"  {name:24}{same:>17.1%} {distance:>9.4f}{error:>15.4f}"
    print(text + (f"{pace[0]:>13,.0f} ({pace[1]:.2f}x)" if pace else ""))


def main() -> None:
    parser = argparse.ArgumentParser(description="int8 beside fp32: likeness and speed.")
    parser.add_argument("files", nargs="*", help="network files, or names of networks that were added")
    parser.add_argument("--board", type=int, default=19, help="the board for Go")
    parser.add_argument("--positions", type=int, default=128, help="positions to judge")
    options = parser.parse_args()
    files = options.files or [str(nets.find(name)) for name in default_files()]
    if not files:
        print("nets: no network is installed; name a file, or add one with `kibitz nets add FILE`")
        return
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(f"{cpu_name()}, {os.cpu_count()} cores{load}")
    for file in files:
        report(file, options.board, options.positions)


def default_files() -> list[str]:
    """One network a game, from the user's own or from the folder beside the project."""
    from kibitz.nets import store

    beside = Path(__file__).resolve().parents[2] / "shared" / "nets"
    wanted = ("g170-b6c96-s175395328-d26788732.bin.gz", "maia-1900.pb.gz")
    return store.names() or [str(beside / name) for name in wanted if (beside / name).is_file()]


if __name__ == "__main__":
    main()
