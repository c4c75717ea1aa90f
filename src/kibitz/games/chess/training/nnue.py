"""Training of chess's efficiently updatable network on labelled positions.

    python -m kibitz.games.chess.training.nnue labels/*.bin -o chess.knet --priors old.knet --run runs/nnue

The network is that of native/games/chess/evaluate/nnue.h, and the core fits its weights (nnue_fit.h). This
module chooses batches and rates, keeps checkpoints, and writes the file, which takes its priors from another
network. docs/training.md has the format of the labels, docs/lab/bundled-networks.md the recipe of the
bundled network.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz import _native
from kibitz.errors import BadRequest
from kibitz.files.whole_file import whole_file, write_whole
from kibitz.nets.files import read_network_file
from kibitz.nets.own.file import read_own, write_own

Records = NDArray[np.uint8]

#: A labelled position.
RECORD = np.dtype(
    [
        ("occupied", "<u8"),
        ("pieces", "u1", 16),
        ("score", "<i2"),
        ("result", "i1"),
        ("flags", "u1"),
        ("ply", "<u2"),
        ("move", "<u2"),
    ]
)
CHECKPOINT = "checkpoint.npz"
#: Result of a position that was not part of its game.
NO_RESULT = 2
#: Centipawns whose expected result has a logit of 1 (`kLogitCentipawns`).
_LOGIT_CENTIPAWNS = 173.7178
#: The first positions of every file are held back, whole games but the last.
_HELD_BACK = 0.01


@dataclass(frozen=True)
class Recipe:
    width: int = 256
    epochs: float = 8.0
    batch: int = 16384
    rate: float = 1e-3
    warmup: int = 200
    #: The teacher's units of a logit of 1 in the loss, and of 100 centipawns.
    unit: float = 400.0
    pawn: float = 361.0
    #: Share of the game's result in the target.
    result_share: float = 0.15
    #: Power of the error in the loss.
    power: float = 2.5
    seed: int = 1


def read_labels(files: Sequence[Path]) -> tuple[Records, Records]:
    """Positions to learn from, and those held back."""
    learned, held = [], []
    for file in files:
        records = np.fromfile(file, np.uint8)
        records = records[: len(records) // RECORD.itemsize * RECORD.itemsize].reshape(-1, RECORD.itemsize)
        count = round(len(records) * _HELD_BACK)
        held.append(records[:count])
        learned.append(records[count:])
    return np.concatenate(learned), np.concatenate(held)


def targets(records: Records, recipe: Recipe) -> NDArray[np.float64]:
    """The expected results to be learned."""
    rows = records.reshape(-1).view(RECORD)
    chance = 1 / (1 + np.exp(-rows["score"].astype(np.float64) / recipe.unit))
    known = rows["result"] != NO_RESULT
    mixed = chance + recipe.result_share * (rows["result"] / 2 + 0.5 - chance)
    return np.where(known, mixed, chance)


def held_back_error(fit: _native.ChessNnueFit, records: Records, recipe: Recipe) -> float:
    """Root mean square of the error of the expected result."""
    said = 1 / (1 + np.exp(-fit.predict(records).astype(np.float64)))
    return float(np.sqrt(np.mean((said - targets(records, recipe)) ** 2)))


def rate_at(step: int, steps: int, recipe: Recipe) -> float:
    """Rises for `warmup` steps, then falls to a hundredth along a half cosine."""
    if step < recipe.warmup:
        return recipe.rate * (step + 1) / recipe.warmup
    done = (step - recipe.warmup) / max(1, steps - recipe.warmup)
    return recipe.rate * (0.01 + 0.99 * 0.5 * (1 + float(np.cos(np.pi * done))))


def train(
    records: Records,
    held: Records,
    recipe: Recipe,
    run: Path,
    say: Callable[[str], None] = print,
    every: int = 500,
    start: Path | None = None,
) -> _native.ChessNnueFit:
    """The fit after all epochs. The run's folder has a checkpoint, from which an interrupted run goes on; the
    folder of another run, `start`, gives the first weights."""
    run.mkdir(parents=True, exist_ok=True)
    fit = _native.ChessNnueFit(recipe.width, recipe.seed)
    if start is not None:
        fit.restore(np.ascontiguousarray(np.load(start / CHECKPOINT)["state"]))
    steps = max(1, round(recipe.epochs * len(records) / recipe.batch))
    settings = json.dumps({**asdict(recipe), "positions": len(records)}, sort_keys=True)
    checkpoint, first = run / CHECKPOINT, 0
    if checkpoint.exists():
        kept = np.load(checkpoint)
        if str(kept["settings"]) != settings:
            raise BadRequest(f"{run} holds a run with another recipe or other labels; take another folder")
        fit.restore(np.ascontiguousarray(kept["state"]))
        first = int(kept["step"])
    per_epoch = max(1, len(records) // recipe.batch)
    order, epoch = np.zeros(0, np.int64), -1
    total, count, began = 0.0, 0, time.monotonic()
    for step in range(first, steps):
        if step // per_epoch != epoch:
            epoch = step // per_epoch
            order = np.random.default_rng((recipe.seed, epoch)).permutation(len(records))
        at = step % per_epoch * recipe.batch
        batch = records[order[at : at + recipe.batch]]
        rate = rate_at(step, steps, recipe)
        total += fit.step(batch, recipe.unit, recipe.result_share, recipe.power, rate)
        count += 1
        if (step + 1) % every == 0 or step + 1 == steps:
            error = held_back_error(fit, held, recipe)
            speed = count * recipe.batch / (time.monotonic() - began)
            say(
                f"step {step + 1} of {steps}: loss {total / count:.5f}, held back {error:.5f}, {speed:,.0f}/s"
            )
            total, count, began = 0.0, 0, time.monotonic()
            with whole_file(checkpoint) as file:
                np.savez(file, state=fit.state(), step=step + 1, settings=settings)
    return fit


def export(fit: _native.ChessNnueFit, recipe: Recipe, priors: Path, about: dict[str, Any]) -> bytes:
    """The network's file. A logit of the file is one of an expected result of ten to one at 400 centipawns,
    whatever the loss took for it."""
    other = read_own(read_network_file(priors))
    tensors = dict(other.tensors)
    tensors.update(fit.tensors())
    ratio = np.float32(recipe.unit / (_LOGIT_CENTIPAWNS * recipe.pawn / 100))
    for name in ("score.output.weights", "score.output.bias"):
        tensors[name] = tensors[name] * ratio
    arch = replace(other.arch, terms=0, term_filters=0, score_filters=recipe.width)
    return write_own(arch, tensors, about)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("labels", type=Path, nargs="+", help="files of labelled positions")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--priors", type=Path, required=True, help="the network whose priors it takes")
    parser.add_argument("--run", type=Path, required=True, help="folder of the checkpoint")
    parser.add_argument("--start", type=Path, help="folder of a run whose weights it begins with")
    parser.add_argument("--name", default="chess-nnue")
    for name, value in asdict(Recipe()).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value)
    given = parser.parse_args(arguments)
    recipe = Recipe(**{name: getattr(given, name) for name in asdict(Recipe())})
    records, held = read_labels(given.labels)
    print(f"{len(records):,} positions, {len(held):,} held back", flush=True)
    fit = train(records, held, recipe, given.run, lambda text: print(text, flush=True), start=given.start)
    about = {
        "name": given.name,
        "positions": len(records),
        "configuration": asdict(recipe),
        "data": {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in given.labels},
        "evaluation": {"error": held_back_error(fit, held, recipe)},
    }
    write_whole(given.output, export(fit, recipe, given.priors, about))
    return 0


if __name__ == "__main__":
    sys.exit(main())
