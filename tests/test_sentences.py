"""Sentences: every code has words in every language, with the same values."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import kibitz
from kibitz.games.junqi.words import sentences_of
from kibitz.sentences import LANGUAGES, TEXTS, Sentence, table
from kibitz.server.page_files import PAGE

SOURCE = Path(kibitz.__file__).parent
NATIVE = SOURCE.parent.parent / "native"
#: Codes begin with what they are about.
GROUPS = sorted({code.partition(".")[0] for code in table() if "." in code})
CODE = re.compile(rf"({'|'.join(GROUPS)})\.[a-z][A-Za-z]+")
QUOTED = re.compile(r'"([a-z]+\.[a-zA-Z]+)"')
#: Names of files and options that look like codes.
FILES = {"othello.eval", "style.hidden", "style.out"}
#: Codes that are made by adding a word to another.
MADE = {"junqi.resignsReason", "junqi.skippedReason"}


def placeholders(text: str) -> set[tuple[str, str]]:
    """Names and digits of per cent: `{value%1}` is `("value", "1")`."""
    return set(re.findall(r"\{(\w+)%?(\d?)\}", text))


def codes_of(path: Path) -> Iterator[str]:
    """Texts of a file that are codes, and those that its f-strings make."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and CODE.fullmatch(node.value):
            yield node.value
        if isinstance(node, ast.JoinedStr) and isinstance(first := node.values[0], ast.Constant):
            if not re.match(rf"({'|'.join(GROUPS)})\.", str(first.value)):
                continue
            parts = [
                re.escape(str(part.value)) if isinstance(part, ast.Constant) else "[A-Za-z]*"
                for part in node.values
            ]
            yield from (code for code in table() if re.fullmatch("".join(parts), code))


def native_codes() -> set[str]:
    files = [path for path in NATIVE.rglob("*.cpp") if "tests" not in path.parts]
    quoted = {word for path in files for word in QUOTED.findall(path.read_text(encoding="utf-8"))}
    return {word for word in quoted if CODE.fullmatch(word)}


def test_there_is_a_table_for_each_language() -> None:
    assert {path.stem for path in TEXTS.glob("*.json")} == set(LANGUAGES)
    assert {path.stem for path in (TEXTS / "reasons").glob("*.json")} == set(LANGUAGES)
    assert {path.stem for path in (PAGE / "i18n").glob("*.json")} == set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_has_words_with_its_values(language: str) -> None:
    english, words = table(), table(language)
    assert words.keys() == english.keys()
    for code, text in english.items():
        assert words[code].strip(), code
        if code.startswith("error.plain") and language != "en":  # the English line is left out
            assert not placeholders(words[code]), code
        else:
            assert placeholders(words[code]) == placeholders(text), code


def test_codes_of_the_sources_are_those_of_the_tables() -> None:
    written = {code for path in SOURCE.rglob("*.py") for code in codes_of(path)} | native_codes() | MADE
    assert written - table().keys() - FILES == set()
    reasons = {code for code in table() if code.startswith("reason.")}  # test_reasons.py
    assert table().keys() - written == {"text"} | reasons


def test_json_form_has_code_values_and_the_english_text() -> None:
    note = Sentence("junqi.flagAt", {"seat": "E", "place": "E62"})
    assert note.to_dict() == {
        "code": "junqi.flagAt",
        "values": {"seat": "E", "place": "E62"},
        "text": "E's flag is at E62",
    }
    assert note.worded("zh-Hans") == table("zh-Hans")["junqi.flagAt"].format(seat="E", place="E62")


@pytest.mark.parametrize(
    ("event", "codes"),
    [
        ("E11xS15=!E62~S", ["junqi.bothDie", "junqi.flagAt", "junqi.flagFallen"]),
        ("E11xS15+", ["junqi.wins"]),
        ("E11xS15-^E", ["junqi.dies", "junqi.noMove"]),
        ("S11-C31", ["junqi.moves"]),
        ("resign:S", ["junqi.resigns"]),
        ("skip:N#1", ["junqi.skippedReason"]),
        ("draw:agreed", ["junqi.drawAgreed"]),
    ],
)
def test_events_of_junqi(event: str, codes: list[str]) -> None:
    said = sentences_of(event)
    assert [one.code for one in said] == codes
    for one in said:
        assert {name for name, _ in placeholders(table()[one.code])} == one.values.keys()
