"""Games and positions that self-play makes on one core, and how the batch grows with the games at once.

    python benchmarks/selfplay.py othello NET --visits 16 -o rule=gumbel --parallel 1 8 32 128

Figures are per second of processor time, so that other programs disturb them little: what one core does. The
games are the same in every row. Without NET the search plays by playouts.
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
from pathlib import Path
from typing import Any

# This folder's chess.py would hide the library of that name.
sys.path.pop(0)
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from kibitz.games.networks import load_file
from kibitz.request import Budget
from kibitz.training.core_play import CoreGames
from kibitz.training.self_player import SelfPlayer
from kibitz.training.settings import SelfplaySettings


def measure(settings: SelfplaySettings, network: Any, parallel: int, threads: int) -> tuple[float, ...]:
    """Games, positions and evaluations per second of processor time, and positions in a batch."""
    player = SelfPlayer(settings, network, at_once=parallel, threads=threads)
    numbers = iter(range(settings.games))
    lock = threading.Lock()
    positions = 0

    def play() -> None:
        nonlocal positions
        while True:
            with lock:
                number = next(numbers, None)
            if number is None:
                return
            game = player.play(number)
            with lock:
                positions += len(game.moves)

    began = time.process_time()
    callers = [threading.Thread(target=play) for _ in range(parallel)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    spent = time.process_time() - began
    assert isinstance(player.games, CoreGames)
    batches, leaves = player.games.batches
    player.close()
    return settings.games / spent, positions / spent, leaves / spent, leaves / max(1, batches)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("network", nargs="?", default="")
    parser.add_argument("--games", type=int, default=64)
    parser.add_argument("--visits", type=int, default=16)
    parser.add_argument("--plies", type=int, default=0)
    parser.add_argument("--position", default="")
    parser.add_argument("--preset", default="default")
    parser.add_argument("--precision", default="fp32")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--parallel", type=int, nargs="+", default=[1, 8, 32, 128])
    parser.add_argument("-o", "--option", action="append", default=[])
    asked = parser.parse_args()
    options: dict[str, Any] = dict(text.split("=", 1) for text in asked.option)
    settings = SelfplaySettings(
        asked.game,
        games=asked.games,
        budget=Budget(visits=asked.visits),
        plies=asked.plies,
        position=asked.position,
        preset=asked.preset,
        options=options,
    )
    network = None
    if asked.network:
        network = load_file(asked.game, asked.network, precision=asked.precision).for_search()
    print(f"{asked.game}, {asked.visits} visits, {asked.games} games, {asked.precision}")
    print(
        "| games at once | games/s | positions/s | evaluations/s | positions in a batch |\n"
        "|---|---|---|---|---|"
    )
    for parallel in asked.parallel:
        games, positions, leaves, batch = measure(settings, network, parallel, asked.threads)
        print(f"| {parallel} | {games:.2f} | {positions:,.0f} | {leaves:,.0f} | {batch:.1f} |", flush=True)


if __name__ == "__main__":
    main()
