"""Questions held against what others know.

    python -m benchmarks.questions ../shared/data/chess/lichess-puzzles.csv.gz --count 200

Refute: the first move of a puzzle of Lichess is the mistake that its solution punishes. Refuting it should
give the first move of the solution. Line: in Othello near the end, what a step costs by alpha-beta is held
against the exact solver, move by move.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import random
from collections import Counter
from typing import Any

from kibitz import Engine, chess, othello
from kibitz.questions import Question


def refutations(path: str, count: int, nodes: int, seed: int) -> dict[str, Any]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    verdicts: Counter[str] = Counter()
    agreed = plies = 0
    with Engine("chess", search="alphabeta") as engine:
        for row in random.Random(seed).sample(rows, count):
            mistake, *solution = row["moves"].split()
            report = engine.analyze(
                chess.Position(row["fen"]), ask=Question("refute", (mistake,)), simulations=nodes
            )
            [reply] = report.replies
            verdicts[reply.verdict] += 1
            if reply.verdict != "sound":
                agreed += len(reply.line) > 1 and reply.line[1] == solution[0]
                plies += len(reply.line)
    refuted = count - verdicts["sound"]
    return {
        "puzzles": count,
        "nodes": nodes,
        **verdicts,
        "firstMoveOfSolution": agreed / max(1, refuted),
        "meanPlies": plies / max(1, refuted),
    }


def costs(count: int, empties: int, seed: int) -> dict[str, Any]:
    """Steps of lines of random moves; the cost is wrong where its sign or size is not the solver's."""
    rng, steps, wrong = random.Random(seed), 0, 0
    with Engine("othello", search="alphabeta") as engine:
        while count:
            position = othello.Position()
            while not position.is_over and position.empties > empties:
                position = position.play(rng.choice(position.legal_moves))
            line, after = [], position
            for _ in range(4):
                if after.is_over:
                    break
                line.append(rng.choice(after.legal_moves))
                after = after.play(line[-1])
            if len(line) < 4 or after.is_over:
                continue
            count -= 1
            [reply] = engine.analyze(position, ask=Question("line", tuple(line)), simulations=10**7).replies
            at = position
            for step in reply.steps:
                exact = {item.move: item.half_points / 2 for item in _solved(at)}
                steps += 1
                wrong += abs(step.cost - (max(exact.values()) - exact[step.move])) > 0.01
                at = at.play(step.move)
    return {"steps": steps, "wrongCosts": wrong}


def _solved(position: othello.Position) -> Any:
    from kibitz.games.othello.endgame import solve_for_engine

    exact = solve_for_engine(position, 60.0, lambda: False, True)
    assert exact is not None
    return exact.moves


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("puzzles")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--nodes", type=int, default=60_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    print(
        json.dumps({"refute": refutations(asked.puzzles, asked.count, asked.nodes, asked.seed)}), flush=True
    )
    print(json.dumps({"line": costs(asked.count // 2, 10, asked.seed)}))


if __name__ == "__main__":
    main()
