"""Kibitz: analyze and play board games with a search you can steer.

>>> import kibitz
>>> report = kibitz.analyze(kibitz.othello.Position(), simulations=1000, include=["d3"], min_visits=50)
>>> report.best in kibitz.othello.Position().legal_moves
True
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kibitz import arena, nets, style, tablebase
    from kibitz.engine import Engine, analyze
    from kibitz.errors import KibitzError
    from kibitz.explanation import Explanation, explain
    from kibitz.facts import Evidence, Fact
    from kibitz.games import chess, go, junqi, othello, uttt
    from kibitz.games.python_game import PythonGame
    from kibitz.games.registry import register
    from kibitz.pool import Pool, aanalyze
    from kibitz.report import MoveInfo, Report, RootInfo
    from kibitz.request import Budget, Request
    from kibitz.steering import Audit, Restriction, Steering

__version__ = "1.0.0rc1"
__all__ = [
    "Audit",
    "Budget",
    "Engine",
    "Evidence",
    "Explanation",
    "Fact",
    "KibitzError",
    "MoveInfo",
    "Pool",
    "PythonGame",
    "Report",
    "Request",
    "Restriction",
    "RootInfo",
    "Steering",
    "aanalyze",
    "analyze",
    "arena",
    "chess",
    "explain",
    "go",
    "junqi",
    "nets",
    "othello",
    "register",
    "style",
    "tablebase",
    "uttt",
]

#: Where each public name is found. It is imported at its first use, so that a program pays for what it uses.
_HOMES = {
    "engine": ("Engine", "analyze"),
    "errors": ("KibitzError",),
    "explanation": ("Explanation", "explain"),
    "facts": ("Evidence", "Fact"),
    "games.python_game": ("PythonGame",),
    "games.registry": ("register",),
    "pool": ("Pool", "aanalyze"),
    "report": ("MoveInfo", "Report", "RootInfo"),
    "request": ("Budget", "Request"),
    "steering": ("Audit", "Restriction", "Steering"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(f"module 'kibitz' has no attribute {name!r}")
    if name in _HOME_OF:
        value = getattr(import_module(f"kibitz.{_HOME_OF[name]}"), name)
    elif find_spec(f"kibitz.{name}") is not None:
        value = import_module(f"kibitz.{name}")
    else:
        from kibitz.games.registry import BUILT_IN, find_python_game

        if name not in BUILT_IN:
            game = find_python_game(name)  # not kept: a game may be registered anew
            if game is None:
                raise AttributeError(f"module 'kibitz' has no attribute {name!r}")
            return game
        value = import_module(f"kibitz.games.{name}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
