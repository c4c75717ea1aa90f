"""The table of levels in docs/strength.md is that of the games."""

from __future__ import annotations

import pytest

from kibitz.games import registry
from tests.docs.samples import ROOT

COLUMNS = {"go": 1, "chess": 2, "othello": 3, "uttt": 4, "junqi": 5}


def _rows() -> dict[str, list[str]]:
    page = (ROOT / "docs" / "strength.md").read_text(encoding="utf-8")
    lines = page[page.index("| level |") :].partition("\n\n")[0].splitlines()[2:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {row[0].strip("`"): row for row in cells}


@pytest.mark.parametrize("game", COLUMNS)
def test_ratings_are_those_of_the_game(game: str) -> None:
    rows = _rows()
    levels = registry.get(game).levels
    assert [level.name for level in levels] == list(rows)
    assert [str(level.rating) for level in levels] == [row[COLUMNS[game]] for row in rows.values()]
