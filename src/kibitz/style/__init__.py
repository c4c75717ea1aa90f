"""Style: measured, compared, and what a search needs to be biased towards it (docs/style.md).

>>> import kibitz.style
>>> games = kibitz.style.measure_pgn(b"1. Nf3 d5 2. g3 Nf6 3. Bg2 *")
>>> kibitz.style.load_norm().scores(games).shape
(1,)
"""

from __future__ import annotations

from kibitz import _native
from kibitz.errors import BadRequest

if not _native.HAS_STYLE:
    raise BadRequest("this build of Kibitz has no style (it was made with KIBITZ_STYLE=OFF)")

from kibitz.style.bonus import bonus
from kibitz.style.metrics import METRICS, Games, Metrics, measure, measure_pgn, measure_sides
from kibitz.style.norm import Norm, load_norm
from kibitz.style.report import Comparison, compare, summarize
from kibitz.style.s2 import load_s2

__all__ = [
    "METRICS",
    "Comparison",
    "Games",
    "Metrics",
    "Norm",
    "bonus",
    "compare",
    "load_norm",
    "load_s2",
    "measure",
    "measure_pgn",
    "measure_sides",
    "summarize",
]
