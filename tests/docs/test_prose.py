"""How the pages are written: short sentences where people begin, links that lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.samples import ROOT

PAGES = sorted({*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")})
#: Where people begin: README and the tutorials, in English.
FIRST = [ROOT / "README.md", *sorted(ROOT.glob("docs/tutorials/*.md"))]
MOST_WORDS = 30
_CODE = re.compile(r"^```.*?^```|(?<=\n\n)(?: {4,}.*\n)+|`[^`]*`", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def prose(text: str) -> str:
    """A page without code, with links as their words."""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", _CODE.sub(" x ", text))


def sentences(text: str) -> list[str]:
    """The sentences of paragraphs and list items; headings and tables have none."""
    lines = [line for line in prose(text).splitlines() if not line.lstrip().startswith(("#", "|", "!"))]
    blocks = re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", "\n".join(lines))
    return [one for block in blocks for one in re.split(r"(?<=[.!?:;])\s+", " ".join(block.split())) if one]


@pytest.mark.parametrize("page", FIRST, ids=lambda page: page.name)
def test_sentences_are_short_where_people_begin(page: Path) -> None:
    found = sentences(page.read_text(encoding="utf-8"))
    assert found
    long = [one for one in found if len(one.split()) > MOST_WORDS]
    assert not long


def test_sentences_are_found() -> None:
    text = "# Head\n\nOne two. Three\nfour `a. b`!\n\n- five: six\n- seven\n\n| a | b |\n"
    assert sentences(text) == ["One two.", "Three four x !", "- five:", "six", "- seven"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_to_files_and_headings(page: Path) -> None:
    for link in _LINK.findall(_CODE.sub(" ", page.read_text(encoding="utf-8"))):
        if "://" in link or link.startswith("mailto:"):
            continue
        file, _, heading = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        assert target.exists(), link
        if heading and target.suffix == ".md":
            heads = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
            names = {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}
            assert heading in names, link
