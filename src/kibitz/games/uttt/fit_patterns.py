"""Training of ultimate tic-tac-toe's pattern evaluation on shards of self-play.

    python -m kibitz.games.uttt.fit_patterns shards -o patterns.kup --epochs 20

The network is that of native/games/uttt/evaluate/patterns.h. In training the embedding of a filling is
the sum of a free row and of a small network over its cells and lines, so that rare fillings learn from common
ones; what is written is the table. Embeddings are rounded as in the file from the first step on. Both endings
share the embeddings and the first weights. docs/uttt-evaluation.md tells the whole recipe.
"""

from __future__ import annotations

import argparse
import struct
import sys
import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save
from torch import Tensor, nn

from kibitz import _native
from kibitz.files.whole_file import write_whole
from kibitz.games.uttt.position import RULES, Position

EMBEDDING, HIDDEN, SECOND, CLASSES = 16, 64, 32, 11096
#: Scales of the file's integers; see the shifts of native/games/uttt/evaluate/patterns.cpp.
_EMBEDDING_ONE, _FIRST_ONE, _SECOND_ONE, _CLIPPED_ONE = 32, 512, 1024, 256
_CLIP = 2047 / _CLIPPED_ONE
_MOST_WEIGHT = 7.99

_LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


@dataclass
class Samples:
    """Positions as the mover sees them, and what to learn from each."""

    classes: NDArray[np.uint16]  # (n, 9)
    constraints: NDArray[np.uint8]  # 9 for any sub-board
    endings: NDArray[np.uint8]
    values: NDArray[np.float32]  # of the search at the root
    results: NDArray[np.float32]  # of the game; NaN where a random move came later
    stretches: NDArray[np.int32]  # which of them are held back together

    def __len__(self) -> int:
        return len(self.values)

    def take(self, chosen: NDArray[Any]) -> Samples:
        return Samples(*(getattr(self, name)[chosen] for name in self.__dataclass_fields__))


#: A position as native/games/uttt/search/selfplay.h writes it.
POSITION = np.dtype(
    [("classes", "<u2", 9), ("constraint", "u1"), ("result", "u1"), ("value", "<u2")], align=False
)


def samples_of(positions: NDArray[Any], ending: int, group: int = 0) -> Samples:
    """Positions of self-play; `group` tells runs apart when some positions are held back."""
    unknown = positions["result"] > 2
    results = np.where(unknown, np.nan, positions["result"] / 2.0)
    # Positions of a game stand together, so whole stretches are held back.
    stretches = np.arange(len(positions)) // 2000 + group
    return Samples(
        np.ascontiguousarray(positions["classes"]),
        np.ascontiguousarray(positions["constraint"]),
        np.full(len(positions), ending, np.uint8),
        (positions["value"] / 10000.0).astype(np.float32),
        results.astype(np.float32),
        stretches.astype(np.int32),
    )


def sample_of(position: Position) -> Samples:
    """One position, to be shown to a model."""
    one = np.zeros(1, POSITION)
    one["classes"] = _native.uttt_classes(position.state)
    one["constraint"] = 9 if position.constraint is None else position.constraint
    return samples_of(one, RULES.index(position.rules))


def joined(parts: Sequence[Samples]) -> Samples:
    return Samples(
        *(np.concatenate([getattr(part, name) for part in parts]) for name in Samples.__dataclass_fields__)
    )


def read_shards(paths: Sequence[Path]) -> Samples:
    """The positions of shards (kibitz.games.uttt.pattern_games)."""
    parts = []
    for path in paths:
        with np.load(path, allow_pickle=False) as shard:
            ending = RULES.index(str(shard["rules"][0]))
            parts.append(samples_of(np.frombuffer(shard["positions"].tobytes(), POSITION), ending))
    return joined(parts)


# -- fillings --------------------------------------------------------------------------------------


