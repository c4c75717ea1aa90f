"""stdout and stderr, for terminals of any encoding. Every command needs it: nothing large is imported."""

from __future__ import annotations

import codecs
import io
import sys

#: What boards and tables are drawn with, for terminals that cannot write it.
_PLAIN = str.maketrans("●○·│─┼…", "XO.|-+~")


def prepare_streams() -> None:
    """Lets stdout and stderr write what their encoding lacks in plainer characters, never with an error."""
    codecs.register_error("kibitz.plain", _plainer)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors in ("strict", "surrogateescape"):
            stream.reconfigure(errors="kibitz.plain")


def _plainer(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end].translate(_PLAIN)
    return "".join(letter if letter.isascii() else "?" for letter in text), error.end
