"""Counts how often our first choice is KataGo's at equal visits.

Run `python tools/katago_agreement.py NETWORK FILE`.
FILE holds a query and KataGo's answer a line (`{"query": ..., "answer": ...}`, gzipped JSON lines).
"""

from __future__ import annotations

import gzip
import json
import sys
from typing import Any

from kibitz import nets
from kibitz.engine import Engine
from kibitz.games.go import Position


def main(network: str, file: str, *settings: str) -> None:
    options: dict[str, Any] = dict(item.split("=", 1) for item in settings)
    same = count = 0
    distance = 0.0
    engine = Engine("go", network=nets.load(network), reuse=False, **options)
    with engine, gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            query, root = row["query"], row["answer"]["rootInfo"]
            size = (query["boardXSize"], query["boardYSize"])
            position = Position(size, rules=query["rules"], komi=query["komi"])
            for colour, vertex in query["moves"]:
                position = position.play_as(colour, vertex, tolerant=True)
            report = engine.analyze(position, visits=root["visits"])
            value = report.root.value if position.to_move == 0 else 1 - report.root.value
            count += 1
            same += report.best == row["answer"]["moveInfos"][0]["move"]
            distance += abs(value - root["winrate"])
            print(f"\r{same}/{count} the same first choice", end="", file=sys.stderr, flush=True)
    print(f"\n{same}/{count} = {same / count:.1%} first choices, winrate off by {distance / count:.4f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
