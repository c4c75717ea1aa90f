"""Which of Lichess's puzzles the engine solves without the solution, by rating and by budget.

    python -m tools.chess_puzzles puzzles.csv.gz --sample 60 --nodes 1000,10000,100000

A puzzle is solved when every move of the solver is the engine's first choice; another
mate is as good at the end.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from pathlib import Path

import kibitz
from tools.chess_themes import puzzles

#: Ratings from which a row of the table begins.
_STEPS = (0, 600, 800, 1000, 1200, 1400)


def solved(engine: kibitz.Engine, row: dict[str, str], nodes: int) -> bool:
    opponents, *solution = row["moves"].split()
    position = kibitz.chess.Position(row["fen"]).play(opponents)
    for number, move in enumerate(solution):
        if number % 2 == 0:
            found = engine.analyze(position, simulations=nodes).best
            if found != move and not (number == len(solution) - 1 and _both_mate(position, found, move)):
                return False
        position = position.play(move)
    return True


def _both_mate(position: kibitz.chess.Position, *moves: str) -> bool:
    return all(position.play(move).ending == "checkmate" for move in moves)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--sample", type=int, default=60, help="puzzles of each row")
    parser.add_argument("--nodes", default="1000,10000,100000")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    budgets = [int(text) for text in given.nodes.split(",")]
    rows: dict[int, list[dict[str, str]]] = defaultdict(list)
    for row in puzzles(given.file, "all"):
        rows[max(step for step in _STEPS if step <= int(row["rating"]))].append(row)
    print("| rating | puzzles | " + " | ".join(f"{nodes:,} nodes" for nodes in budgets) + " |")
    print("|---|---|" + "---|" * len(budgets))
    rng = random.Random(given.seed)
    for step, after in zip(_STEPS, (*_STEPS[1:], None), strict=True):
        sample = rng.sample(rows[step], min(given.sample, len(rows[step])))
        shares = []
        for nodes in budgets:
            with kibitz.Engine("chess", search="alphabeta") as engine:
                shares.append(sum(solved(engine, row, nodes) for row in sample) / max(1, len(sample)))
        name = f"{step} to {after - 1}" if after else f"{step} and more"
        print(
            f"| {name} | {len(sample)} | " + " | ".join(f"{share:.0%}" for share in shares) + " |", flush=True
        )


if __name__ == "__main__":
    main()
