"""Othello game records: WTHOR, GGF, OBF and plain transcripts.

from kibitz.games.othello import records

records.read("WTH_2001.wtb")          # a path; the format is found out
records.read("f5d6c3d3c4")            # or the text itself
records.ggf.write(games)              # each format has read and write
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from kibitz.errors import BadRecord
from kibitz.files.limits import MOST_RECORD, read_file
from kibitz.games.othello.records import ggf, obf, transcript, wthor
from kibitz.games.othello.records.record import START, Record

__all__ = ["START", "Record", "detect", "ggf", "obf", "read", "transcript", "wthor"]

FORMATS = ("wthor", "ggf", "obf", "transcript")

_BOARD_LINE = re.compile(rb"(?:^|\n)[ \t]*(?:[-.*xXoO0][ \t]*){64}")
_FILE_NAME = re.compile(r".*\.(?:wtb|ggf|obf|txt|jou|trn)", re.IGNORECASE)
_SUFFIXES = {".wtb": "wthor", ".ggf": "ggf", ".obf": "obf"}


def read(source: str | bytes | os.PathLike[str], format: str | None = None) -> tuple[Record, ...]:
    """The records of a file, of its bytes or of its text.

    A `str` that names an existing file is a path, any other is the text. BadRecord says which
    file, which game and what was expected; a path that cannot be opened is an OSError.

    >>> read("f5d6c3d3c4")[0].moves
    ('f5', 'd6', 'c3', 'd3', 'c4')
    """
    data, name, suffix = _load(source)
    kind = format or _SUFFIXES.get(suffix) or detect(data)
    if kind not in FORMATS:
        raise BadRecord(f"unknown record format {kind!r}, expected one of {', '.join(FORMATS)}")
    if kind == "wthor":
        return tuple(wthor.WthorFile.from_bytes(data, name or "WTHOR").records())
    text = _text(data)
    if kind == "ggf":
        return ggf.read(text, name or "GGF")
    if kind == "obf":
        return obf.read(text, name or "OBF")
    return transcript.read(text, name or "transcript")


def detect(data: bytes) -> str:
    """The format of a file's content: one of FORMATS.

    >>> detect(b"f5d6c3")
    'transcript'
    """
    if data.lstrip(b"\xef\xbb\xbf \t\r\n0123456789").startswith(b"(;"):
        return "ggf"
    # Text has no zero bytes, and every WTHOR header has some: its unused count of names.
    if b"\0" in data[:16]:
        return "wthor"
    if _BOARD_LINE.search(data):
        return "obf"
    return "transcript"


def _load(source: str | bytes | os.PathLike[str]) -> tuple[bytes, str, str]:
    if isinstance(source, bytes):
        return source, "", ""
    if isinstance(source, str) and not _is_file(source):
        if _FILE_NAME.fullmatch(source):
            raise FileNotFoundError(f"no such file: {source}")
        return source.encode("utf-8", "surrogatepass"), "", ""
    path = Path(source)
    return read_file(path, MOST_RECORD), path.name, path.suffix.lower()


def _is_file(text: str) -> bool:
    try:
        return os.path.isfile(text)
    except (ValueError, OSError):  # a zero byte, or longer than a path can be
        return False


def _text(data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        # Old GGS archives are Latin-1; anything decodes as that, so the parser has the last word.
        text = data.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")
