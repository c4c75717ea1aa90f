"""Limits on what comes from outside; SECURITY.md lists them all.

>>> read_file("game.sgf", MOST_RECORD)                                # doctest: +SKIP
"""

from __future__ import annotations

import os
from pathlib import Path

from kibitz.errors import BadRecord

#: Bytes of a game record (SGF, GGF, WTHOR, .jgs, ...) that is read whole. PGN is read game by game.
MOST_RECORD = 256 * 2**20
#: Bytes of a configuration file, a style norm, a list of openings.
MOST_CONFIG = 16 * 2**20
_PIECE = 2**18


def read_file(path: str | os.PathLike[str], most: int) -> bytes:
    """The bytes of a file. BadRecord when it has more than `most`, or is no file that ends (a device)."""
    data = bytearray()
    with Path(path).open("rb") as file:
        # Piece by piece: `read(most)` would ask for as much memory at once, for the smallest file.
        while len(data) <= most and (piece := file.read(min(_PIECE, most + 1))):
            data += piece
    if len(data) > most:
        raise BadRecord(f"{os.fspath(path)}: more than {most >> 20} MiB")
    return bytes(data)
