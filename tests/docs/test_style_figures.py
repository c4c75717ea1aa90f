"""The figures of docs/style.md are those of the results that `kibitz style levels` wrote."""

from __future__ import annotations

import json
from typing import Any

from kibitz.lab.levels import levels_table
from tests.paths import ROOT

RESULTS: dict[str, Any] = json.loads((ROOT / "docs" / "lab" / "style-levels.json").read_text())


def test_the_page_has_the_table_of_the_results() -> None:
    page = (ROOT / "docs" / "style.md").read_text(encoding="utf-8")
    assert levels_table(RESULTS) in page
    assert RESULTS["commit"][:8] in page


def test_off_was_the_plain_search_on_every_engine() -> None:
    assert all(engine["off_is_plain"] for engine in RESULTS["engines"])
