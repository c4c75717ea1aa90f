"""Rows of a shard as a batch of arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.errors import BadRecord
from kibitz.training.samples.schema import OWNERSHIP_STEPS, Batch, unpack_planes
from kibitz.training.samples.symmetry import Symmetries

Floats = npt.NDArray[np.float32]
Indices = npt.NDArray[np.int64]


def decode(
    table: Any, game: str, turn: Indices | None, symmetries: Callable[[str, int, int], Symmetries]
) -> Batch:
    """A batch of the rows of a table. `turn` has a number for each row: its symmetry, modulo their count."""
    rows, columns = (table[name].to_numpy().astype(np.int64) for name in ("rows", "columns"))
    height, width = int(rows.max()), int(columns.max())
    uniform = bool((rows == height).all() and (columns == width).all())
    parts = {
        (int(row), int(column)): np.flatnonzero((rows == row) & (columns == column))
        for row, column in {(int(row), int(column)) for row, column in zip(rows, columns, strict=True)}
    }
    policy_size = symmetries(game, height, width).policy.shape[1]
    count = len(rows)
    numbers = _globals(table)
    batch: dict[str, Floats] = {
        "globals": numbers,
        "mask": np.zeros((count, 1, height, width), np.float32),
        "policy": np.zeros((count, policy_size), np.float32),
        "ownership": np.full((count, height, width), np.nan, np.float32),
    }
    for (own_rows, own_columns), places in sorted(parts.items()):
        part = table if len(places) == count else table.take(places)
        own = symmetries(game, own_rows, own_columns)
        turned = np.zeros(len(places), np.int64) if turn is None else turn[places] % own.count
        planes = planes_of(part, own_rows, own_columns)
        planes = _turned(planes, own, turned)
        if "planes" not in batch:
            batch["planes"] = np.zeros((count, planes.shape[1], height, width), np.float32)
        batch["planes"][places, :, :own_rows, :own_columns] = planes
        batch["mask"][places, :, :own_rows, :own_columns] = 1
        owners = _ownership(part, own_rows, own_columns)
        batch["ownership"][places, :own_rows, :own_columns] = _turned(owners[:, None], own, turned)[:, 0]
        shares = _policy(part, own, turned)
        batch["policy"][np.ix_(places, _onto(own_rows, own_columns, height, width, policy_size))] = shares
    value = np.stack([_column(table, name) for name in ("win", "draw", "loss")], axis=1)
    singles = {
        name: _column(table, name)
        for name in ("policy_weight", "q", "d", "score", "plies_left", "style", "mover_style")
    }
    return Batch(**batch, value=value, **singles, uniform=uniform)


def _column(table: Any, name: str) -> Floats:
    if name not in table.column_names:  # of a shard that is older than the column
        return np.full(table.num_rows, np.nan, np.float32)
    return np.array(table[name].to_numpy(), np.float32)  # a copy: torch wants to be able to write


def _globals(table: Any) -> Floats:
    rows = table["globals"].to_pylist()
    data = np.frombuffer(b"".join(rows), np.float16)
    return data.reshape(len(rows), -1).astype(np.float32)


def planes_of(table: Any, rows: int, columns: int) -> Floats:
    """The planes of rows of one board size."""
    packed = table["planes"].to_pylist()
    width = -(-rows * columns // 8)
    count, odd = divmod(len(packed[0]), width)
    if odd or any(len(row) != len(packed[0]) for row in packed):
        raise BadRecord("a shard has planes of different sizes; it is damaged")
    planes = unpack_planes(packed, (count, rows, columns))
    index = table["dense_index"].to_pylist()
    dense = table["dense_planes"].to_pylist()
    for at, (own, data) in enumerate(zip(index, dense, strict=True)):
        if own:
            planes[at, own] = np.frombuffer(data, np.float16).reshape(len(own), rows, columns)
    return planes


def _ownership(table: Any, rows: int, columns: int) -> Floats:
    owners = table["ownership"].to_pylist()
    out = np.full((len(owners), rows, columns), np.nan, np.float32)
    for at, row in enumerate(owners):
        if row is not None:
            out[at] = np.frombuffer(row, np.int8).reshape(rows, columns) / OWNERSHIP_STEPS
    return out


def _policy(table: Any, own: Symmetries, turned: Indices) -> Floats:
    index, share = (table[name].combine_chunks() for name in ("policy_index", "policy_share"))
    lengths = np.diff(index.offsets.to_numpy())
    at = np.repeat(np.arange(len(lengths)), lengths)
    flat = index.flatten().to_numpy().astype(np.int64)
    if len(flat) and flat.max() >= own.policy.shape[1]:
        raise BadRecord("a shard has a policy index that the board does not have; it is damaged")
    out = np.zeros((len(lengths), own.policy.shape[1]), np.float32)
    out[at, own.to_policy[turned[at], flat]] = share.flatten().to_numpy().astype(np.float32)
    total = out.sum(axis=1, keepdims=True)
    return (out / np.where(total > 0, total, 1)).astype(np.float32)


def _turned(planes: Floats, own: Symmetries, turned: Indices) -> Floats:
    if own.count == 1 or not turned.any():
        return planes
    flat = planes.reshape(*planes.shape[:2], -1)
    return np.take_along_axis(flat, own.points[turned][:, None, :], axis=2).reshape(planes.shape)


def _onto(rows: int, columns: int, height: int, width: int, policy: int) -> Indices:
    """Where the policy of a board lies in that of a larger one: point by point, a pass at the end."""
    if (rows, columns) == (height, width):
        return np.arange(policy)
    points = np.arange(height * width).reshape(height, width)[:rows, :columns].ravel()
    return np.append(points, np.arange(height * width, policy))
