"""How well Kibitz agrees with KataGo, beside how well KataGo agrees with itself; both through the protocol.

    python -m tools.katago_agreement --katago PATH --network b6c96.bin.gz --network b18.bin.gz --visits 200

Both engines get the same queries of the analysis engine on stdin. KataGo runs twice with different seeds: two
searches of one engine differ too, and nothing can agree better than that. `--recorded FILE` takes a run of
KataGo from a file of {"query", "answer"} lines instead of starting one. With `--gate` the exit code is 1 when
Kibitz agrees less often than KataGo with itself by more than `--margin`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Answers = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Agreement:
    """Of two runs over the same positions."""

    positions: int
    first_moves: int
    #: Mean differences of the root: win rate, and lead in points.
    winrate: float
    lead: float

    def __str__(self) -> str:
        share = 100 * self.first_moves / max(1, self.positions)
        return (
            f"first move {self.first_moves}/{self.positions} ({share:.0f}%), "
            f"winrate {self.winrate:.4f}, lead {self.lead:.2f}"
        )


def positions(count: int, seed: int) -> list[dict[str, Any]]:
    """Queries of positions from games that are played at random near the stones, from the opening on."""
    from kibitz.games.go import Position

    queries = []
    for number in range(count):
        chance = random.Random(1000 * seed + number)
        size = chance.choice((9, 13, 19, 19))
        at, moves = Position(size, rules="chinese", komi=7.5), []
        for _ in range(chance.randrange(4, size * 2)):
            legal = [move for move in at.legal_moves if move != "pass"]
            move = chance.choice(legal)
            moves.append(["BW"[at.to_move], move])
            at = at.play(move)
        queries.append(
            {
                "id": f"p{number}",
                "moves": moves,
                "rules": "chinese",
                "komi": 7.5,
                "boardXSize": size,
                "boardYSize": size,
            }
        )
    return queries


def run(command: Sequence[str], queries: Sequence[dict[str, Any]]) -> Answers:
    """The final answers of an analysis engine, by the queries' ids."""
    text = "".join(json.dumps(query) + "\n" for query in queries)
    with tempfile.TemporaryDirectory() as folder:  # KataGo writes its logs where it stands
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False, cwd=folder)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    by_id = {answer["id"]: answer for answer in answers if answer.get("isDuringSearch") is False}
    if len(by_id) < len(queries):
        errors = [answer["error"] for answer in answers if "error" in answer]
        sys.exit(f"{command[0]}: {len(by_id)} of {len(queries)} answers; {errors[:1]} {done.stderr[-500:]}")
    return by_id


def first_move(answer: dict[str, Any]) -> str:
    best: dict[str, Any] = min(answer["moveInfos"], key=lambda info: info["order"])
    return str(best["move"])


def same_move(a: dict[str, Any], b: dict[str, Any]) -> bool:
    """Whether two answers have the same first move, or one that the position's symmetry makes equal."""

    def names(answer: dict[str, Any]) -> set[str]:
        best = first_move(answer)
        twins = {info["move"] for info in answer["moveInfos"] if info.get("isSymmetryOf") == best}
        return {best, *twins}

    return bool(names(a) & names(b))


def compare(a: Answers, b: Answers) -> Agreement:
    shared = sorted(set(a) & set(b))
    same = sum(same_move(a[name], b[name]) for name in shared)

    def mean(field: str) -> float:
        gaps = [float(abs(a[name]["rootInfo"][field] - b[name]["rootInfo"][field])) for name in shared]
        return sum(gaps) / max(1, len(gaps))

    return Agreement(len(shared), same, mean("winrate"), mean("scoreLead"))


def recorded(path: Path) -> tuple[list[dict[str, Any]], Answers]:
    """Queries and answers of a file of {"query", "answer"} lines."""
    data = path.read_bytes()
    data = gzip.decompress(data) if path.suffix == ".gz" else data
    rows = [json.loads(line) for line in data.splitlines()]
    queries = [{**row["query"], "id": f"p{number}"} for number, row in enumerate(rows)]
    return queries, {f"p{number}": row["answer"] for number, row in enumerate(rows)}


def kibitz_command(network: str, seed: int) -> list[str]:
    settings = f"nnRandomize=false,wideRootNoise=0,searchRandSeed={seed}"
    script = "from kibitz.cli import main; main()"
    words = ["katago", "analysis", "-model", network, "-override-config", settings]
    return [sys.executable, "-c", script, *words]


def katago_command(program: str, config: str | None, network: str, seed: int) -> list[str]:
    settings = (
        "logToStderr=false,logAllRequests=false,numAnalysisThreads=1,numSearchThreadsPerAnalysisThread=1,"
        f"wideRootNoise=0,searchRandSeed={seed},nnRandSeed={seed},nnRandomize=true"
    )
    settings += ",nnMaxBatchSize=8,logDir=logs,reportAnalysisWinratesAs=BLACK" if config is None else ""
    # KataGo wants a file; an empty one will do.
    return [
        program,
        "analysis",
        "-config",
        config or os.devnull,
        "-model",
        network,
        "-override-config",
        settings,
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--network", action="append", required=True, help="a network file; repeatable")
    parser.add_argument("--katago", help="KataGo's program")
    parser.add_argument("--config", help="KataGo's config file")
    parser.add_argument("--recorded", type=Path, help="a run of KataGo in a file, instead of the program")
    parser.add_argument("--positions", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--visits", type=int, default=200)
    parser.add_argument("--gate", action="store_true", help="exit with 1 when Kibitz agrees too little")
    parser.add_argument("--margin", type=int, default=4, help="first moves that may be missing")
    wanted = parser.parse_args()
    if not wanted.katago and not wanted.recorded:
        parser.error("--katago or --recorded is needed")
    failed = False
    for network in map(os.path.abspath, wanted.network):
        if wanted.recorded:
            queries, first = recorded(wanted.recorded)
            second = None
        else:
            queries = [
                {**query, "maxVisits": wanted.visits} for query in positions(wanted.positions, wanted.seed)
            ]
            program = os.path.abspath(shutil.which(wanted.katago) or wanted.katago)
            config = None if wanted.config is None else os.path.abspath(wanted.config)
            first, second = (run(katago_command(program, config, network, seed), queries) for seed in (1, 2))
        own = run(kibitz_command(network, wanted.seed), queries)
        print(f"{Path(network).name}")
        print(f"  kibitz and katago:  {compare(own, first)}")
        if second is not None:
            noise = compare(first, second)
            print(f"  katago and itself:  {noise}")
            agreed = compare(own, first)
            failed = failed or agreed.first_moves < noise.first_moves - wanted.margin
    if wanted.gate and failed:
        sys.exit(1)


if __name__ == "__main__":
    main()
