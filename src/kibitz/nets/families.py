"""The families of networks there are, and `open_network`: which one a file belongs to is read from its bytes.

>>> open_network("b6c96.bin.gz").family                                  # doctest: +SKIP
'katago'
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path

from kibitz.nets.family import Definition, Family
from kibitz.nets.files import BadNetwork, read_network_file

#: One module a family, each with a `FAMILY`. A file is read by the last that recognizes it, and those before
#: that are not imported.
_FAMILIES = ("kibitz.nets.lc0_family", "kibitz.nets.katago_family", "kibitz.nets.own_family")

_HEAD = 4096


@cache
def _family_in(module: str) -> Family:
    found: Family = import_module(module).FAMILY
    return found


@cache
def families() -> tuple[Family, ...]:
    return tuple(map(_family_in, _FAMILIES))


def family(name: str) -> Family:
    return next(item for item in families() if item.name == name)


def for_game(game: str) -> tuple[Family, ...]:
    return tuple(item for item in families() if not item.games or game in item.games)


def open_network(path: str | Path, game: str | None = None) -> Definition:
    """Reads a network file of any family; `BadNetwork` says in one line what the file is and what was
    expected. With `game`, a network for another game is refused too.

    >>> open_network("b6c96.bin.gz").family
    'katago'
    """
    file = read_network_file(path)
    for item in map(_family_in, reversed(_FAMILIES)):
        if item.recognizes(file.data[:_HEAD]):
            if game and item.games and game not in item.games:
                what = f"{item.title} for {' and '.join(item.games)}"
                raise BadNetwork(f"{file.path}: {what}, not a network for {game}; expected {_wanted(game)}")
            made = item.read(file)
            if game and made.game != game:
                raise BadNetwork(f"{file.path}: {item.title} for {made.game}, not for {game}")
            return made
    raise BadNetwork(f"{file.path}: {_kind(file.data[:_HEAD])}; expected {_wanted(game)}")


def _wanted(game: str | None) -> str:
    return " or ".join(map(str, for_game(game) if game else families()))


#: How files begin that are taken for networks now and then.
_KINDS = (
    (b"PK\x03\x04", "a zip archive (a PyTorch checkpoint, or a wheel: kibitz nets from-wheel)"),
    (b"\x80\x02", "a Python pickle, which is never loaded"),
    (b"\x80\x04", "a Python pickle, which is never loaded"),
    (b"\x89HDF", "an HDF5 file"),
    (b"\x20\x2f\xf3\x7a", "a Stockfish NNUE file"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"BZh", "bzip2 data"),
    (b"\xfd7zXZ", "xz data"),
    (b"\x28\xb5\x2f\xfd", "Zstandard data"),
    (b"\x71\xd7\x28\x50", "a Syzygy table"),
    (b"(;", "an SGF record"),
    (b"[Event", "a PGN record"),
)


def _kind(head: bytes) -> str:
    """What a file that no family knows seems to be."""
    for start, kind in _KINDS:
        if head.startswith(start):
            return kind
    if head[8:9] == b"{" and int.from_bytes(head[:8], "little") < 1 << 30:
        return "a safetensors checkpoint"
    if head[:1] == b"\x08" and head[2:3] == b"\x12":
        return "an ONNX model"
    text = head.lstrip()[:200].lower()
    if text.startswith((b"<!doctype html", b"<html")):
        return "a web page"
    if b"\0" not in head and all(byte >= 32 or byte in b"\t\n\r\f" for byte in head):
        lines = head.split(b"\n", 2)
        if lines[0].strip() in (b"1", b"2") and len(lines) > 1 and b"." in lines[1]:
            return "a Leela Zero network"
        return "text that is no network"
    return "not a network that is known, or a damaged one"
