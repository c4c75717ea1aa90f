"""The English reasons of the core and of record readers as sentences with codes.

>>> reason_of("rank 8 has 7 squares, expected 8").to_dict()["values"]
{'rank': '8', 'count': '7'}

What the core and the readers say of text they cannot read is one English line. `texts/reasons/en.json` has
the form of each; a line is compared with these forms, so that the page can say the same in its reader's
language. The forms are the only place that a new line has to be added to, in every language.
"""

from __future__ import annotations

import re
from functools import cache

from kibitz.sentences import Sentence, sentence_of, table

#: Letters of a line that is looked at; a longer one has a client's text in it, and is not compared.
_MOST_LETTERS = 2000
#: How many reasons may be inside each other.
_MOST_DEEP = 4
_PLACEHOLDER = re.compile(r"\\\{(\w+)\\\}")


@cache
def _forms() -> list[tuple[str, re.Pattern[str]]]:
    """The codes with the forms of their lines, those with the most letters of their own first."""
    forms = [(code, text) for code, text in table().items() if code.startswith("reason.")]
    forms.sort(key=lambda form: -len(re.sub(r"\{\w+\}", "", form[1])))
    return [
        (code, re.compile(_PLACEHOLDER.sub(r"(?P<\1>.*?)", re.escape(text)), re.S)) for code, text in forms
    ]


def reason_of(line: str) -> Sentence:
    """The sentence with the code of a line; where no form fits, one that has the line in English only."""
    return _found(line, _MOST_DEEP) or Sentence("error.plainReason", {"text": line})


def said_by(error: Exception) -> Sentence:
    """The sentence of an error, the reasons inside it as sentences, too."""
    return with_reasons(sentence_of(error))


def with_reasons(sentence: Sentence) -> Sentence:
    """The sentence with the English lines inside it as sentences."""
    if sentence.code == "text":
        return reason_of(str(sentence))
    values = dict(sentence.values)
    for name, value in values.items():
        if isinstance(value, Sentence):
            values[name] = with_reasons(value)
        elif name == "why" and isinstance(value, str):
            values[name] = reason_of(value)
    return Sentence(sentence.code, values)


def _found(line: str, depth: int) -> Sentence | None:
    if len(line) > _MOST_LETTERS or not depth:
        return None
    for code, form in _forms():
        if (match := form.fullmatch(line)) is None:
            continue
        values: dict[str, str | Sentence] = dict(match.groupdict())
        inner: dict[str, Sentence | None] = {}
        inner |= {name: _found(match[name], depth - 1) for name in ("why", "more") if name in values}
        if None in inner.values():
            continue  # another form may fit as a whole
        if "character" in values:
            inner["character"] = _found(match["character"], 1)
        if "kind" in values:
            inner["kind"] = kind_named(match["kind"])
        return Sentence(code, values | {name: one for name, one in inner.items() if one is not None})
    return None


def kind_named(name: str) -> Sentence | None:
    """The sentence with the name of a kind of piece, where some game has one."""
    codes = (code for code in table() if code.endswith(f".kind{name.capitalize()}"))
    return next((Sentence(code) for code in codes), None)
