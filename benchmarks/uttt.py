"""Ultimate tic-tac-toe, measured: `python benchmarks/uttt.py`, or some parts of it: `... playouts probes`.

    exact       10,000 random positions with at most seven empty cells, against plain minimax
    pairs       positions that have equal counts of X and O in every sub-board and yet another value
    playouts    plain UCT on one core, in turns with OpenSpiel's where that is installed
    probes      warm probes: native, from Python, many at once
    solver      positions of good play with 20 and with 28 empty cells
    levels      the build of levels 1 to 4: seconds, processor seconds, memory
    interrupt   a build killed three times gives the bytes of one that was not
    damage      a flipped byte is named by `verify` and never believed by a probe
    level5      the build of all of level 5 (130 MB of files)
    wide        the build with two open sub-boards up to ten empty cells (2.3 GB of files)

The last two run only if named. Everything is timed by the processor time of the process, so that other
programs change it little, and by the clock.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from kibitz import _native
from kibitz.engine import Engine
from kibitz.errors import BadTable
from kibitz.games.uttt import Position, rate_moves, solve
from kibitz.tablebase import Tablebase, TablebaseSolver, encode
from kibitz.tablebase.format import read_header
from kibitz.tablebase.verify import random_positions, verify

SIMULATIONS = 1_000_000
RUNS = 3


def timed(action: Callable[[], object]) -> tuple[float, float]:
    """Wall-clock and processor seconds."""
    wall, processor = time.perf_counter(), time.process_time()
    action()
    return time.perf_counter() - wall, time.process_time() - processor


# -- right answers ------------------------------------------------------------------------------------


def exact() -> None:
    """Every answer of `TablebaseSolver` and of the solver alone, move by move."""
    positions = random_positions(10_000, random.Random(7), lambda position: position.empties <= 7)
    tables, alone = TablebaseSolver(), _native.UtttSolver(64)
    results: Counter[int] = Counter()
    for position in positions:
        text = position.state.move_text
        truth = [(text(m), r, d) for m, r, d in _native.uttt_plain_minimax(position.state)]
        worth = truth[0][1:]
        top = {m for m, r, d in truth if (r, d) == worth}
        result, distance, (board, cell) = tables.solve(position)
        assert (result, distance) == worth
        assert f"{board}{cell}" in top
        for moves in (tables.moves(position), rate_moves(position, solver=alone).moves):
            assert sorted(moves) == sorted(truth)
            assert {m for m, r, d in moves if (r, d) == moves[0][1:]} == top
        solution = solve(position, solver=alone)
        assert (solution.result, solution.distance) == worth
        assert solution.best in top
        results[result] += 1
    print(
        f"exact: {len(positions):,} random positions with at most 7 empty cells ({results[1]:,} won, "
        f"{results[0]:,} drawn, {results[-1]:,} lost) equal plain minimax in result, distance, every move "
        "and the set of best moves"
    )


def counts_key(position: Position) -> tuple[object, ...]:
    """What a table that counts X and O would know of a position."""
    boards = tuple(
        (owner, board.count("X"), board.count("O")) if owner == "." else (owner,)
        for board, owner in zip(position.boards, position.owners, strict=True)
    )
    return boards, position.to_move, position.constraint


def pairs() -> None:
    seen: dict[tuple[object, ...], dict[tuple[int, int], Position]] = {}
    solver = TablebaseSolver()
    for position in random_positions(20_000, random.Random(8), lambda position: position.empties <= 7):
        result, distance, _ = solver.solve(position)
        seen.setdefault(counts_key(position), {})[result, distance] = position
    clashes = [values for values in seen.values() if len({result for result, _ in values}) > 1]
    asked = 0
    for values in clashes:
        for answer, position in values.items():
            assert _native.uttt_plain_minimax(position.state)[0][1:] == answer
            asked += 1
    print(
        f"pairs: {len(clashes):,} of {len(seen):,} keys made of counts hold positions of different results; "
        f"all {asked:,} of them are answered as plain minimax does"
    )


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


def digest(folder: Path) -> dict[str, str]:
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.iterdir())
        if not path.name.startswith(".")
    }


def interrupt() -> None:
    options = ("--max-empty", "6", "--max-open", "2")
    rng = random.Random()
    with (
        tempfile.TemporaryDirectory(prefix="uttt-") as one,
        tempfile.TemporaryDirectory(prefix="uttt-") as other,
    ):
        begun = time.perf_counter()
        subprocess.run(build_command(Path(one), *options), check=True, capture_output=True)
        whole = time.perf_counter() - begun
        moments = []
        while len(moments) < 3:
            moment = rng.uniform(0.15, 0.5) * whole
            run = subprocess.Popen(
                build_command(Path(other), *options, "--threads", "1"),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            try:
                run.wait(moment)
                raise RuntimeError("the build was over before it could be killed; run this part again")
            except subprocess.TimeoutExpired:
                run.send_signal(signal.SIGKILL)
                run.wait()
                moments.append(moment)
        subprocess.run(build_command(Path(other), *options), check=True, capture_output=True)
        assert digest(Path(one)) == digest(Path(other))
        print(
            f"interrupt: kill -9 after {', '.join(f'{moment:.1f}' for moment in moments)} s (a whole build "
            f"takes {whole:.1f} s), then resumed: {len(digest(Path(one)))} files, byte for byte the same"
        )


def damage() -> None:
    with tempfile.TemporaryDirectory(prefix="uttt-") as name:
        folder = Path(name)
        subprocess.run(build_command(folder, "--max-empty", "4"), check=True, capture_output=True)
        path = folder / "uttt-standard-n04-k3.ktb"
        header = read_header(path)
        block = random.randrange(header.blocks)
        at = header.data_offset + block * header.block_bytes + random.randrange(1000)
        data = bytearray(path.read_bytes())
        data[at] ^= 1 << random.randrange(8)
        path.write_bytes(data)
        problems = verify(folder, sample=1).problems
        assert problems == [f"{path}: block {block} is damaged (checksum)"]
        tables, raised = Tablebase(folder), 0
        for position in random_positions(20_000, random.Random(3), lambda position: position.empties == 4):
            try:
                tables.probe(position)
            except BadTable as error:
                raised += f"block {block} is damaged" in str(error)
        assert raised > 0
        print(f"damage: one bit of byte {at:,} flipped; verify names block {block}, {raised:,} probes raise")


PARTS = {
    part.__name__: part
    for part in (exact, pairs, playouts, probes, solver, levels, interrupt, damage, level5, wide)
}
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
