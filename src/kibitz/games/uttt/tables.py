"""Where tables are kept, and the ones the engine asks.

The engine takes the tables of the folder KIBITZ_TABLES names, or else the small ones of the cache if they
were built already; see kibitz.tablebase for building and probing.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any

from kibitz import _native
from kibitz.errors import BadTable
from kibitz.files import folders
from kibitz.games.base import NativeSearch
from kibitz.games.uttt import evaluation


def cache_folder() -> Path:
    """The folder of the small tables, in the folder for caches.

    Its name has the versions that files depend on, so that a new release never meets tables of an old one.
    """
    return folders.cache_folder() / f"uttt-{_native.UTTT_TABLE_VERSION}.{_native.UTTT_REDUCTION_VERSION}"


@cache
def engine_tables() -> _native.UtttTables | None:
    """The tables of the engine, opened once; None when there are none."""
    named = os.environ.get("KIBITZ_TABLES")
    folder = Path(named) if named else cache_folder()
    paths = sorted(folder.glob("uttt-*.ktb")) if folder.is_dir() else []
    if not paths:
        return None
    tables = _native.UtttTables()
    for path in paths:
        try:
            tables.add(str(path))
        except RuntimeError as error:  # it cannot be read, or no more files can be opened
            raise BadTable(str(error)) from None
    _native.uttt_use_tables(tables)
    return tables


def search(state: Any, options: Any, network: Any = None) -> NativeSearch:
    """The native tree search, with the engine's tables and, where options ask for it, its evaluation."""
    engine_tables()
    if options.evaluator == "hand":
        evaluation.use()
    return _native.UtttSearch(state, options, network)
