"""Kibitz: analyze and play board games with a search you can steer.

>>> import kibitz
>>> report = kibitz.analyze(kibitz.othello.Position(), simulations=1000, include=["d3"], min_visits=50)
>>> report.best in kibitz.othello.Position().legal_moves
True
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from kibitz.engine import Engine, analyze
from kibitz.errors import KibitzError
from kibitz.games import chess, go, junqi, othello, uttt
from kibitz.pool import Pool, aanalyze
from kibitz.report import MoveInfo, Report, RootInfo
from kibitz.request import Budget, Request
from kibitz.steering import Audit, Restriction, Steering

__version__ = "0.1.0"
__all__ = [
    "Audit",
    "Budget",
    "Engine",
    "KibitzError",
    "MoveInfo",
    "Pool",
    "Report",
    "Request",
    "Restriction",
    "RootInfo",
    "Steering",
    "aanalyze",
    "analyze",
    "chess",
    "go",
    "junqi",
    "othello",
    "uttt",
]

if TYPE_CHECKING:
    from kibitz import arena, nets, style, tablebase

    __all__ += ["arena", "nets", "style", "tablebase"]


def __getattr__(name: str) -> Any:
    # Imported at first use: most programs need none of them, and networks bring large libraries.
    if name in ("arena", "nets", "style", "tablebase"):
        return import_module(f"kibitz.{name}")
    raise AttributeError(f"module 'kibitz' has no attribute {name!r}")
