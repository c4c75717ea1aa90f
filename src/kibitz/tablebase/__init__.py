"""The exact tablebase of ultimate tic-tac-toe: build, probe, verify.

>>> from kibitz.tablebase import TablebaseSolver
>>> solver = TablebaseSolver()
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kibitz.tablebase.solver import Tablebase, TablebaseSolver, encode

__all__ = ["Tablebase", "TablebaseSolver", "encode"]


def __getattr__(name: str) -> Any:
    # Not imported at once: `python -m kibitz.tablebase.builder` must find its module not yet loaded.
    if name in __all__:
        from kibitz.tablebase import solver

        return getattr(solver, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
