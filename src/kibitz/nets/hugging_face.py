"""Networks of our own as Hugging Face has models: a folder with `config.json`, `model.safetensors` and a
model card, `README.md`. It can be uploaded as it is, and is read like a file wherever a network is named.

The format of `model.safetensors`: the length of the header | header (JSON) | tensors. Numpy is all it needs.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.errors import BadOption
from kibitz.files.whole_file import write_json, write_whole
from kibitz.nets.files import MAX_BYTES, BadNetwork
from kibitz.nets.own.architecture import Architecture, tensor_shapes
from kibitz.nets.own.file import Array, OwnModel, write_own

CONFIG, WEIGHTS, CARD = "config.json", "model.safetensors", "README.md"
_MODEL_TYPE = "kibitz"
_LENGTH = struct.Struct("<Q")
_MAX_HEADER = 1 << 22
_TYPES = {"F32": ("<f4", "fp32"), "F16": ("<f2", "fp16")}

_MODEL_CARD = """---
library_name: kibitz
tags: [kibitz, board-games, {game}]
---

# {name}

A network for {game} in the layout {layout}: {weights:,} weights, {steps:,} training steps.

```python
import kibitz
from huggingface_hub import snapshot_download

network = kibitz.nets.load(snapshot_download("OWNER/{name}"))
engine = kibitz.Engine("{game}", network=network)
```

`kibitz nets add FOLDER` keeps it under a name for every command. `config.json` says what made it.
"""


def is_model_folder(path: Path) -> bool:
    return path.is_dir() and (path / CONFIG).is_file() and (path / WEIGHTS).is_file()


def write_model_folder(model: OwnModel, folder: Path, stored: str = "fp16") -> int:
    """Writes the three files and gives the size of the weights. A folder of something else is not touched."""
    kinds = {kind: (letters, dtype) for letters, (dtype, kind) in _TYPES.items()}
    if stored not in kinds:
        raise BadOption(f"{WEIGHTS} has fp16 or fp32 weights, not {stored}")
    if folder.exists() and not is_model_folder(folder) and any(folder.iterdir()):
        raise BadOption(f"{folder}: a folder with other files; name a new one")
    weights = _safetensors(model, kinds, stored)
    folder.mkdir(parents=True, exist_ok=True)
    config = {"model_type": _MODEL_TYPE, "architecture": model.arch.to_dict(), "about": dict(model.about)}
    write_json(folder / CONFIG, config)
    write_whole(folder / WEIGHTS, weights)
    card = _MODEL_CARD.format(
        name=model.about.get("name") or folder.name,
        game=model.arch.game,
        layout=model.arch.layout,
        weights=sum(map(math.prod, tensor_shapes(model.arch).values())),
        steps=int(model.about.get("steps") or 0),
    )
    write_whole(folder / CARD, card.encode())
    return len(weights)


def _safetensors(model: OwnModel, kinds: Mapping[str, tuple[str, str]], stored: str) -> bytes:
    header: dict[str, Any] = {"__metadata__": {"format": "np"}}
    parts, end = [], 0
    for name, shape in tensor_shapes(model.arch).items():
        letters, dtype = kinds["fp32" if len(shape) == 1 else stored]  # vectors stay in fp32, as in .knet
        with np.errstate(over="ignore"):
            values = np.ascontiguousarray(model.tensors[name]).astype(dtype)
        if values.shape != shape or not np.isfinite(values).all():
            raise BadNetwork(f"tensor {name} does not fit into {letters}")
        parts.append(values.tobytes())
        header[name] = {"dtype": letters, "shape": list(shape), "data_offsets": [end, end + len(parts[-1])]}
        end += len(parts[-1])
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return b"".join((_LENGTH.pack(len(text)), text, *parts))


def read_model_folder(folder: Path) -> bytes:
    """The folder's network as the bytes of a `.knet` file; `BadNetwork` says what is wrong with it."""
    if (folder / WEIGHTS).stat().st_size > MAX_BYTES:
        raise BadNetwork(f"{folder}: too large for a network")
    try:
        config = json.loads((folder / CONFIG).read_bytes())
        if not isinstance(config, dict) or config.get("model_type") != _MODEL_TYPE:
            raise BadNetwork(f"{CONFIG} is of another program: model_type is not {_MODEL_TYPE!r}")
        about = config.get("about", {})
        if not isinstance(config.get("architecture"), dict) or not isinstance(about, dict):
            raise BadNetwork(f"{CONFIG} lacks architecture or about")
        arch = Architecture.from_dict(config["architecture"])
        tensors, stored = _tensors(arch, (folder / WEIGHTS).read_bytes())
        return write_own(arch, tensors, about, stored)
    except (ValueError, RecursionError) as error:
        raise BadNetwork(f"{folder}: {error}") from None


def _tensors(arch: Architecture, data: bytes) -> tuple[dict[str, Array], str]:
    """The tensors, and how the largest of them are stored."""
    length = _LENGTH.unpack_from(data)[0] if len(data) >= _LENGTH.size else 0
    start = _LENGTH.size + length
    if not 0 < length <= _MAX_HEADER or start > len(data):
        raise BadNetwork(f"{WEIGHTS} is cut off")
    header = json.loads(data[_LENGTH.size : start])
    tensors, stored = {}, "fp16"
    for name, shape in tensor_shapes(arch).items():
        row = header.get(name) if isinstance(header, dict) else None
        if not isinstance(row, dict) or row.get("shape") != list(shape) or row.get("dtype") not in _TYPES:
            raise BadNetwork(f"{WEIGHTS}: tensor {name} is not there in the shape {list(shape)}, F16 or F32")
        dtype, kind = _TYPES[row["dtype"]]
        begin = row["data_offsets"][0] if isinstance(row.get("data_offsets"), list) else None
        count = math.prod(shape)
        if (
            type(begin) is not int
            or begin < 0
            or start + begin + count * np.dtype(dtype).itemsize > len(data)
        ):
            raise BadNetwork(f"{WEIGHTS}: tensor {name} lies outside of the file")
        values = np.frombuffer(data, dtype, count, start + begin).reshape(shape)
        tensors[name] = np.ascontiguousarray(values, np.float32)
        if kind == "fp32" and len(shape) > 1:
            stored = "fp32"
    return tensors, stored
