"""Junqi files: `.jql` layouts and `.jgs` game records."""

from __future__ import annotations

from kibitz.games.junqi.records.jql import dump_jql, parse_jql, read_jql, write_jql
from kibitz.games.junqi.records.replay import JgsRecord, dump_jgs, parse_jgs, read_jgs, record_of, write_jgs

__all__ = [
    "JgsRecord",
    "dump_jgs",
    "dump_jql",
    "parse_jgs",
    "parse_jql",
    "read_jgs",
    "read_jql",
    "record_of",
    "write_jgs",
    "write_jql",
]
