"""Reviews games of weak players and replays the evidence of every fact with python-chess.

    python -m tools.chess_fact_check --moves 1000

Games are played by low levels from a seed, each position is searched with the same number of nodes, and every
move is explained as a review does it: what was wrong with it, and what the better line does.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Iterator

import kibitz
from kibitz import levels
from kibitz.games.base import Position
from tests.games.chess.fact_checker import problems

#: Plies of a game.
_LONGEST = 120


def games(seed: int) -> Iterator[list[Position]]:
    """Positions of one game after the other."""
    rng = random.Random(seed)
    with kibitz.Engine("chess", search="tree", seed=seed) as engine:
        names = [level.name for level in kibitz.games.registry.get("chess").levels]
        low = [levels.get_level("chess", name) for name in names[:3]]
        while True:
            position: Position = kibitz.chess.Position()
            for _ in range(4):
                position = position.play(rng.choice(position.legal_moves))
            positions = [position]
            while not position.is_over and len(positions) < _LONGEST:
                move, _ = levels.play_at(engine, position, rng.choice(low), rng)
                position = position.play(move)
                positions.append(position)
            yield positions


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=1000)
    parser.add_argument("--nodes", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    reviewed, false, searching, explaining = 0, [], 0.0, 0.0
    codes, sentences, unexplained = Counter[str](), 0, 0
    with kibitz.Engine("chess", search="alphabeta") as engine:
        for positions in games(given.seed):
            began = time.process_time()
            reports = [
                None if at.is_over else engine.analyze(at, simulations=given.nodes) for at in positions
            ]
            searching += time.process_time() - began
            for number, (report, after) in enumerate(zip(reports, positions[1:], strict=False)):
                if report is None:
                    continue
                began = time.process_time()
                reply = reports[number + 1]
                line = [after.moves[-1], *(reply.moves[0].line if reply else ())]
                why = [kibitz.explain(report, line, after=reply), kibitz.explain(report)]
                said = [explanation.sentences() for explanation in why]
                explaining += time.process_time() - began
                reviewed += 1
                sentences += sum(map(len, said))
                unexplained += not any(fact.weight >= 0.01 for one in why for fact in one.facts)
                codes.update(fact.code for one in why for fact in one.facts)
                false += [problem for one in why for problem in problems(one)]
            print(f"{reviewed} moves, {len(false)} false", flush=True)
            if reviewed >= given.moves:
                break
    print(
        f"{reviewed} moves reviewed, {sum(codes.values())} facts, {sentences} sentences, "
        f"no reason for {unexplained} moves"
    )
    print(f"searching {searching:.1f} s, explaining {explaining:.1f} s ({explaining / searching:.1%})")
    print(", ".join(f"{code} {count}" for code, count in codes.most_common()))
    print(f"false: {len(false)}")
    for problem in false:
        print(f"  {problem}")


if __name__ == "__main__":
    main()
