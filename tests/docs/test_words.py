"""Plain words: what the field's own engines and papers do not say is not said here either."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.paths import ROOT

#: Words for which there is a plainer one: reported, fixed, sets, random, installed, active, expensive, due.
WORDS = re.compile(
    r"\b(told|mended|lots|by lot|at hand|(?:has|have|had) a say|dear|owed|comes along|so-and-so)\b",
    re.IGNORECASE,
)
#: Names that were replaced, as they were spelled.
NAMES = re.compile(
    r"\b(at_hand|comes_along|as_it_went|for_people|engine_reason|own_clock|TaughtPositions|ThreadShelf"
    r"|search_family|style_effect|compile_plan|ask_for_tree|check_choice)\b"
)

PAGES = [*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md"))]
SOURCES = sorted((ROOT / "src" / "kibitz").rglob("*.py"))


def found(pattern: re.Pattern[str], path: Path, text: str, line: int = 1) -> Iterator[str]:
    for match in pattern.finditer(text):
        yield f"{path.relative_to(ROOT)}:{line + text.count(chr(10), 0, match.start())}: {match[0]}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_pages_use_plain_words(page: Path) -> None:
    assert list(found(WORDS, page, page.read_text(encoding="utf-8"))) == []


def test_messages_use_plain_words() -> None:
    """Texts that the program writes: help, errors, tables."""
    problems = []
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
                problems += found(WORDS, path, node.value, node.lineno)
    for path in sorted((ROOT / "src" / "kibitz" / "texts").glob("en.json")):
        problems += found(WORDS, path, path.read_text(encoding="utf-8"))
    assert problems == []


def test_names_that_were_replaced_are_gone() -> None:
    native = [path for path in (ROOT / "native").rglob("*") if path.suffix in (".h", ".cpp")]
    assert len(native) > 100
    problems = [line for path in (*SOURCES, *native) for line in found(NAMES, path, path.read_text())]
    assert problems == []
