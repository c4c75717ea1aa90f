"""The columns of a shard, and a game's samples in memory.

A row is a position. Planes that hold only zeros and ones are packed as bits, the others (Lc0's count of moves
without progress) as float16. Everything is from the mover's side, as the sample of the game contract has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.errors import BadRequest, NotInstalled

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float32]

#: A new number when columns change their meaning; readers refuse others.
VERSION = 1
#: Ownership goes from -1 to 1 in steps of 1/127.
OWNERSHIP_STEPS = 127.0
#: The most outputs of a policy; an index has 16 bits.
_MAX_POLICY = 1 << 16


def arrow() -> Any:
    """pyarrow, or one clear line that says how to get it."""
    try:
        import pyarrow
        import pyarrow.dataset
        import pyarrow.parquet
    except ImportError:
        raise NotInstalled("pyarrow", "a Parquet file") from None
    return pyarrow


def schema() -> Any:
    """The columns of a shard."""
    pa = arrow()
    columns = [
        ("game", pa.dictionary(pa.int8(), pa.string())),
        ("game_id", pa.dictionary(pa.int32(), pa.string())),
        ("ply", pa.uint16()),
        ("plies_left", pa.uint16()),
        ("side", pa.uint8()),
        ("rows", pa.uint8()),
        ("columns", pa.uint8()),
        ("planes", pa.binary()),
        ("dense_index", pa.list_(pa.uint16())),
        ("dense_planes", pa.binary()),
        ("globals", pa.binary()),
        ("policy_index", pa.list_(pa.uint16())),
        ("policy_share", pa.list_(pa.float16())),
        ("policy_weight", pa.float32()),
        ("win", pa.float32()),
        ("draw", pa.float32()),
        ("loss", pa.float32()),
        ("q", pa.float32()),
        ("d", pa.float32()),
        ("score", pa.float32()),
        ("ownership", pa.binary()),
        ("style", pa.float32()),
        ("mover_style", pa.float32()),
        ("source", pa.dictionary(pa.int32(), pa.string())),
        ("seed", pa.int64()),
        ("generation", pa.int32()),
        ("tags", pa.list_(pa.string())),
    ]
    return pa.schema(columns, metadata={"kibitz-samples": str(VERSION)})


@dataclass(frozen=True)
class GameSamples:
    """The samples of one whole game, n positions, in the order they were played.

    `planes` [n, planes, rows, columns] and `globals` [n, globals] are what the sample contract encodes. A
    policy is (indices, shares), empty for a position without a policy target. `value` [n, 3] is win, draw,
    loss of the game's result (or of a teacher). What is not known is None: `q` (-1 to 1) and `d` (0 to 1),
    the search's root value and share of draws; `score`; `ownership` [n, rows, columns]; `style`. A single
    unknown number is NaN.

    >>> from kibitz.training.samples import samples_of_game
    >>> from kibitz.training.selfplay import play_games
    >>> from kibitz.training.settings import SelfplaySettings
    >>> settings = SelfplaySettings("uttt", games=1, budget=kibitz.Budget(visits=4), seed=1)
    >>> samples = samples_of_game(next(play_games(settings, [0], processes=0)), "first")
    >>> samples.game_id
    'first'
    """

    game: str
    #: Written once to a folder, whatever is killed and resumed.
    game_id: str
    planes: Floats
    globals: Floats
    policy: Sequence[tuple[Array, Array]]
    value: Floats
    side: Array
    ply: Array
    plies_left: Array
    q: Floats | None = None
    d: Floats | None = None
    score: Floats | None = None
    ownership: Floats | None = None
    #: Chess: S of the game, and S2 of the side to move.
    style: Floats | None = None
    mover_style: Floats | None = None
    #: How much the policy counts; 0 where the search was a cheap one (playout cap randomization).
    policy_weight: Floats | None = None
    source: str = ""
    seed: int = 0
    generation: int = 0
    tags: tuple[str, ...] = field(default=())

    def __len__(self) -> int:
        return len(self.planes)

    def check(self) -> None:
        """Raises BadRequest naming the array that does not fit."""
        count = len(self)
        if self.planes.ndim != 4:
            raise BadRequest(f"planes must be [n, planes, rows, columns], got {self.planes.shape}")
        for name in ("globals", "policy", "value", "side", "ply", "plies_left", "q", "d"):
            self._check_length(name, count)
        for name in ("score", "ownership", "style", "mover_style", "policy_weight"):
            self._check_length(name, count)
        for indices, shares in self.policy:
            if len(indices) != len(shares):
                raise BadRequest("a policy has as many shares as indices")
            if len(indices) and (np.min(indices) < 0 or np.max(indices) >= _MAX_POLICY):
                raise BadRequest(f"a policy index is out of range: {np.max(indices)}")
        if not np.isfinite(self.planes).all() or not np.isfinite(self.value).all():
            raise BadRequest(f"game {self.game_id}: planes or values are not numbers")

    def _check_length(self, name: str, count: int) -> None:
        value = getattr(self, name)
        if value is not None and len(value) != count:
            raise BadRequest(f"{name} has {len(value)} entries for {count} positions")


@dataclass(frozen=True)
class Batch:
    """Samples as a network is trained on them. Boards smaller than the largest of the batch lie in its first
    rows and columns; `mask` [n, 1, rows, columns] is 1 on the board. Unknown targets are NaN."""

    planes: Floats
    globals: Floats
    mask: Floats
    #: [n, policy] shares that add up to 1; on a batch of several sizes, in the order of the largest board.
    policy: Floats
    policy_weight: Floats
    value: Floats
    q: Floats
    d: Floats
    score: Floats
    ownership: Floats
    plies_left: Floats
    style: Floats
    mover_style: Floats
    #: Whether every board fills the batch's.
    uniform: bool

    def __len__(self) -> int:
        return len(self.planes)


def pack(game: GameSamples) -> dict[str, list[Any]]:
    """The columns of a game's rows."""
    game.check()
    count = len(game)
    flat = np.ascontiguousarray(game.planes).reshape(count, game.planes.shape[1], -1)
    bits = (flat == 0) | (flat == 1)
    binary = bits.all(axis=2)
    packed = np.packbits((flat == 1) & binary[:, :, None], axis=None if count == 0 else 2)
    numbers = np.ascontiguousarray(game.globals, np.float16)
    columns: dict[str, list[Any]] = {
        "game": [game.game] * count,
        "game_id": [game.game_id] * count,
        "ply": _integers(game.ply),
        "plies_left": _integers(game.plies_left),
        "side": _integers(game.side),
        "rows": [game.planes.shape[2]] * count,
        "columns": [game.planes.shape[3]] * count,
        "planes": [row.tobytes() for row in packed],
        "dense_index": [np.flatnonzero(~row).astype(np.uint16) for row in binary],
        "dense_planes": [flat[at][~row].astype(np.float16).tobytes() for at, row in enumerate(binary)],
        "globals": [row.tobytes() for row in numbers],
        "policy_index": [np.asarray(indices, np.uint16) for indices, _ in game.policy],
        "policy_share": [np.asarray(shares, np.float16) for _, shares in game.policy],
        "policy_weight": _numbers(game.policy_weight, count, 1.0),
        "source": [game.source] * count,
        "seed": [game.seed] * count,
        "generation": [game.generation] * count,
        "tags": [list(game.tags)] * count,
    }
    for place, name in enumerate(("win", "draw", "loss")):
        columns[name] = _numbers(game.value[:, place], count)
    for name in ("q", "d", "score", "style", "mover_style"):
        columns[name] = _numbers(getattr(game, name), count)
    if game.ownership is None:
        columns["ownership"] = [None] * count
    else:
        owners = np.clip(np.rint(game.ownership * OWNERSHIP_STEPS), -OWNERSHIP_STEPS, OWNERSHIP_STEPS)
        columns["ownership"] = [row.tobytes() for row in owners.astype(np.int8)]
    return columns


def _integers(values: Array) -> list[Any]:
    return [int(value) for value in values]


def _numbers(values: Array | None, count: int, default: float | None = None) -> list[Any]:
    if values is None:
        return [default] * count
    return [None if np.isnan(value) else float(value) for value in values]


def unpack_planes(packed: Sequence[bytes], shape: tuple[int, int, int]) -> Floats:
    """Planes [n, planes, rows, columns] of what `pack` made of them; planes that are not bits are 0."""
    planes, rows, columns = shape
    width = -(-rows * columns // 8)
    data = np.frombuffer(b"".join(packed), np.uint8).reshape(len(packed), planes, width)
    bits = np.unpackbits(data, axis=2, count=rows * columns)
    return bits.reshape(len(packed), planes, rows, columns).astype(np.float32)
