"""The exact tablebase of ultimate tic-tac-toe: build, probe, verify.

>>> from kibitz.tablebase import TablebaseSolver
>>> solver = TablebaseSolver()
"""

from __future__ import annotations

from kibitz.errors import BadTable, NotInTable
from kibitz.tablebase.solver import Tablebase, TablebaseSolver, cached_tables, encode

__all__ = ["BadTable", "NotInTable", "Tablebase", "TablebaseSolver", "cached_tables", "encode"]
