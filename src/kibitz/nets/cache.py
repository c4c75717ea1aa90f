"""A folder for what takes long to make and can be made again: calibrated graphs, measurements.

`KIBITZ_CACHE` names another folder than the platform's. A file carries the checksum of what it holds, is
written under another name first and then renamed: a reader sees the whole of it or nothing.
"""

from __future__ import annotations

import contextlib
import hashlib

from kibitz.files.folders import cache_folder
from kibitz.files.whole_file import write_whole

_MARK = b"kibitz1 "


def key_of(*parts: object) -> str:
    """A file name for what depends on all the parts."""
    return hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()[:40]


def read(name: str) -> bytes | None:
    """What was written under the name; None when there is nothing or it is damaged."""
    path = cache_folder() / name
    try:
        data = path.read_bytes()
    except OSError:
        return None
    head, _, body = data.partition(b"\n")
    if head == _MARK + hashlib.sha256(body).hexdigest().encode():
        return body
    with contextlib.suppress(OSError):
        path.unlink()
    return None


def write(name: str, body: bytes) -> bool:
    """False when it could not be kept, such as in a read-only home; the caller goes on without."""
    path = cache_folder() / name
    head = _MARK + hashlib.sha256(body).hexdigest().encode() + b"\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, head + body, shared=True)
    except OSError:
        return False
    return True
