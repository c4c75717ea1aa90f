"""Before and after, counted in instructions: a fair comparison on a machine that is busy with other things.

    python benchmarks/instructions.py --before OLD/.venv/bin/python --after .venv/bin/python
        [--go-network b6c96.bin.gz] [--chess-network maia-1900.pb.gz] [--only chess] [--level baseline]

Every workload runs in both interpreters under `valgrind --tool=callgrind`, with one thread and fixed numbers
of simulations, and the ratio before / after is printed: above 1 is faster now. What Python itself executes
is counted too, so each workload is run in two sizes and the difference is compared. valgrind knows no
AVX-512: both builds need the level that `--level` names (`make LEVELS=baseline,auto`). `--counter cpu` takes
the least processor time of several runs instead, for a quick look.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

#: What must not get slower by more than 2%.
LEAST = 0.98

#: What defaults are called that have been replaced.
_FORMER_DEFAULT = {"othello": "tree", "uttt": "playouts", "junqi": "former"}

_SEARCH = """
import kibitz
from kibitz.engine import Engine
from kibitz.games import registry
info = registry.get({game!r})
position = info.position().play(*info.demo)
options = {{"seed": 1}} if {game!r} == "junqi" else {{"seed": 1, "threads": 1, "batch": 1, "solve_root": 0}}
# The same work on both sides: a newer default may have another evaluation, or a network.
preset = next(name for name in {presets!r} if name in info.presets)
evaluator = info.presets[preset].get("evaluator", "" if {game!r} == "junqi" else "playout")
if evaluator:
    options["evaluator"] = evaluator
with Engine({game!r}, preset, **options) as engine:
    engine.analyze(position, simulations={{size}})
"""
_STEERED = """
import kibitz
from kibitz.engine import Engine
position = kibitz.chess.Position()
with Engine("chess", "default", seed=1, threads=1, batch=1, evaluator="hand") as engine:
    engine.analyze(position, simulations={size}, avoid=["a2a3"], weights={"e2e4": 2.0}, prune="progressive")
"""
_OTHELLO_SOLVER = """
import kibitz
from kibitz.games import registry
position = kibitz.othello.Position()
while position.empties > {size}:
    position = position.play(position.legal_moves[0])
registry.get("othello").solve(position, 1000.0, lambda: False, True)
"""
_UTTT_SOLVER = """
import kibitz
from kibitz.games import registry
position = kibitz.uttt.Position()
for ply in range(81 - {size}):
    following = position.play(position.legal_moves[(7 * ply + 3) % len(position.legal_moves)])
    if following.is_over:
        break
    position = following
registry.get("uttt").solve(position, 1000.0, lambda: False, True)
"""
_PERFT = """
from kibitz.games import registry
info = registry.get({game!r})
info.perft(info.position(), {{size}})
"""
_NETWORK = """
import numpy as np
from kibitz import nets
network = nets.load({path!r}, runtime="native")
shape = network.shape()
planes = (np.arange(shape.planes * shape.rows * shape.columns) % 7 == 0).astype(np.float32)
planes = planes.reshape(1, shape.planes, shape.rows, shape.columns)
numbers = np.zeros((1, shape.globals), np.float32)
for _ in range({{size}}):
    network(planes, numbers)
"""
_RECORD = """
import kibitz
game = kibitz.chess.Position()
for ply in range({size}):
    game = game.play_on(("g1f3", "g8f6", "f3g1", "f6g8")[ply % 4])
