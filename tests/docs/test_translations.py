"""README and tutorials in other languages: the same commands, code, headings and links as in English."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.samples import ROOT, blocks, spans

LANGUAGES = ("ko", "zh")
ENGLISH = [ROOT / "README.md", *sorted(ROOT.glob("docs/tutorials/*.md"))]
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
#: The language that the program answers in, said to readers of that language only.
_OWN = {"-o language=ko", "-o language=zh"}


def translated(page: Path, language: str) -> Path:
    name = page.name if page.name == "README.md" else f"tutorials/{page.name}"
    return ROOT / "docs" / language / name


def code(text: str) -> list[tuple[str, str]]:
    """The blocks without their comments, which may be translated."""
    return [(kind, re.sub(r" +#.*$", "", block, flags=re.MULTILINE)) for kind, block in blocks(text)]


def links(page: Path, language: str) -> list[str]:
    """Where its links lead, those to translations counted as links to the English pages."""
    places = []
    for link in _LINK.findall(page.read_text(encoding="utf-8")):
        file, hash_sign, heading = link.partition("#")
        if "://" in link:
            places.append(link)
        elif not re.search(r"(?:\.\./|docs/)(?:ko/|zh/)?README\.md$", file):
            place = (page.parent / file).resolve().relative_to(ROOT).as_posix()
            place = place.replace(f"docs/{language}/", "docs/", 1)
            places.append(f"{place}{hash_sign}{heading}")
    return sorted(places)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", ENGLISH, ids=lambda page: page.name)
def test_a_translation_says_the_same(page: Path, language: str) -> None:
    other = translated(page, language)
    english, text = (one.read_text(encoding="utf-8") for one in (page, other))
    assert code(text) == code(english)
    assert sorted({*spans(text)} - _OWN) == sorted({*spans(english)} - _OWN)
    assert links(other, language) == links(page, language)
    heads = [
        re.findall(r"^(#+) ", re.sub(r"```.*?```", "", one, flags=re.DOTALL), re.M) for one in (text, english)
    ]
    assert heads[0] == heads[1]


@pytest.mark.parametrize(("language", "letters"), [("ko", "[가-힣]"), ("zh", "[一-鿿]")])
def test_every_sentence_is_in_the_language(language: str, letters: str) -> None:
    """No paragraph or row was left in English but names."""
    names = ("# Kibitz", "## HTTPS", "[English", "|---")
    for page in (translated(page, language) for page in ENGLISH):
        text = re.sub(r"```.*?```|\]\([^)]*\)", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
        for line in text.splitlines():
            words = re.sub(r"`[^`]*`", "", line)
            own = re.search(letters, words) or line.startswith(names)
            assert own or not re.search(r"[A-Za-z]{3}", words), (page.name, line)


def test_no_translation_is_without_its_english_page() -> None:
    for language in LANGUAGES:
        found = {*(ROOT / "docs" / language).rglob("*.md")}
        assert found == {translated(page, language) for page in ENGLISH}
