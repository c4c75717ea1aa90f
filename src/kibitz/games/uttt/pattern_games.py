"""Self-play of ultimate tic-tac-toe for its pattern evaluation: fast games with short searches, as shards.

A shard is a `.npz` file with the searched positions of some hundred games as the mover saw them, each with
the value of its search (exact near the end) and the result of its game. `kibitz.games.uttt.fit_patterns`
learns from folders of shards.

    python -m kibitz.games.uttt.pattern_games shards --rules codingame --games 10000 --depth 4

A shard depends on its number and the settings only. A run that was stopped goes on with the missing shards.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kibitz import _native
from kibitz.files.whole_file import whole_file
from kibitz.games.uttt.evaluation import evaluation
from kibitz.games.uttt.position import RULES

GAMES_A_SHARD = 500


@dataclass(frozen=True)
class ShardSettings:
    """What decides the games of a run, together with the number of a shard."""

    rules: str = "codingame"
    depth: int = 3
    patterns: str = ""
    """The file of the evaluation that plays; empty for the bundled one."""


def generate(
    folder: Path, settings: ShardSettings, shards: range, *, name: str = "games", games: int = GAMES_A_SHARD
) -> None:
    """Writes the shards that are not there yet."""
    folder.mkdir(parents=True, exist_ok=True)
    patterns = evaluation(settings.patterns or None)
    rule = RULES.index(settings.rules)
    for shard in shards:
        path = folder / f"{name}-{settings.rules}-{shard:05d}.npz"
        if path.exists():
            continue
        began = time.monotonic()
        positions = _native.uttt_selfplay(patterns, rule, games, settings.depth, shard)
        with whole_file(path) as file:
            np.savez_compressed(
                file, rules=np.array([settings.rules]), positions=np.frombuffer(positions, np.uint8)
            )
        print(f"{path.name}: {len(positions) // 22} positions, {time.monotonic() - began:.1f} s", flush=True)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rules", default="codingame", choices=RULES)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0, help="number of the first shard")
    parser.add_argument("--depth", type=int, default=3, help="plies of the search for each move")
    parser.add_argument("--patterns", default="", help="evaluation that plays; the bundled one by default")
    parser.add_argument("--name", default="games", help="how the names of the shards begin")
    given = parser.parse_args(arguments)
    settings = ShardSettings(given.rules, given.depth, given.patterns)
    count = -(-given.games // GAMES_A_SHARD)
    generate(given.folder, settings, range(given.first, given.first + count), name=given.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
