"""The file of Othello's pattern evaluation, and the one that comes with the package.

A file is the line `kibitz othello evaluation 1`, a line of JSON (sizes, ProbCut parameters, widths of the
chance of winning, the recipe, the payload's SHA-256), then the weights: int16, stage after stage, each stage
as its difference from the one before, compressed by zlib.

>>> from kibitz.games.othello import evaluation
>>> evaluation.bundled().header["game"]
'othello'
"""

from __future__ import annotations

import hashlib
import json
import zlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kibitz import _native
from kibitz.errors import BadTable
from kibitz.files.whole_file import write_whole

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAGIC = b"kibitz othello evaluation 1\n"
#: A file is far smaller than either.
MOST_BYTES, MOST_HEADER = 64 << 20, 1 << 20


@dataclass(frozen=True)
class Evaluation:
    """Weights ready for the core, and what the file says of them."""

    native: _native.OthelloEvaluation
    header: dict[str, Any]
    #: Stages by slots, in 1/128 of a disc.
    weights: NDArray[np.int16]


def load(path: Path) -> Evaluation:
    """Reads a file; BadTable says what is wrong with it."""
    import numpy as np  # slow to import, and most programs load no evaluation

    if not path.is_file():
        raise BadTable(f"{path}: no such file")
    if path.stat().st_size > MOST_BYTES:
        raise BadTable(f"{path}: too large for an Othello evaluation")
    data = path.read_bytes()
    if not data.startswith(MAGIC):
        raise BadTable(f"{path}: not an Othello evaluation (it begins with {data[:16]!r})")
    end = data.find(b"\n", len(MAGIC), len(MAGIC) + MOST_HEADER)
    try:
        header = json.loads(data[len(MAGIC) : end])
        stages, slots = int(header["stages"]), int(header["slots"])
        payload = data[end + 1 :]
        if hashlib.sha256(payload).hexdigest() != header["sha256"]:
            raise BadTable(f"{path}: damaged (its check sum differs)")
        expected = _native.OTHELLO_STAGES, _native.othello_pattern_slots()
        if (stages, slots) != expected:
            raise BadTable(f"{path}: {stages} stages of {slots} weights, expected {expected}")
        size = 2 * stages * slots
        raw = zlib.decompressobj().decompress(payload, size + 1)
        if len(raw) != size:
            raise BadTable(f"{path}: cut short")
        differences = np.frombuffer(raw, "<i2").reshape(stages, slots)
        weights = np.cumsum(differences, axis=0, dtype=np.int16)
        return Evaluation(native_evaluation(weights, header), header, weights)
    except (KeyError, TypeError, ValueError, zlib.error) as error:
        raise BadTable(f"{path}: not a whole Othello evaluation ({error})") from None


def native_evaluation(weights: NDArray[np.int16], header: dict[str, Any]) -> _native.OthelloEvaluation:
    """Weights, cuts and widths for the core."""
    import numpy as np

    native = _native.OthelloEvaluation(np.ascontiguousarray(weights))
    for stage, depth, shallow, slope, offset, sigma in header["cuts"]:
        native.set_cut(stage, depth, shallow, slope, offset, sigma)
    for empties, shallow, slope, offset, sigma in header["endCuts"]:
        native.set_end_cut(empties, shallow, slope, offset, sigma)
    for stage, width in enumerate(header["widths"]):
        native.set_width(stage, width)
    return native


def save(path: Path, weights: NDArray[np.int16], header: dict[str, Any]) -> None:
    """Writes a file by way of a temporary one, so that a kill leaves the old file or the new."""
    import numpy as np

    differences = np.diff(weights, axis=0, prepend=np.zeros((1, weights.shape[1]), np.int16))
    payload = zlib.compress(differences.astype("<i2").tobytes(), 9)
    written = {
        "game": "othello",
        "stages": weights.shape[0],
        "slots": weights.shape[1],
        **header,
        "sha256": hashlib.sha256(payload).hexdigest(),
    }
    write_whole(path, MAGIC + json.dumps(written).encode() + b"\n" + payload)


@cache
def bundled() -> Evaluation:
    """The evaluation that comes with the package (docs/othello-evaluation.md tells how it was made)."""
    return load(Path(__file__).with_name("othello.eval"))


@cache
def use_bundled() -> None:
    """Makes it the evaluation of searches and solvers, once; a training run sets its own instead."""
    _native.set_othello_evaluation(bundled().native)
