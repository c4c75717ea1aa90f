"""The figures of docs/style.md are those of the results that `kibitz style levels` wrote."""

from __future__ import annotations

import pytest

from kibitz import _native
from tests.paths import ROOT

if not _native.HAS_STYLE:
    pytest.skip("a core without style", allow_module_level=True)

from kibitz.lab.levels import costs_table, levels_table
from kibitz.style.measured import level_facts, measured_styles, results_of

PAGE = (ROOT / "docs" / "style.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("style", measured_styles())
def test_the_page_has_the_tables_of_the_results(style: str) -> None:
    results = results_of(style)
    assert results["settings"]["style"] == style
    assert levels_table(results) in PAGE
    assert costs_table(results) in PAGE
    assert results["commit"][:8] in PAGE


@pytest.mark.parametrize("style", measured_styles())
def test_off_was_the_plain_search_on_every_engine(style: str) -> None:
    assert all(engine["off_is_plain"] for engine in results_of(style)["engines"])


def test_the_dial_shows_the_results() -> None:
    """What the web page has beside its dial are rows of the tables."""
    for style in measured_styles():
        facts = level_facts(style)
        assert [fact.level for fact in facts] == ["light", "medium", "strong"]
        for fact in facts:
            shift = f"{fact.shift:+.2f} ({fact.shift_low:+.2f} to {fact.shift_high:+.2f})"
            rows = [
                line for line in PAGE.splitlines() if line.startswith(f"| {fact.engine} | {fact.level} |")
            ]
            row = next(line for line in rows if shift in line)
            if fact.elo is not None:
                assert fact.elo_low is not None
                assert fact.elo_high is not None
                assert f"{round(fact.elo):+d} ({round(fact.elo_low):+d} to {round(fact.elo_high):+d})" in row
