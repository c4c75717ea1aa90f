"""Games measured a second, beside the same measures written with python-chess: `python benchmarks/style.py`.

Prints the ratio for whole games of 80 plies and for openings of 16, and checks that all values are equal;
then how fast a search with the style is beside one without.
"""

from __future__ import annotations

import io
import random
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
from kibitz import nets  # noqa: E402
from kibitz.style import METRICS, measure_pgn  # noqa: E402
from tests.style.plain_metrics import plain_metrics  # noqa: E402
from tests.style.random_games import random_game  # noqa: E402

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
    stream, measures = io.StringIO(text), []
    while (game := chess.pgn.read_game(stream)) is not None:
        measures.append(plain_metrics(game.board(), list(game.mainline_moves())))
    return measures, len(measures) / (time.perf_counter() - began)


def native(path: Path, copies: int) -> tuple[list[tuple[float, ...]], float]:
    began = time.perf_counter()
    games = measure_pgn(path)
    speed = len(games) / (time.perf_counter() - began)
    columns = [games[name] for name in METRICS]
    rows = [(games.plies[i], *(column[i] for column in columns)) for i in range(len(games) // copies)]
    return rows, speed


def searched(style: str, position: kibitz.chess.Position, network: nets.Network | None) -> float:
    """Seconds of processor time for a simulation, on one thread."""
    simulations = 8_000 if network is None else 300
    with kibitz.Engine("chess", network=network, seed=1, threads=1, style=style) as engine:
        began = time.process_time()  # other programs on the machine matter less
        report = engine.analyze(position, simulations=simulations)
        return (time.process_time() - began) / report.simulations


def dial(network: nets.Network | None, positions: int = 24, rounds: int = 8) -> None:
    """What the dial costs in speed. A search with the style sees other positions, and the machine's speed
    wanders: so many openings, each searched off, medium and off in turn, and the median of the ratios with
    the interval that nine in ten samples of them would give."""
    starts = []
    for seed in range(positions):
        _, moves = random_game(seed, 6)
        starts.append(kibitz.chess.Position().play(*(move.uci() for move in moves)))
    searched("off", starts[0], network)
    ratios, noise = [], []
    for start in starts * rounds:
        before, medium, after = (searched(style, start, network) for style in ("off", "medium", "off"))
        ratios.append((before + after) / 2 / medium)
        noise.append(before / after)
    judge = "the hand-written judgement" if network is None else network.name
    print(f"style, {judge}: medium searches at {spread(ratios)} of the speed of off, off at {spread(noise)}")


def spread(ratios: list[float]) -> str:
    """The median, and between what the medians of nine in ten samples lie."""
    drawn = random.Random(1)
    medians = sorted(statistics.median(drawn.choices(ratios, k=len(ratios))) for _ in range(1000))
    return f"{statistics.median(ratios):.3f} ({medians[50]:.3f} to {medians[950]:.3f})"


def main() -> None:
    worst = float("inf")
    for plies, games, copies in ((80, 150, 40), (16, 400, 60)):
        text = pgn_text(games, plies)
        expected, slow = plain(text)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "games.pgn"
            path.write_text(text * copies, encoding="utf-8")
            measures, fast = native(path, copies)
        if measures != expected:
            raise SystemExit("the values differ")
        worst = min(worst, fast / slow)
        print(
            f"style, games of {plies} plies: kibitz {fast:,.0f} games/s, python-chess {slow:,.1f} games/s, "
            f"ratio {fast / slow:.0f}, values equal"
        )
    print(f"style: at least {worst:.0f} times as fast as python-chess (wanted {WANTED:.0f})")
    dial(None)
    network = ROOT.parent / "shared" / "nets" / "maia-1900.pb.gz"
    if network.is_file():
        dial(nets.load(network, runtime="native"))


if __name__ == "__main__":
    main()
