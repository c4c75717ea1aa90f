"""Kibitz's own network file, `.knet`: docs/network-format.md has the format.

    magic, version, length of the header | header (JSON) | tensors | SHA-256 of all that

Reading needs numpy only. Every size is checked against the bytes that are there.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.nets.files import BadNetwork, NetworkFile
from kibitz.nets.own.architecture import Architecture, tensor_shapes

Array = npt.NDArray[np.float32]

MAGIC = b"\x8dKibitz\n"
VERSION = 1
_HEAD = struct.Struct("<8sII")
_DIGEST = 32
_ALIGN = 64
_MAX_HEADER = 1 << 22

#: How weights are stored. int8 has a float32 scale for each output channel in front.
STORED = ("fp32", "fp16", "int8")


@dataclass(frozen=True)
class OwnModel:
    """A network as its file has it: `about` is everything the header says beside the tensors."""

    arch: Architecture
    tensors: Mapping[str, Array]
    about: Mapping[str, Any]
    version: int = VERSION


def write_own(
    arch: Architecture, tensors: Mapping[str, Array], about: Mapping[str, Any], stored: str = "fp16"
) -> bytes:
    """The bytes of a file. Vectors (biases, scales) stay in fp32 whatever `stored` says."""
    if stored not in STORED:
        raise BadNetwork(f"weights are stored as {', '.join(STORED)}, not as {stored!r}")
    shapes = tensor_shapes(arch)
    rows: list[dict[str, Any]] = []
    body = b""
    for name, shape in shapes.items():
        values = np.ascontiguousarray(tensors[name], np.float32)
        if values.shape != shape or not np.isfinite(values).all():
            raise BadNetwork(f"tensor {name} has shape {values.shape}, expected {shape}, all of them numbers")
        kind = "fp32" if len(shape) == 1 else stored
        rows.append({"name": name, "type": kind, "shape": list(shape), "offset": len(body)})
        body += _packed(values, kind)
    header = {"architecture": arch.to_dict(), "about": dict(about), "tensors": rows}
    text = json.dumps(header, sort_keys=True, allow_nan=False).encode()
    text += b" " * (-(len(text) + _HEAD.size) % _ALIGN)
    data = _HEAD.pack(MAGIC, VERSION, len(text)) + text + body
    return data + hashlib.sha256(data).digest()


def _packed(values: Array, kind: str) -> bytes:
    if kind == "fp32":
        return values.astype("<f4").tobytes()
    if kind == "fp16":
        if np.abs(values).max(initial=0.0) > 65504:
            raise BadNetwork("a weight is too large for fp16")
        return values.astype("<f2").tobytes()
    axis = _out_axis(values.ndim)
    other = tuple(number for number in range(values.ndim) if number != axis)
    step = np.abs(values).max(axis=other, keepdims=True) / 127
    step = np.where(step > 0, step, 1.0).astype("<f4")
    small = np.clip(np.rint(values / step), -127, 127).astype(np.int8)
    return bytes(step.tobytes() + small.tobytes())


def _out_axis(dimensions: int) -> int:
    """Where the output channel is: convolutions have it first, matrices last."""
    return 0 if dimensions == 4 else 1


def read_own(file: NetworkFile) -> OwnModel:
    """Parses the file; `BadNetwork` says in one line what is wrong with it."""
    data = file.data
    try:
        return _read(data)
    except BadNetwork as error:
        raise BadNetwork(f"{file.path}: {error}") from None


def _read(data: bytes) -> OwnModel:
    if len(data) < _HEAD.size + _DIGEST or not data.startswith(MAGIC):
        raise BadNetwork("not a Kibitz network, or cut off")
    _, version, length = _HEAD.unpack_from(data)
    if version != VERSION:
        raise BadNetwork(f"version {version} of the Kibitz network format; {VERSION} is read")
    end = len(data) - _DIGEST
    if length > _MAX_HEADER or _HEAD.size + length > end:
        raise BadNetwork("the header is longer than the file; it is damaged")
    if hashlib.sha256(data[:end]).digest() != data[end:]:
        raise BadNetwork("the check sum is wrong; the file is damaged")
    try:
        header = json.loads(data[_HEAD.size : _HEAD.size + length])
    except (ValueError, RecursionError):
        raise BadNetwork("the header is no JSON") from None
    if not isinstance(header, dict) or not all(
        isinstance(header.get(name), kind)
        for name, kind in (("architecture", dict), ("about", dict), ("tensors", list))
    ):
        raise BadNetwork("the header lacks architecture, about or tensors")
    arch = Architecture.from_dict(header["architecture"])
    body = memoryview(data)[_HEAD.size + length : end]
    return OwnModel(arch, _tensors(arch, header["tensors"], body), header["about"], version)


def _tensors(arch: Architecture, rows: list[Any], body: memoryview) -> dict[str, Array]:
    expected = tensor_shapes(arch)
    tensors: dict[str, Array] = {}
    for row in rows:
        if not isinstance(row, dict) or row.get("name") not in expected or row["name"] in tensors:
            raise BadNetwork("the header has a tensor that the architecture does not have")
        name = row["name"]
        shape = expected[name]
        if row.get("shape") != list(shape):
            raise BadNetwork(f"tensor {name} has shape {row.get('shape')}; expected {list(shape)}")
        offset = row.get("offset")
        if isinstance(offset, bool) or not isinstance(offset, int) or not 0 <= offset <= len(body):
            raise BadNetwork(f"tensor {name} lies outside of the file")
        tensors[name] = _unpacked(name, row.get("type"), shape, body[offset:])
    missing = [name for name in expected if name not in tensors]
    if missing:
        raise BadNetwork(f"tensor {missing[0]} is missing")
    return tensors


def _unpacked(name: str, kind: Any, shape: tuple[int, ...], data: memoryview) -> Array:
    if kind not in STORED or (kind == "int8" and len(shape) == 1):
        raise BadNetwork(f"tensor {name} is stored as {kind!r}; expected {', '.join(STORED)}")
    count = int(np.prod(shape))
    steps = shape[_out_axis(len(shape))] if kind == "int8" else 0
    size = count * {"fp32": 4, "fp16": 2, "int8": 1}[kind] + 4 * steps
    if size > len(data):
        raise BadNetwork(f"the file ends within tensor {name}")
    part = bytes(data[:size])
    if kind == "int8":
        scale_shape = [1] * len(shape)
        scale_shape[_out_axis(len(shape))] = steps
        step = np.frombuffer(part, "<f4", steps).reshape(scale_shape)
        values = np.frombuffer(part, np.int8, count, 4 * steps).reshape(shape) * step
    else:
        values = np.frombuffer(part, "<f4" if kind == "fp32" else "<f2").reshape(shape)
    values = np.ascontiguousarray(values, np.float32)
    if not np.isfinite(values).all():
        raise BadNetwork(f"tensor {name} has a weight that is not a number")
    return values
