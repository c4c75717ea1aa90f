"""How the pages are written: short sentences, links that lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.samples import ROOT

PAGES = sorted({*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")})
#: What people read to use it, in English: all but the laboratory, translations and the list of changes.
USED = [
    page
    for page in PAGES
    if page.stem != "CHANGELOG" and not {"lab", "style-lab", "ko", "zh"} & {*page.relative_to(ROOT).parts}
]
MOST_WORDS = 30
_CODE = re.compile(r"^```.*?^```|(?<=\n\n)(?: {4,}.*\n)+|`[^`]*`", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def prose(text: str) -> str:
    """A page without code, with links as their words."""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", _CODE.sub(" x ", text))


def sentences(text: str) -> list[str]:
    """The sentences of paragraphs and list items; headings and tables have none. A colon ends
    one, a semicolon does not."""
    lines = [line for line in prose(text).splitlines() if not line.lstrip().startswith(("#", "|", "!"))]
    blocks = re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", "\n".join(lines))
    return [one for block in blocks for one in re.split(r"(?<=[.!?:])\s+", " ".join(block.split())) if one]


def words(sentence: str) -> int:
    """Those of prose: a list of names in code is read by looking for one of them."""
    return sum(not re.fullmatch(r"\W*x?\W*", word) for word in sentence.split())


@pytest.mark.parametrize("page", USED, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_sentences_are_short(page: Path) -> None:
    found = sentences(page.read_text(encoding="utf-8"))
    assert [one for one in found if words(one) > MOST_WORDS] == []


def test_sentences_are_found() -> None:
    text = "# Head\n\nOne two. Three\nfour `a. b`!\n\n- five: six; six\n- seven\n\n| a | b |\n"
    assert sentences(text) == ["One two.", "Three four x !", "- five:", "six; six", "- seven"]
    assert len(sentences((ROOT / "README.md").read_text(encoding="utf-8"))) > 30
    assert words("a list of x, x and 3 - of I (x )") == 7


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
