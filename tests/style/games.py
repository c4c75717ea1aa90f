"""Games to measure: the well-known openings, where the shared data are there."""

from __future__ import annotations

import zipfile

import pytest

from tests.paths import SHARED

BOOK = SHARED / "data" / "chess" / "8moves_v3.pgn.zip"
MAIA = SHARED / "nets" / "maia-1900.pb.gz"

needs_book = pytest.mark.skipif(not BOOK.is_file(), reason="the shared opening book is not there")
needs_maia = pytest.mark.skipif(not MAIA.is_file(), reason="the shared network is not there")


def book_text(games: int) -> str:
    """The first games of the opening book."""
    with zipfile.ZipFile(BOOK) as packed:
        text = packed.read("8moves_v3.pgn").decode()
    parts = text.split("[Event ")[1 : games + 1]
    return "".join("[Event " + part for part in parts)
