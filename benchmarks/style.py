"""Games measured a second, beside the same measures written with python-chess: `python benchmarks/style.py`.

Prints the ratio for whole games of 80 plies and for openings of 16, and checks that all values are equal;
then how fast a search with the style is beside one without.
"""

from __future__ import annotations

import io
import statistics
import sys
import tempfile
import time
from pathlib import Path

# The package is wanted, not the file of that name in this folder.
sys.path.pop(0)

import chess
import chess.pgn

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import kibitz  # noqa: E402
from kibitz.style import METRICS, measure_pgn  # noqa: E402
from tests.style.games import random_game  # noqa: E402
from tests.style.plain_metrics import plain_metrics  # noqa: E402

WANTED = 50.0


def pgn_text(games: int, plies: int) -> str:
    """Random games as PGN."""
    parts = []
    for seed in range(games):
        start, moves = random_game(seed, plies)
        game = chess.pgn.Game()
        game.setup(start)
        game.add_line(moves)
        parts.append(str(game))
    return "\n\n".join(parts) + "\n\n"


def plain(text: str) -> tuple[list[tuple[float, ...]], float]:
    began = time.perf_counter()
    stream, found = io.StringIO(text), []
    while (game := chess.pgn.read_game(stream)) is not None:
        found.append(plain_metrics(game.board(), list(game.mainline_moves())))
    return found, len(found) / (time.perf_counter() - began)


def native(path: Path, copies: int) -> tuple[list[tuple[float, ...]], float]:
    began = time.perf_counter()
    games = measure_pgn(path)
    speed = len(games) / (time.perf_counter() - began)
    columns = [games[name] for name in METRICS]
    rows = [(games.plies[i], *(column[i] for column in columns)) for i in range(len(games) // copies)]
    return rows, speed


def searched(style: str, simulations: int = 20_000) -> float:
    """Simulations for each second of processor time, of searches in the opening."""
    total, seconds = 0, 0.0
    for moves in ((), ("g3", "e5"), ("d4", "Nf6", "c4", "g6", "Nc3", "Bg7")):
        with kibitz.Engine("chess", "default", seed=1, style=style) as engine:
            began = time.process_time()  # of all threads: other programs on the machine matter less
            report = engine.analyze(kibitz.chess.Position().play(*moves), simulations=simulations)
            seconds += time.process_time() - began
        total += report.simulations
    return total / seconds


def dial() -> None:
    """What the dial costs in speed: runs in turns, the median of their ratios, and how much two runs of the
    same differ."""
    searched("off", 5000)
    rounds = [(searched("off"), searched("medium"), searched("off")) for _ in range(9)]
    ratio = statistics.median(2 * medium / (before + after) for before, medium, after in rounds)
    noise = statistics.median(abs(after / before - 1) for before, _, after in rounds)
    print(
        f"style: medium searches at {ratio:.3f} of the speed of off (two runs of off differ by {noise:.3f})"
    )


def main() -> None:
    worst = float("inf")
    for plies, games, copies in ((80, 150, 40), (16, 400, 60)):
        text = pgn_text(games, plies)
        expected, slow = plain(text)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "games.pgn"
            path.write_text(text * copies, encoding="utf-8")
            found, fast = native(path, copies)
        if found != expected:
            raise SystemExit("the values differ")
        worst = min(worst, fast / slow)
        print(
            f"style, games of {plies} plies: kibitz {fast:,.0f} games/s, python-chess {slow:,.1f} games/s, "
            f"ratio {fast / slow:.0f}, values equal"
        )
    print(f"style: at least {worst:.0f} times as fast as python-chess (wanted {WANTED:.0f})")
    dial()


if __name__ == "__main__":
    main()
