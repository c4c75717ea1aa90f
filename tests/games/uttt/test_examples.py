"""The examples in the docstrings do what they say."""

from __future__ import annotations

import doctest
from importlib import import_module

import pytest

MODULES = (
    "kibitz.games.uttt",
    "kibitz.games.uttt.endgame",
    "kibitz.games.uttt.position",
    "kibitz.games.uttt.records",
    "kibitz.tablebase",
    "kibitz.tablebase.builder",
    "kibitz.tablebase.enumerator",
    "kibitz.tablebase.solver",
    "kibitz.tablebase.verify",
)


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name: str) -> None:
    results = doctest.testmod(import_module(name))
    assert results.attempted > 0
    assert results.failed == 0
