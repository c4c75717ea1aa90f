"""Evaluations a second of transformers with random weights, in the core and in ONNX Runtime.

    python benchmarks/transformers.py 256 --rounds 12
    python benchmarks/transformers.py 1024 --rounds 4          # BT4's shape: 600 MB of weights

Per second of processor time, one thread, all in turns; the best and the median of the rounds.
"""

from __future__ import annotations

import argparse
import gzip
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

sys.path[0] = str(Path(__file__).resolve().parent.parent)

from kibitz import nets  # noqa: E402
from tests.nets.lc0_attention_writer import (  # noqa: E402
    MISH,
    MULTIHEAD,
    PE_DENSE,
    RELU_2,
    SWISH,
    AttentionWriter,
    Variant,
)

_SMOLGEN = (32, 256, 256)
SIZES = {
    "256": Variant(
        layers=10,
        channels=256,
        heads=8,
        width=256,
        ffn=1024,
        smolgen_sizes=_SMOLGEN,
        ffn_activation=RELU_2,
        smolgen_activation=SWISH,
        value_hidden=128,
    ),
    "1024": Variant(
        structure=MULTIHEAD,
        embedding=PE_DENSE,
        policy_heads=("vanilla", "optimistic", "soft", "opponent"),
        value_heads=("winner", "q", "st"),
        layers=15,
        channels=1024,
        heads=32,
        width=1024,
        ffn=1536,
        smolgen_sizes=_SMOLGEN,
        ffn_activation=MISH,
        smolgen_activation=SWISH,
        value_hidden=128,
    ),
}


def boards(count: int, seed: int) -> Any:
    return (np.random.default_rng(seed).random((count, 112, 8, 8)) < 0.1).astype(np.float32)


def measured(networks: dict[str, nets.Network], batch: int, rounds: int) -> dict[str, list[float]]:
    """Evaluations a second of each round."""
    planes = boards(batch, 7)
    for network in networks.values():
        network(planes)
    speeds: dict[str, list[float]] = {name: [] for name in networks}
    for _ in range(rounds):
        for name, network in networks.items():
            begun = time.process_time()
            network(planes)
            speeds[name].append(batch / (time.process_time() - begun))
    return speeds


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("size", choices=SIZES)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--batches", type=int, nargs="+", default=[1, 16])
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "random.pb.gz"
        path.write_bytes(gzip.compress(AttentionWriter(SIZES[given.size]).file(), 1))
        networks = {
            "core fp32": nets.load(path, runtime="native"),
            "core int8": nets.load(
                path, runtime="native", precision="int8", calibration=lambda *_: (boards(16, 3), None)
            ),
            "ONNX Runtime fp32": nets.load(path, runtime="onnxruntime"),
        }
        for batch in given.batches:
            speeds = measured(networks, batch, given.rounds)
            peer = max(speeds["ONNX Runtime fp32"])
            for name, each in speeds.items():
                row = {
                    "encoders": given.size,
                    "batch": batch,
                    "what": name,
                    "best": round(max(each), 1),
                    "median": round(statistics.median(each), 1),
                    "ratio": round(max(each) / peer, 2),
                }
                print(json.dumps(row) if given.json else "  ".join(f"{value}" for value in row.values()))


if __name__ == "__main__":
    main()