"""


@dataclass(frozen=True)
class Workload:
    """A program with `{size}` in it, and the two sizes it is run with: `large` under valgrind, which is fifty
    times slower, `long` where time is taken."""

    name: str
    program: str
    small: int
    large: int
    long: int


def workloads(go_network: Path | None, chess_network: Path | None) -> Iterator[Workload]:
    sizes = {
        "othello": (6000, 300_000),
        "uttt": (4000, 100_000),
        "chess": (2500, 60_000),
        "go": (600, 2_000),
        "junqi": (40_000, 200_000),
    }
    for game, (large, long) in sizes.items():
        presets = (_FORMER_DEFAULT.get(game, "default"), "default")
        # In Go every move of the root is visited once first, and each visited move is a row of the report.
        # Junqi's first worlds are dealt and searched whole, however few nodes are asked for.
        small = {"go": 400, "junqi": 4000}.get(game, 10)
        yield Workload(f"search {game}", _SEARCH.format(game=game, presets=presets), small, large, long)
    yield Workload("search chess steered", _STEERED, 10, 2500, 60_000)
    yield Workload("solve othello", _OTHELLO_SOLVER, 4, 11, 21)
    yield Workload("solve uttt", _UTTT_SOLVER, 8, 26, 34)
    # Enough that what Python itself varies by, some million instructions, does not count.
    depths = {"othello": (9, 10), "uttt": (6, 7), "chess": (5, 6), "go": (3, 3)}
    for game, (large, long) in depths.items():
        yield Workload(f"perft {game}", _PERFT.format(game=game), 1, large, long)
    for name, path in (("go", go_network), ("chess", chess_network)):
        if path is not None:
            yield Workload(f"network {name} {path.name}", _NETWORK.format(path=str(path)), 1, 4, 60)
    yield Workload("record of chess", _RECORD, 10, 4000, 60_000)


def run(python: Path, level: str, command: list[str]) -> subprocess.CompletedProcess[str]:
    values = {**os.environ, "PYTHONHASHSEED": "0"}
    if level:
        values["KIBITZ_CPU_LEVEL"] = level
    done = subprocess.run(command, env=values, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{python} failed:\n{done.stderr[-2000:]}")
    return done


def instructions(python: Path, level: str, program: str) -> int:
    with tempfile.TemporaryDirectory() as folder:
        valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out"]
        done = run(python, level, [*valgrind, str(python), "-c", program])
    match = re.search(r"Collected : (\d+)", done.stderr)
    if match is None:
        raise SystemExit(f"valgrind counted nothing:\n{done.stderr[-2000:]}")
    return int(match[1])


_SPENT = """
import resource
print("cpu", int(1e6 * resource.getrusage(resource.RUSAGE_SELF).ru_utime))
"""


def microseconds(python: Path, level: str, program: str) -> int:
    runs = (run(python, level, [str(python), "-c", program + _SPENT]) for _ in range(7))
    return min(int(done.stdout.rsplit("cpu ", 1)[1]) for done in runs)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--before", type=Path, required=True, help="python of the older build")
    parser.add_argument("--after", type=Path, required=True, help="python of the newer build")
    parser.add_argument("--level", default="baseline", help="CPU level of both, '' for their best")
    parser.add_argument("--counter", choices=("callgrind", "cpu"), default="callgrind")
    parser.add_argument("--go-network", type=Path)
    parser.add_argument("--chess-network", type=Path)
    parser.add_argument("--only", default="", help="workloads with this in their name")
    asked = parser.parse_args()
    count = instructions if asked.counter == "callgrind" else microseconds
    unit = "million instructions" if asked.counter == "callgrind" else "ms"
    scale = 1e6 if asked.counter == "callgrind" else 1e3
    slower = 0
    print(f"{'workload':34} {'before':>12} {'after':>12}  ratio  ({unit})", flush=True)
    for work in workloads(asked.go_network, asked.chess_network):
        if asked.only not in work.name:
            continue
        spent = []
        for python in (asked.before, asked.after):
            sizes = (work.small, work.large if count is instructions else work.long)
            programs = [work.program.replace("{size}", str(size)) for size in sizes]
            small, large = (count(python, asked.level, program) for program in programs)
            spent.append(max(large - small, 1))
        ratio = spent[0] / spent[1]
        slower += ratio < LEAST
        mark = "  slower" if ratio < LEAST else ""
        print(
            f"{work.name:34} {spent[0] / scale:12,.1f} {spent[1] / scale:12,.1f} {ratio:6.3f}{mark}",
            flush=True,
        )
    sys.exit(1 if slower else 0)


if __name__ == "__main__":
    main()
