"""The documentation says what the program does: generated pages are current, links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tools.docs import text

ROOT = Path(__file__).resolve().parent.parent
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]


def test_options_page_is_current() -> None:
    assert (ROOT / "docs" / "options.md").read_text(encoding="utf-8") == text()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
