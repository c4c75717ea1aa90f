"""`.jql` layout files: 50 bytes, a magic, four bytes, and thirty nodes row by row from the front.

>>> data = dump_jql("91248/7-1-5/6B-B3/7-1-6/5M2M4/MF332")
>>> len(data), parse_jql(data)
(50, '91248/7-1-5/6B-B3/7-1-6/5M2M4/MF332')
"""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path

from kibitz.errors import BadRecord
from kibitz.files.limits import MOST_RECORD, read_file
from kibitz.games.junqi import layouts
from kibitz.games.junqi.pieces import LETTERS

_MAGIC = b"QQGame JQL File\0"
_VERSION = bytes((0x57, 0x04, 0x00, 0x00))
_NODES = 30
_FIRST_CODE = 2  # of the flag; the other kinds follow in the order of LETTERS


def layout_of_bytes(data: bytes, where: str) -> str:
    """The layout in thirty bytes, which must be legal."""
    letters = []
    for place, code in enumerate(data):
        if code == 0:
            letters.append("-")
        elif _FIRST_CODE <= code < _FIRST_CODE + len(LETTERS):
            letters.append(LETTERS[code - _FIRST_CODE])
        else:
            raise BadRecord(f"{where}: byte {place} of the layout is {code}, expected 0 or 2 to 13")
    for place in (6, 8, 12, 16, 18):  # the camps
        if letters[place] != "-":
            raise BadRecord(f"{where}: a piece is set up in a camp")
    text = "/".join("".join(letters[row : row + 5]) for row in range(0, _NODES, 5))
    wrong = layouts.faults(text)
    if wrong:
        raise BadRecord(f"{where}: {'; '.join(map(str, wrong))}")
    return text


def layout_bytes(layout: str) -> bytes:
    """The thirty bytes of a legal layout."""
    text = layouts.check(layout).replace("/", "")
    return bytes(0 if letter == "-" else LETTERS.index(letter) + _FIRST_CODE for letter in text)


def parse_jql(data: bytes, where: str = "layout file") -> str:
    """The layout of a file's bytes.

    >>> layout = kibitz.junqi.layouts.random_layout(1)
    >>> parse_jql(dump_jql(layout)) == layout
    True
    """
    size = len(_MAGIC) + len(_VERSION) + _NODES
    if len(data) != size:
        raise BadRecord(f"{where}: a .jql file has {size} bytes, this one has {len(data)}")
    if not data.startswith(_MAGIC):
        raise BadRecord(f"{where}: not a .jql file, it does not begin with 'QQGame JQL File'")
    return layout_of_bytes(data[-_NODES:], where)


def dump_jql(layout: str) -> bytes:
    """The bytes of a layout file.

    >>> layout = kibitz.junqi.layouts.random_layout(1)
    >>> parse_jql(dump_jql(layout)) == layout
    True
    """
    return _MAGIC + _VERSION + layout_bytes(layout)


def read_jql(path: str | PathLike[str]) -> str:
    """Read a layout from a file.

    >>> write_jql("yours.jql", kibitz.junqi.layouts.random_layout(2))
    >>> read_jql("yours.jql") == kibitz.junqi.layouts.random_layout(2)
    True
    """
    return parse_jql(read_file(path, MOST_RECORD), fspath(path))


def write_jql(path: str | PathLike[str], layout: str) -> None:
    """Write a layout to a file; an old one is replaced.

    >>> write_jql("mine.jql", kibitz.junqi.layouts.random_layout(1))
    >>> read_jql("mine.jql") == kibitz.junqi.layouts.random_layout(1)
    True
    """
    Path(path).write_bytes(dump_jql(layout))
