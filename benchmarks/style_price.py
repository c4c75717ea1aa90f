"""What a style does and costs in the opening: games up to some ply, judged by another engine.

    python -m benchmarks.style_price style=light style=medium style=strong --visits 15000 --search alphabeta
    python -m benchmarks.style_price style=medium style=profile.json:strong --network none --games 200
    python -m benchmarks.style_price --results levels/tree--100-visits-medium-match.jsonl

Each player, a list of options as `kibitz match` has them, plays no style from openings of random plies, every
opening twice with sides changed. The judge (Stockfish, so many nodes) gives centipawns at the last ply, which
count as an expected result 1 / (1 + 10^(-cp / 400)). The shift is that of S (`--measure`) in the same games,
in standard deviations of games of no style with itself; one side of two has the style. With `--results` the
positions are those of a match file of `kibitz match`, and the expected result stands beside the real one.
Intervals are 95%, over pairs of games.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterable, Sequence
from pathlib import Path

import chess
import chess.engine
import numpy as np

import kibitz
from kibitz.arena import GameFinished, GameRecord, engine_player, read_results, run_match
from kibitz.arena.program import find_program
from kibitz.errors import BadOption
from kibitz.request import Budget
from kibitz.style import load_norm, measure
from kibitz.style.metrics import CHARACTER, Array, measure_character
from kibitz.style.report import sigma_shift


def played(asked: argparse.Namespace, options: str) -> list[GameRecord]:
    """The player with these options against one with the common ones."""
    common = dict(item.split("=", 1) for item in asked.common.split(",") if item)
    common["search"] = asked.search
    own = dict(item.split("=", 1) for item in options.split(",") if item)
    events = run_match(
        "chess",
        engine_player(options={**common, **own}),
        engine_player(options=common),
        games=asked.games,
        budget=Budget(visits=asked.visits),
        network=asked.network or None,
        openings=asked.openings or None,
        opening_plies=None if asked.openings else asked.opening_plies,
        seed=asked.seed,
        max_plies=asked.plies,
    )
    return [event.record for event in events if isinstance(event, GameFinished)]


def moves_of(record: GameRecord, plies: int) -> list[str]:
    return [*record.opening["moves"], *record.moves][:plies]


def measured(records: Sequence[GameRecord], plies: int, name: str) -> Array:
    """A measure of each game, in the order of the openings."""
    values = []
    for record in sorted(records, key=lambda record: record.game):
        position = kibitz.chess.Position(record.opening.get("position") or None).play(
            *moves_of(record, plies)
        )
        if name in CHARACTER:
            values.append(measure_character(position)[CHARACTER.index(name)])
        else:
            found = vars(measure(position))
            values.append(float(load_norm().score(found)) if name == "s" else float(found[name]))
    return np.array(values)


def expected(judge: chess.engine.SimpleEngine, record: GameRecord, plies: int, nodes: int) -> float:
    """The result that the judge expects for A after so many plies."""
    board = chess.Board(record.opening.get("position") or chess.STARTING_FEN)
    for move in moves_of(record, plies):
        board.push_uci(move)
    score = judge.analyse(board, chess.engine.Limit(nodes=nodes), game=object())["score"]
    centipawns = score.white().score(mate_score=10000)
    white = 1 / (1 + 10 ** (-centipawns / 400))
    return white if record.game % 2 == 0 else 1 - white


def elo_of(values: Iterable[tuple[int, float]]) -> tuple[float, float, dict[str, float]]:
    """Mean and half of its interval over whole pairs, and the same in Elo."""
    pairs: dict[int, list[float]] = {}
    for pair, value in values:
        pairs.setdefault(pair, []).append(value)
    means = [sum(pair) / 2 for pair in pairs.values() if len(pair) == 2]
    mean = sum(means) / len(means)
    spread = math.sqrt(sum((value - mean) ** 2 for value in means) / max(1, len(means) - 1) / len(means))
    ends = {"value": mean, "low": mean - 1.96 * spread, "high": mean + 1.96 * spread}
    return mean, 1.96 * spread, {name: -400 * math.log10(1 / value - 1) for name, value in ends.items()}


def interval_text(values: Iterable[tuple[int, float]]) -> str:
    mean, half, elo = elo_of(values)
    interval = f"{elo['low']:+.0f} to {elo['high']:+.0f}"
    return f"{mean:.3f} +- {half:.3f}, Elo {elo['value']:+.0f} ({interval})"


def report(
    judge: chess.engine.SimpleEngine, asked: argparse.Namespace, name: str, records: Sequence[GameRecord]
) -> None:
    values = [(record.pair, expected(judge, record, asked.plies, asked.nodes)) for record in records]
    if asked.output:
        by = f"{judge.id.get('name', asked.judge)}, {asked.nodes:,} nodes at ply {asked.plies}"
        asked.output.write_text(
            json.dumps({"games": len(records), "elo": elo_of(values)[2], "by": by}) + "\n"
        )
    print(
        f"{name}: {len(records)} games, expected after ply {asked.plies}: {interval_text(values)}", flush=True
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("players", nargs="*", metavar="OPTIONS", help="such as style=medium,style_price=0.02")
    parser.add_argument("--common", default="", help="options of both sides")
    parser.add_argument("--search", default="tree")
    parser.add_argument("--visits", type=int, default=100)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plies", type=int, default=24)
    parser.add_argument("--opening-plies", type=int, default=2)
    parser.add_argument("--openings", default="", help="a file of openings in the place of random plies")
    parser.add_argument("--measure", default="s", help="s, cl, fch, ..., ka or ex")
    parser.add_argument("--network", default="", help="the bundled one by default")
    parser.add_argument("--results", type=Path, help="judge the games of this file of `kibitz match` instead")
    parser.add_argument("--output", type=Path, help="write the price of the last player, for `style levels`")
    parser.add_argument("--judge", default="stockfish", help="a UCI engine")
    parser.add_argument("--nodes", type=int, default=20000)
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
            print(f"{asked.results.name}: {len(records)} games, results: {interval_text(real)}")
            return
        plain = measured(played(asked, ""), asked.plies, asked.measure)
        for options in asked.players:
            records = played(asked, options)
            report(judge, asked, options, records)
            shift = sigma_shift(plain, measured(records, asked.plies, asked.measure))
            if shift is not None:
                interval = f"{shift.value:+.2f} ({shift.low:+.2f} to {shift.high:+.2f})"
                print(f"{options}: shift of {asked.measure} {interval}", flush=True)


if __name__ == "__main__":
    main()
