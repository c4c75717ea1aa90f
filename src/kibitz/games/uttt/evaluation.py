"""The pattern evaluation: a small network over the fillings of the sub-boards (docs/uttt-evaluation.md).

>>> from kibitz.games.uttt import Position
>>> -8 < evaluation().logit(Position().state) < 8
True
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from kibitz import _native
from kibitz.errors import BadRequest
from kibitz.files.limits import read_file

BUNDLED = Path(__file__).with_name("patterns.kup")

_MOST_BYTES = 1 << 20


@cache
def evaluation(path: str | None = None) -> _native.UtttPatterns:
    """The evaluation of a file, the bundled one by default; BadRequest says what is wrong with it."""
    source = Path(path) if path else BUNDLED
    try:
        return _native.UtttPatterns(read_file(source, _MOST_BYTES))
    except ValueError as error:
        raise BadRequest(f"{source}: {error}") from None


@cache
def use() -> None:
    """Gives the bundled evaluation to searches that are made from now on."""
    _native.uttt_use_patterns(evaluation())
