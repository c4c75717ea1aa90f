"""Reading a network file: how large it may be, whether it is packed, whose it is.

A header is never believed before the bytes are there: every reader takes what it needs from one buffer whose
size is limited here.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import zlib
from dataclasses import dataclass
from pathlib import Path

from kibitz.errors import BadRequest

#: The largest network file, unpacked. An ONNX graph cannot hold more than 2 GiB either.
MAX_BYTES = 1536 << 20

#: Weights are noise to a packer; a file that unpacks to more than this many times its size holds no weights.
_MAX_RATIO = 64
_ALWAYS_ALLOWED = 64 << 20
_STEP = 1 << 20


class BadNetwork(BadRequest):
    """A network file that cannot be read, or a network of a kind that is not supported.

    >>> kibitz.nets.load("no-such-file.bin.gz")
    Traceback (most recent call last):
        ...
    kibitz.nets.files.BadNetwork: no-such-file.bin.gz: there is no such network file; `kibitz nets list` ...
    """


@dataclass(frozen=True)
class NetworkFile:
    """What a file holds: `data` unpacked, `digest` (SHA-256, hex) of the file as it lies on the disk."""

    path: Path
    data: bytes
    digest: str


def _unpack(path: Path, packed: bytes) -> bytes:
    limit = min(MAX_BYTES, max(_ALWAYS_ALLOWED, _MAX_RATIO * len(packed)))
    parts: list[bytes] = []
    total = 0
    try:
        # GzipFile checks the length and the checksum at the end; reading in steps keeps the limit.
        with gzip.GzipFile(fileobj=io.BytesIO(packed)) as stream:
            while part := stream.read(_STEP):
                total += len(part)
                if total > limit:
                    raise BadNetwork(f"{path}: unpacks to more than {limit >> 20} MiB; that is no network")
                parts.append(part)
    except EOFError:
        raise BadNetwork(f"{path}: the gzip data ends too early; the file is cut off") from None
    except (zlib.error, gzip.BadGzipFile) as error:
        raise BadNetwork(f"{path}: damaged gzip data ({error})") from None
    return b"".join(parts)


def read_network_file(path: str | Path) -> NetworkFile:
    """The unpacked bytes of a `.bin.gz`, `.txt.gz`, `.pb.gz` file or of one that is not packed; for a folder
    in Hugging Face's layout those of a `.knet` file.

    >>> len(read_network_file("b6c96.bin.gz").digest)
    64
    """
    place = Path(path)
    if not os.path.exists(place):
        raise BadNetwork(
            f"{place}: there is no such network file; `kibitz nets list` shows those with a name"
        )
    if place.is_dir():
        from kibitz.nets import hugging_face  # it reads our own files, which this module is for

        if not hugging_face.is_model_folder(place):
            raise BadNetwork(f"{place}: a folder, and not one with config.json and model.safetensors")
        data = hugging_face.read_model_folder(place)
        return NetworkFile(place, data, hashlib.sha256(data).hexdigest())
    if not place.is_file():
        raise BadNetwork(f"{place}: not a file")
    size = place.stat().st_size
    if size > MAX_BYTES:
        raise BadNetwork(f"{place}: {size >> 20} MiB; a network file has at most {MAX_BYTES >> 20} MiB")
    try:
        data = place.read_bytes()
    except OSError as error:
        raise BadNetwork(f"{place}: {error.strerror or error}") from None
    digest = hashlib.sha256(data).hexdigest()
    if data[:2] == b"\x1f\x8b":
        data = _unpack(place, data)
    if not data:
        raise BadNetwork(f"{place}: the file is empty")
    return NetworkFile(place, data, digest)