def _cells() -> NDArray[np.uint8]:
    """The nine cells of each filling: 0 empty, 1 the mover's, 2 the other side's."""
    numbers = np.arange(3**9)
    return np.stack([numbers // 3**cell % 3 for cell in range(9)], axis=1).astype(np.uint8)


def class_features() -> NDArray[np.float32]:
    """What the small network sees of each class: cells, and lines that are still open to a side."""
    classes = np.array(_native.uttt_filling_classes())
    cells = _cells()
    columns = [cells == 1, cells == 2]
    for line in _LINES:
        own = (cells[:, line] == 1).sum(1)
        other = (cells[:, line] == 2).sum(1)
        columns += [((other == 0) & (own == k))[:, None] for k in range(3)]
        columns += [((own == 0) & (other == k))[:, None] for k in range(3)]
    features = np.concatenate(columns, axis=1).astype(np.float32)
    out = np.zeros((CLASSES, features.shape[1] + 3), np.float32)
    opened = classes < CLASSES - 3
    out[classes[opened], : features.shape[1]] = features[opened]
    for closed in range(3):
        out[CLASSES - 3 + closed, features.shape[1] + closed] = 1.0
    return out


def symmetries() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each of the eight symmetries: from which place a sub-board comes, and what becomes of a class."""
    classes = np.array(_native.uttt_filling_classes())
    cells = _cells()
    representative = np.zeros(CLASSES, np.int64)
    representative[classes[::-1]] = np.arange(3**9)[::-1]
    powers = 3 ** np.arange(9)
    places, renamed = [], []
    square = np.arange(9).reshape(3, 3)
    for turned in (square, square[:, ::-1]):
        for quarter in range(4):
            source = np.rot90(turned, quarter).reshape(9).copy()
            places.append(source)
            renamed.append(classes[(cells[:, source] * powers).sum(1)][representative])
    return np.stack(places), np.stack(renamed)


# -- the network -----------------------------------------------------------------------------------


def _rounded(values: Tensor, one: float, most: float) -> Tensor:
    """Values as the file will have them; gradients pass as if nothing had happened."""
    clipped = values.clamp(-most, most)
    return clipped + (torch.round(clipped * one) / one - clipped).detach()


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        features = torch.from_numpy(class_features())
        self.register_buffer("features", features)
        self.inner = nn.Sequential(nn.Linear(features.shape[1], 64), nn.ReLU(), nn.Linear(64, 2 * EMBEDDING))
        self.rows = nn.Parameter(torch.zeros(CLASSES, 2 * EMBEDDING))
        self.first = nn.Parameter(torch.randn(10, EMBEDDING, HIDDEN) * 0.15)
        self.first_bias = nn.Parameter(torch.rand(2, 10, HIDDEN) * 0.2)
        self.second = nn.Parameter(torch.randn(1, HIDDEN, SECOND).repeat(2, 1, 1) * 0.15)
        self.second_bias = nn.Parameter(torch.rand(1, SECOND).repeat(2, 1) * 0.2)
        self.last = nn.Parameter(torch.randn(1, SECOND).repeat(2, 1) * 0.15)
        self.last_bias = nn.Parameter(torch.zeros(2))

    def tables(self) -> tuple[Tensor, Tensor]:
        """Embeddings of sub-boards, and of the one that must be played in."""
        both = self.inner(self.features) + self.rows
        both = _rounded(both, _EMBEDDING_ONE, 127 / _EMBEDDING_ONE)
        return both[:, :EMBEDDING], both[:, EMBEDDING:]

    def forward(self, classes: Tensor, constraints: Tensor, ending: int) -> Tensor:
        plain, active = self.tables()
        boards = plain[classes].reshape(len(classes), 9 * EMBEDDING)
        sums = boards @ self.first[:9].reshape(9 * EMBEDDING, HIDDEN)
        bound = (constraints < 9).nonzero().squeeze(1)
        named = classes[bound, constraints[bound]]
        sums = sums + self.first_bias[ending][constraints]
        sums = sums.index_add(0, bound, active[named] @ self.first[9])
        hidden = sums.clamp(0, _CLIP)
        hidden = (hidden @ self.second[ending] + self.second_bias[ending]).clamp(0, _CLIP)
        return hidden @ self.last[ending] + self.last_bias[ending]

    def keep_in_range(self) -> None:
        """Weights that the file's integers can hold."""
        with torch.no_grad():
            for weights in (self.first, self.second, self.last):
                weights.clamp_(-_MOST_WEIGHT, _MOST_WEIGHT)


def export(model: Model, temperatures: Sequence[float]) -> bytes:
    """The file; `temperatures` are those of the priors of each ending, in logits."""

    def integers(values: Tensor, one: float, kind: str) -> bytes:
        return bytes(np.rint(values.detach().numpy() * one).astype(kind).tobytes())

    plain, active = model.tables()
    out = [b"KIBUTTT1", struct.pack("<3i", EMBEDDING, HIDDEN, SECOND)]
    for ending in range(2):
        out += [
            struct.pack("<i", max(1, round(256 * temperatures[ending]))),
            integers(plain, _EMBEDDING_ONE, "<i1"),
            integers(active, _EMBEDDING_ONE, "<i1"),
            integers(model.first, _FIRST_ONE, "<i2"),
            integers(model.first_bias[ending], _EMBEDDING_ONE * _FIRST_ONE, "<i4"),
            integers(model.second[ending], _SECOND_ONE, "<i2"),
            integers(model.second_bias[ending], _CLIPPED_ONE * _SECOND_ONE, "<i4"),
            integers(model.last[ending], _SECOND_ONE, "<i2"),
            integers(model.last_bias[ending], _CLIPPED_ONE * _SECOND_ONE, "<i4"),
        ]
    body = b"".join(out)
    return body + struct.pack("<I", zlib.crc32(body))


# -- training --------------------------------------------------------------------------------------


def targets(samples: Samples, result_share: float) -> NDArray[np.float32]:
    """What each position should be worth: the search's value mixed with the game's result, where the game
    went on as the search wanted."""
    known = ~np.isnan(samples.results)
    mixed = (1 - result_share) * samples.values + result_share * np.nan_to_num(samples.results)
    return np.where(known, mixed, samples.values).astype(np.float32)


def train(
    model: Model,
    samples: Samples,
    *,
    epochs: int,
    batch: int = 8192,
    rate: float = 4e-3,
    result_share: float = 0.4,
    seed: int = 0,
    say: Any = print,
) -> None:
    """Trains in place; a twentieth is held back, and its error is said after every epoch."""
    chance = np.random.default_rng(seed)
    torch.manual_seed(seed)
    places, renamed = symmetries()
    held = samples.stretches % 20 == 19
    teach, check = samples.take(~held), samples.take(held)
    wanted, check_wanted = targets(teach, result_share), targets(check, result_share)
    optimizer = torch.optim.Adam(
        [
            {"params": [model.rows], "weight_decay": 1e-5},
            {"params": [p for name, p in model.named_parameters() if name != "rows"]},
        ],
        lr=rate,
    )
    groups = [np.flatnonzero(teach.endings == ending) for ending in range(2)]
    steps = epochs * sum(-(-len(group) // batch) for group in groups)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, max(2, steps), pct_start=0.15)
    loss_of = nn.BCEWithLogitsLoss()
    for epoch in range(epochs):
        began, total, count = time.monotonic(), 0.0, 0
        batches = [
            (ending, part)
            for ending, group in enumerate(groups)
            for part in np.array_split(chance.permutation(group), max(1, -(-len(group) // batch)))
            if len(part)
        ]
        for number in chance.permutation(len(batches)):
            ending, part = batches[number]
            turn = chance.integers(8)
            logits = model(*inputs(teach, part, (places[turn], renamed[turn])), ending)
            loss = loss_of(logits, torch.from_numpy(wanted[part]))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            model.keep_in_range()
            total += loss.item() * len(part)
            count += len(part)
        line = f"epoch {epoch + 1}: loss {total / max(1, count):.4f}, {time.monotonic() - began:.1f} s"
        if epoch % 5 == 4 or epoch == epochs - 1:
            line += "".join(
                f"; {RULES[ending]} held back: rms error {error:.4f} ({size} positions)"
                for ending in range(2)
                for error, size in [held_back_error(model, check, check_wanted, ending)]
                if size
            )
        say(line)


def inputs(
    samples: Samples,
    part: NDArray[Any],
    symmetry: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None,
) -> tuple[Tensor, Tensor]:
    """Classes and constraints of positions, through a symmetry if one is given."""
    classes, constraints = samples.classes[part].astype(np.int64), samples.constraints[part].astype(np.int64)
    if symmetry is not None:
        places, renamed = symmetry
        classes = renamed[classes[:, places]]
        constraints = np.append(np.argsort(places), 9)[constraints]
    return torch.from_numpy(classes), torch.from_numpy(constraints)


def held_back_error(
    model: Model, samples: Samples, wanted: NDArray[np.float32], ending: int
) -> tuple[float, int]:
    """Root mean square of the value's error, and over how many positions."""
    part = np.flatnonzero(samples.endings == ending)
    if not len(part):
        return 0.0, 0
    with torch.no_grad():
        logits = model(*inputs(samples, part), ending)
    error = torch.sigmoid(logits).numpy() - wanted[part]
    return float(np.sqrt(np.mean(error**2))), len(part)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("shards", type=Path, nargs="+", help="folders of shards")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--checkpoint", type=Path, help="start from these weights; they are written too")
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--batch", type=int, default=8192)
    parser.add_argument("--rate", type=float, default=4e-3)
    parser.add_argument("--result-share", type=float, default=0.4)
    parser.add_argument("--temperature", type=float, default=0.25, help="of priors, in logits")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args(arguments)
    torch.set_num_threads(given.threads)
    samples = read_shards(sorted(path for folder in given.shards for path in folder.glob("*.npz")))
    print(f"{len(samples)} positions", flush=True)
    torch.manual_seed(given.seed)
    model = Model()
    if given.checkpoint and given.checkpoint.exists():
        model.load_state_dict(load_file(given.checkpoint))
    train(
        model,
        samples,
        epochs=given.epochs,
        batch=given.batch,
        rate=given.rate,
        result_share=given.result_share,
        seed=given.seed,
        say=lambda line: print(line, flush=True),
    )
    if given.checkpoint:
        weights = {name: value.contiguous() for name, value in model.state_dict().items()}
        write_whole(given.checkpoint, save(weights))
    write_whole(given.output, export(model, [given.temperature] * 2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
