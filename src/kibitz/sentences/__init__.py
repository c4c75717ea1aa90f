"""Sentences as codes with values, until they meet a reader.

>>> note = Sentence("junqi.flagAt", {"seat": "E", "place": "E62"})
>>> str(note)
"E's flag is at E62"
>>> note.to_dict()["code"]
'junqi.flagAt'

The words are in `texts/LANGUAGE.json`, one file a language with the same keys, and those of reasons for
errors in `texts/reasons` (`reasons.py`); the web page reads the same files. `{name}` is a value, `{name%1}` a
share as per cent with one digit. A value may be a sentence itself, or a list of them. Codes and values are
part of the JSON forms; the words may change.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from kibitz.errors import BadRequest
from kibitz.json_form import JsonForm, encode

LANGUAGES = ("en", "ko", "zh-Hans", "zh-Hant")
#: Where the files are.
TEXTS = Path(__file__).parents[1] / "texts"
_PLACEHOLDER = re.compile(r"\{(\w+)(?:%(\d))?\}")


@cache
def table(language: str = "en") -> Mapping[str, str]:
    """The words of a language by code."""
    words: dict[str, str] = {}
    for path in (TEXTS / f"{language}.json", TEXTS / "reasons" / f"{language}.json"):
        words |= json.loads(path.read_text(encoding="utf-8"))
    return words


@dataclass(frozen=True)
class Sentence(JsonForm):
    """A code of the tables, and its values: text, numbers, sentences, lists of text or of sentences.
    `str()` is English."""

    code: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def worded(self, language: str = "en") -> str:
        """The sentence in a language; KeyError where the table has no such code or a value is missing."""

        def fill(match: re.Match[str]) -> str:
            value = self.values[match[1]]
            if match[2]:
                return f"{100 * value:.{match[2]}f}%"
            return _worded(value, language)

        return _PLACEHOLDER.sub(fill, table(language)[self.code])

    def __str__(self) -> str:
        return self.worded()

    def to_dict(self) -> dict[str, Any]:
        """Code, values, and the English text, which readers of version 1 know."""
        return {"code": self.code, "values": encode(self.values), "text": str(self)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Sentence:
        """What `to_dict` described. A sentence that is not known here is its text."""
        code, values, text = data.get("code"), data.get("values", {}), data.get("text", "")
        if not (isinstance(code, str) and isinstance(values, Mapping) and isinstance(text, str)):
            raise BadRequest("a sentence is a table with code, values and text")
        sentence = cls(code, {str(name): _read(value) for name, value in values.items()})
        try:
            sentence.worded()
        except (KeyError, TypeError, ValueError):
            return verbatim(text or code)
        return sentence


def _worded(value: Any, language: str) -> str:
    if isinstance(value, Sentence):
        return value.worded(language)
    if isinstance(value, float):
        return f"{value:g}"
    if not isinstance(value, (list, tuple)):
        return str(value)
    if not any(isinstance(one, Sentence) for one in value):
        return " ".join(value)
    *first, last = (_worded(one, language) for one in value)
    words = table(language)
    return words["list.and"].join([words["list.comma"].join(first), last]) if first else last


def _read(value: Any) -> Any:
    """A value of plain data; tables in it are sentences."""
    if isinstance(value, Mapping):
        return Sentence.from_dict(value)
    return [_read(one) for one in value] if isinstance(value, (list, tuple)) else value


def verbatim(text: str) -> Sentence:
    """Text that comes from elsewhere and has no code of its own."""
    return Sentence("text", {"text": text})


def sentence_of(error: Exception) -> Sentence:
    """The sentence that an error was raised with, or its text."""
    said = error.args[0] if error.args else ""
    return said if isinstance(said, Sentence) else verbatim(str(error))


def joined(sentences: Iterable[Sentence], language: str = "en") -> str:
    """Sentences about one thing, one after the other."""
    return ", ".join(sentence.worded(language) for sentence in sentences)
