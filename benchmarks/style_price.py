"""What a style costs in the opening: games that end where the style ends, judged by another engine.

    python -m benchmarks.style_price --network trunk.knet --style-network style.knet --precision int8 \
        --levels light,medium,strong --visits 100 --games 200
    python -m benchmarks.style_price --results lab/matches/medium-budget.jsonl

A level plays no style from openings of four random plies, every opening twice with sides changed, up to
ply 12; after that both sides of a whole game would play the same. The judge (Stockfish, so many nodes) gives
centipawns, which count as an expected result 1 / (1 + 10^(-cp / 400)). With `--results` the positions are
those of a match file of `kibitz match`, and the expected result stands beside the real one. Intervals are
95%, over pairs of games.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterable, Sequence
from pathlib import Path

import chess
import chess.engine

from kibitz.arena import (
    Budget,
    GameFinished,
    GameRecord,
    PlayerSpec,
    engine_player,
    read_results,
    run_match,
)
from kibitz.arena.program import find_program
from kibitz.errors import BadOption

_OPENING_PLIES = 4


def player(asked: argparse.Namespace, level: str) -> tuple[PlayerSpec, PlayerSpec]:
    """A with the style and B without."""
    common = {"precision": asked.precision} if asked.precision != "fp32" else {}
    styled = {"style": f"{asked.style}:{level}", "style_mode": asked.mode}
    if asked.style_network:
        styled["style_network"] = asked.style_network
    return engine_player(options=styled | common), engine_player(options=common)


def played(asked: argparse.Namespace, level: str, visits: int) -> list[GameRecord]:
    a, b = player(asked, level)
    events = run_match(
        "chess",
        a,
        b,
        games=asked.games,
        budget=Budget(visits=visits),
        network=asked.network,
        opening_plies=_OPENING_PLIES,
        parallel=32,
        seed=asked.seed,
        max_plies=asked.plies,
    )
    return [event.record for event in events if isinstance(event, GameFinished)]


def expected(judge: chess.engine.SimpleEngine, record: GameRecord, plies: int, nodes: int) -> float:
    """The result that the judge expects for A after so many plies."""
    board = chess.Board()
    for move in [*record.opening["moves"], *record.moves][:plies]:
        board.push_uci(move)
    score = judge.analyse(board, chess.engine.Limit(nodes=nodes), game=object())["score"]
    centipawns = score.white().score(mate_score=10000)
    white = 1 / (1 + 10 ** (-centipawns / 400))
    return white if record.game % 2 == 0 else 1 - white


def told(values: Iterable[tuple[int, float]]) -> str:
    """Mean and interval over whole pairs, and the same in Elo."""
    pairs: dict[int, list[float]] = {}
    for pair, value in values:
        pairs.setdefault(pair, []).append(value)
    means = [sum(pair) / 2 for pair in pairs.values() if len(pair) == 2]
    mean = sum(means) / len(means)
    spread = math.sqrt(sum((value - mean) ** 2 for value in means) / max(1, len(means) - 1) / len(means))
    elo = [-400 * math.log10(1 / value - 1) for value in (mean, mean - 1.96 * spread, mean + 1.96 * spread)]
    return f"{mean:.3f} +- {1.96 * spread:.3f}, Elo {elo[0]:+.0f} ({elo[1]:+.0f} to {elo[2]:+.0f})"


def report(
    judge: chess.engine.SimpleEngine, asked: argparse.Namespace, name: str, records: Sequence[GameRecord]
) -> None:
    values = [(record.pair, expected(judge, record, asked.plies, asked.nodes)) for record in records]
    print(f"{name}: {len(records)} games, expected after ply {asked.plies}: {told(values)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--levels", default="light,medium,strong")
    parser.add_argument("--visits", default="100")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plies", type=int, default=12)
    parser.add_argument("--style", default="hypermodern")
    parser.add_argument("--mode", default="budget")
    parser.add_argument("--network", default="none")
    parser.add_argument("--style-network", default="")
    parser.add_argument("--precision", default="fp32")
    parser.add_argument("--results", type=Path, help="judge the games of this file of `kibitz match` instead")
    parser.add_argument("--judge", default="stockfish", help="a UCI engine")
    parser.add_argument("--nodes", type=int, default=8000)
    asked = parser.parse_args()
    try:
        command = find_program(asked.judge)
    except BadOption as error:
        parser.error(f"--judge: {error}")
    with chess.engine.SimpleEngine.popen_uci(command) as judge:
        judge.configure({"Threads": 1, "Hash": 16})
        if asked.results is not None:
            records = [record for record in read_results(asked.results)[1] if record.forfeit is None]
            report(judge, asked, asked.results.name, records)
            real = [
                (record.pair, record.result if record.game % 2 == 0 else 1 - record.result)
                for record in records
            ]
            print(f"{asked.results.name}: {len(records)} games, results: {told(real)}")
            return
        for visits in map(int, asked.visits.split(",")):
            for level in asked.levels.split(","):
                report(judge, asked, f"{level}, {visits} visits", played(asked, level, visits))


if __name__ == "__main__":
    main()
