"""Ultimate tic-tac-toe: playouts beside a peer's, solver, tables. `python benchmarks/uttt.py`.

Playouts a second are counted on one core by processor time, so that a busy machine does not change them much.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable

from kibitz import _native
from kibitz.engine import Engine
from kibitz.games.uttt import Position, solve
from kibitz.tablebase import Tablebase, encode
from kibitz.tablebase.verify import random_positions

SIMULATIONS = 1_000_000


def timed(action: Callable[[], object]) -> tuple[float, float]:
    """Wall-clock and processor seconds."""
    wall, processor = time.perf_counter(), time.process_time()
    action()
    return time.perf_counter() - wall, time.process_time() - processor


def playouts() -> float:
    with Engine("uttt", "uct") as engine:
        wall, processor = timed(lambda: engine.analyze(Position(), simulations=SIMULATIONS))
    rate = SIMULATIONS / processor
    print(f"plain UCT: {rate:,.0f} playouts a second of one core ({SIMULATIONS / wall:,.0f} by the clock)")
    return rate


def peer(ours: float) -> None:
    try:
        import pyspiel  # type: ignore[import-not-found]
    except ImportError:
        print("peer: OpenSpiel is not installed (pip install open-spiel)")
        return
    game = pyspiel.load_game("ultimate_tic_tac_toe")
    simulations = 5_000
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 1.414, simulations, 1000, False, 1, False)
    state = game.new_initial_state()
    _, processor = timed(lambda: bot.mcts_search(state))
    rate = simulations / processor
    print(f"peer: OpenSpiel's MCTS: {rate:,.0f} a second; ours is {ours / rate:.1f} times as fast")


def good_positions(empties: int, count: int) -> list[Position]:
    """Positions of games between engines, after a random opening so that no two games are alike."""
    rng = random.Random(empties)
    found: list[Position] = []
    with Engine("uttt", "uct", c=0.7) as engine:
        while len(found) < count:
            position = Position()
            engine.new_game(seed=len(found) + 1)
            while not position.is_over and position.empties > empties:
                opening = position.empties > 60 and rng.random() < 1 / 3
                move = (
                    rng.choice(position.legal_moves)
                    if opening
                    else engine.best_move(position, simulations=1000)
                )
                position = position.play(move)
            if not position.is_over and position.empties == empties:
                found.append(Position(position.notation))
    return found


def solver() -> None:
    native = _native.UtttSolver(64)
    for empties, count in ((20, 100), (28, 40)):
        times = []
        for position in good_positions(empties, count):
            found = solve(position, solver=native)
            assert found.solved
            times.append(1000 * found.seconds)
        times.sort()
        print(
            f"solver, {empties} empty cells, {count} positions of good play: median "
            f"{statistics.median(times):.2f} ms, 90th percentile {times[9 * count // 10]:.2f} ms (wall clock)"
        )


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
    print(f"warm probe: {each * native / 50:.2f} us native, {each * single / 10:.2f} us from Python")
    print(
        f"probe_many: {50 * len(positions) / native:,.0f} a second from rows, "
        f"{50 * len(positions) / objects:,.0f} from positions"
    )


if __name__ == "__main__":
    peer(playouts())
    probes()
    solver()
