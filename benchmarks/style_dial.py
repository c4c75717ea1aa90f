"""What the style dial does at each number of visits: the shift of S and S2, and what it spends.

    python -m benchmarks.style_dial --games 100 --visits 8,100,800 --levels medium,strong

For every level, mode (priors, budget) and number of visits, both sides play 24 plies with that style, from
openings of four random plies that are the same in every lot; the baseline plays them without style. Shifts
are in standard deviations of the baseline's games at the same visits, with 95% intervals. `spent` is what the
first choice was worth less than the best move with enough visits, a move, as the search itself sees it. Elo
is another question: `kibitz match chess default default:style=medium,style_mode=budget`.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kibitz
from kibitz.engine import Engine
from kibitz.style import compare, load_norm, measure_pgn

_PLIES = 24
_RANDOM_PLIES = 4
_SPENT = re.compile(r"([\d.]+)% spent")


def openings(games: int) -> Iterator[list[str]]:
    for seed in range(games):
        chance, position = random.Random(seed), kibitz.chess.Position()
        for _ in range(_RANDOM_PLIES):
            position = position.play(chance.choice(position.legal_moves))
        yield list(position.moves)


def play(path: Path, games: int, visits: int, engine_options: dict[str, Any]) -> float:
    """Plays the lot into a PGN file; returns what a move cost on average."""
    spent, moves, ended = 0.0, 0, []
    with Engine("chess", threads=1, **engine_options) as engine:
        for number, opening in enumerate(openings(games)):
            position = kibitz.chess.Position().play(*opening)
            while position.ply < _PLIES and not position.is_over:
                report = engine.analyze(position, visits=visits)
                matches = [
                    match for item in report.steering.honoured if (match := _SPENT.search(item.detail))
                ]
                spent, moves = spent + sum(float(match[1]) for match in matches), moves + 1
                position = position.play(report.best)
            ended.append((position, {"Round": str(number + 1)}))
            if sys.stderr.isatty():
                print(f"\r{path.name}: {number + 1} of {games} games", end="", file=sys.stderr, flush=True)
    kibitz.chess.write_pgn(path, ended)
    return spent / max(moves, 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--visits", default="8,100,800")
    parser.add_argument("--levels", default="medium,strong")
    parser.add_argument("--modes", default="priors,budget")
    parser.add_argument("--style", default="hypermodern")
    parser.add_argument("--budget", type=float, help="style_budget [default: the option's own]")
    parser.add_argument("--network", default="none")
    asked = parser.parse_args()
    norm, common = load_norm(), {"network": asked.network}
    print(
        f"{'visits':>7} {'level':8} {'mode':8} {'shift of S':>24} {'shift of S2':>24} {'spent':>7}",
        flush=True,
    )
    with tempfile.TemporaryDirectory() as folder:
        for visits in map(int, asked.visits.split(",")):
            off = Path(folder) / f"off-{visits}.pgn"
            play(off, asked.games, visits, dict(common))
            for level in asked.levels.split(","):
                for mode in asked.modes.split(","):
                    lot = Path(folder) / f"{level}-{mode}-{visits}.pgn"
                    options: dict[str, Any] = {
                        "style": f"{asked.style}:{level}",
                        "style_mode": mode,
                        **common,
                    }
                    if asked.budget is not None:
                        options["style_budget"] = asked.budget
                    spent = play(lot, asked.games, visits, options)
                    result = compare(measure_pgn(off), measure_pgn(lot), norm)
                    shifts = [result[name].shift for name in ("s", "s2")]
                    cells = [
                        "" if each is None else f"{each.value:+.2f} ({each.low:+.2f} to {each.high:+.2f})"
                        for each in shifts
                    ]
                    row = f"{visits:7,} {level:8} {mode:8} {cells[0]:>24} {cells[1]:>24}"
                    print(f"{row} {spent:6.2f}%", flush=True)


if __name__ == "__main__":
    main()
