"""Reasons of the core and of readers: lines are found again by their forms."""

from __future__ import annotations

import pytest

from kibitz import chess
from kibitz.errors import BadPosition
from kibitz.sentences import LANGUAGES, Sentence, table
from kibitz.sentences.reasons import reason_of, said_by

REASONS = {code: text for code, text in table().items() if code.startswith("reason.")}


@pytest.mark.parametrize("code", sorted(REASONS))
def test_line_of_each_form_has_its_code_and_words(code: str) -> None:
    """A line made from a form is worded the same by the sentence that is found for it."""
    inner = {"why": "no move", "more": "not JSON", "character": "'x'", "game": "3", "text": "'q'"}
    names = set(Sentence(code).values) | {part.partition("}")[0] for part in REASONS[code].split("{")[1:]}
    line = REASONS[code].format(**{name: inner.get(name, "7") for name in names})
    found = reason_of(line)
    assert found.code.startswith("reason.")
    assert str(found) == line
    assert all(found.worded(language) for language in LANGUAGES)


def test_reasons_are_found_inside_reasons() -> None:
    found = reason_of("the text: game 2 (line 9): bad FEN tag: rank 8 has 7 squares, expected 8")
    assert found.code == "reason.inPgnGame"
    assert found.values["why"].values["why"] == Sentence("reason.fenRank", {"rank": "8", "count": "7"})


def test_lines_without_a_form_keep_their_english_words() -> None:
    found = reason_of("the moon is full")
    assert found.code == "error.plainReason"
    assert str(found) == "the moon is full"
    assert "moon" not in found.worded("ko")


def test_error_of_the_core_is_worded() -> None:
    with pytest.raises(BadPosition) as caught:
        chess.Position("8/8/8/8/8/8/8/8 w - - 0 1")
    said = said_by(caught.value)
    assert said.values["why"] == Sentence("reason.fenKings", {"side": "white", "count": "0"})
    assert str(said) == str(caught.value)
