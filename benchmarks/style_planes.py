"""What planes about style and the style head cost: processor time of encoding and of a search, memory of the
tree, with and without. Prints ratios; random weights, 64 filters x 6 blocks unless told otherwise.

    python -m benchmarks.style_planes [--visits 800] [--filters 64] [--blocks 6]
"""

from __future__ import annotations

import argparse
import tempfile
import time
import zlib
from pathlib import Path

import numpy as np

import kibitz
from kibitz import _native
from kibitz.engine import Engine
from kibitz.games.networks import load_network
from kibitz.nets.own.architecture import Architecture, tensor_shapes
from kibitz.nets.own.file import write_own


def network(folder: Path, filters: int, blocks: int, planes: tuple[str, ...], head: bool) -> Path:
    """The same tower each time, and the planes weigh nothing: all of them search the same tree."""
    arch = Architecture(
        "chess", "residual", 112 + len(planes), 0, 8, 8, filters, blocks,
        policy_filters=filters, value_hidden=128, has_pass=False,
        style=head, style_outputs=2 if head else 1, style_planes=" ".join(planes),
    )  # fmt: skip
    tensors = {}
    for name, shape in tensor_shapes(arch).items():
        if name == "first.weights":
            shape = (shape[0], 112, *shape[2:])
        dice = np.random.default_rng(zlib.crc32(name.encode()))
        drawn = dice.normal(0, 0.5, shape) / np.sqrt(max(1, np.prod(shape[1:])))
        tensors[name] = drawn.astype(np.float32)
    tensors["first.weights"] = np.pad(tensors["first.weights"], ((0, 0), (0, len(planes)), (0, 0), (0, 0)))
    path = folder / f"{len(planes)}-{head}.knet"
    path.write_bytes(write_own(arch, tensors, {"name": path.stem}, "fp32"))
    return path


def positions(count: int) -> list[kibitz.chess.Position]:
    line = [kibitz.chess.Position()]
    while len(line) < count:
        last = line[-1]
        line.append(last.play(last.legal_moves[7 * len(line) % len(last.legal_moves)]))
    return line


def encoding(names: tuple[str, ...]) -> float:
    """Microseconds a position."""
    states = [position.start.state.written_as("classical", list(names)) for position in positions(1)]
    state = states[0]
    for text in positions(24)[-1].moves:
        state = state.replayed([state.parse_move(text)])
    planes = np.empty(state.sample_shape[:3], np.float32)
    numbers = np.empty(0, np.float32)
    best = float("inf")
    for _ in range(7):
        began = time.process_time()
        for _ in range(3000):
            state.encode_into(planes, numbers)
        best = min(best, time.process_time() - began)
    return 1e6 * best / 3000


def searched(path: Path, visits: int, style: str = "") -> tuple[float, int]:
    """Processor seconds and bytes of the tree."""
    options = {"style": style} if style else {}
    network = load_network("chess", str(path))  # as it is: no tuning in the background
    with Engine("chess", network=network, threads=1, seed=1, reuse=False, cache_mb=0, batch=8) as engine:
        engine.analyze(positions(1)[0], visits=30)
        began, memory = time.process_time(), 0
        for position in positions(6):
            report = engine.analyze(position, visits=visits, **options)
            memory = max(memory, report.root.memory_bytes)
        return time.process_time() - began, memory


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--visits", type=int, default=800)
    parser.add_argument("--filters", type=int, default=64)
    parser.add_argument("--blocks", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    names = tuple(_native.STYLE_PLANES)
    plain = encoding(())
    print(f"encoding: {plain:.2f} us, with 8 planes {encoding(names):.2f} us; each alone:")
    for name in names:
        print(f"  {name:18} {encoding((name,)) - plain:+.2f} us")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        kinds = {
            "without": network(place, args.filters, args.blocks, (), False),
            "head": network(place, args.filters, args.blocks, (), True),
            "planes and head": network(place, args.filters, args.blocks, names, True),
        }
        best = dict.fromkeys(kinds, float("inf"))
        memory = dict.fromkeys(kinds, 0)
        for _ in range(args.rounds):  # in turns, so that a busy machine is busy for all
            for kind, path in kinds.items():
                seconds, memory[kind] = searched(path, args.visits)
                best[kind] = min(best[kind], seconds)
        for kind in kinds:
            print(
                f"{kind:16} {best[kind]:.2f} s, {best[kind] / best['without'] - 1:+.1%}; tree "
                f"{memory[kind] / 1e6:.2f} MB, {memory[kind] / memory['without'] - 1:+.1%}"
            )


if __name__ == "__main__":
    main()
