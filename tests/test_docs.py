"""The documentation says what the program does: generated pages are current, links lead somewhere."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

from tools.docs import PAGES as GENERATED

ROOT = Path(__file__).resolve().parent.parent
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]


@pytest.mark.parametrize("name", GENERATED)
def test_a_generated_page_is_current(name: str) -> None:
    assert (ROOT / "docs" / name).read_text(encoding="utf-8") == GENERATED[name]()


def test_every_public_name_is_there() -> None:
    rows = re.findall(r"^\| `(kibitz[^`]*)` .*\| ([^|]*) \|$", GENERATED["api.md"](), re.MULTILINE)
    assert len(rows) > 20
    for module, names in rows:
        if module == "kibitz.notebook":  # needs anywidget
            continue
        for name in re.findall(r"`([^`]+)`", names):
            assert hasattr(import_module(module), name), f"{module}.{name}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
